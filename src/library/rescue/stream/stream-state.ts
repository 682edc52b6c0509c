// In what state a stream goes on after a place: thinking, code, a quote. Data, and the step from tag to tag.
import type { OpenThinking, ReasoningTagMatch } from '../regions/reasoning-tags';

/** `isNested`: of blocks in each other only the end of the reply tells where they ended. */
export interface StreamedThinking extends OpenThinking {
  isNested: boolean;
}

export type StreamThinking = 'none' | 'closed' | StreamedThinking;

export interface StreamState {
  thinking: StreamThinking;
  /** What opened the thinking that the text is in, where only its format knows how that ends. */
  opening?: string | undefined;
  /** Inline code opened here, on the same line, and nothing has closed it. */
  code?: { at: number; length: number } | undefined;
  /** Up to here nothing is a call. */
  closedTo?: number | undefined;
  isQuote: boolean;
  /** The marker of a code fence that nothing has closed. */
  fence?: string | undefined;
  /** Where the line begins, as far as a fence may close on it. */
  lineFrom: number;
}

export const isOpenThinking = (thinking: StreamThinking): thinking is StreamedThinking =>
  typeof thinking === 'object';

/** After a tag. Several tags may have one closer, which closes each of them. */
export function passTag(
  thinking: StreamThinking,
  { tag, isOpen, literal }: ReasoningTagMatch,
): StreamThinking {
  if (!isOpenThinking(thinking)) return isOpen ? { tag, depth: 1, isNested: false } : thinking;
  if (thinking.tag !== tag && thinking.tag.close !== literal) return thinking;
  const depth = thinking.depth + (isOpen ? 1 : -1);
  return depth === 0 ? 'closed' : { tag, depth, isNested: thinking.isNested || isOpen };
}
