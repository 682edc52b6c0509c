// Three helpers for custom providers whose model writes calls or JSON as text. None of them throws.
import type { RescuedCall, ToolType } from '../../types';
import { parseJson } from '../util/json';
import { decodeJsonText, findJson } from './json/read-json';
import { rescueToolCalls } from './rescue-tool-calls';

/** Helpers that read the text of a model. Frozen. None of them throws. */
export const parser = Object.freeze({
  /** The calls to offered tools in the text, in order; undefined when there are none. */
  toolCalls: (text: string, tools: readonly ToolType[]): RescuedCall[] | undefined => {
    const { calls } = rescueToolCalls(text, tools);
    return calls.length > 0 ? calls : undefined;
  },
  /**
   * The JSON value of the whole text, or else the first object or list in it; repaired if necessary. Undefined when there is
   * none.
   */
  json: (text: string): unknown =>
    typeof text === 'string' ? (decodeJsonText(text) ?? parseJson(text) ?? findJson(text)) : undefined,
  /** The trimmed text without closed reasoning blocks. */
  stripReasoning: (text: string): string => rescueToolCalls(text, []).content,
});
