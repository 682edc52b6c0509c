// The state in which a stream continues at an offset (reasoning, code, quote), and how a reasoning tag changes it.
import type { OpenReasoning, ReasoningTagMatch } from '../regions/reasoning-tags';

/** `isNested`: whether blocks are nested, so that only the end of the reply tells where they ended. */
export interface OpenStreamReasoning extends OpenReasoning {
  isNested: boolean;
}

export type StreamReasoning = 'none' | 'closed' | OpenStreamReasoning;

export interface StreamState {
  reasoning: StreamReasoning;
  /** The opener of the reasoning that the text is in, if only a format can tell where that ends. */
  opening?: string | undefined;
  /** A run of backticks on the same line that nothing has closed. */
  code?: { at: number; length: number } | undefined;
  /** The text up to this offset is in code or a quote, where nothing is a call. */
  closedTo?: number | undefined;
  isQuote: boolean;
  /** Marker of a code fence that nothing has closed. */
  fence?: string | undefined;
  /** Start of the current line, without text that a call in a fence has claimed. */
  lineFrom: number;
}

export const isOpenReasoning = (reasoning: StreamReasoning): reasoning is OpenStreamReasoning =>
  typeof reasoning === 'object';

/** The state after a tag. Several tags may share one closer, which closes each of them. */
export function passTag(
  reasoning: StreamReasoning,
  { tag, isOpen, literal }: ReasoningTagMatch,
): StreamReasoning {
  if (!isOpenReasoning(reasoning)) return isOpen ? { tag, depth: 1, isNested: false } : reasoning;
  if (reasoning.tag !== tag && reasoning.tag.close !== literal) return reasoning;
  const depth = reasoning.depth + (isOpen ? 1 : -1);
  return depth === 0 ? 'closed' : { tag, depth, isNested: reasoning.isNested || isOpen };
}
