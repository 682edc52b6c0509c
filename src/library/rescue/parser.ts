// The three helpers that a custom provider reaches for when its model writes where others call. None of them throws.
import type { RescuedCall, ToolType } from '../../types';
import { parseJson } from '../util/json';
import { decodeJsonText } from './json/read-json';
import { findJson } from './json/find-json';
import { rescueToolCalls } from './rescue-tool-calls';

/** Readers of model text; frozen. None of them throws. */
export const parser = Object.freeze({
  /** The calls of offered tools in the text, in order; undefined when there are none. */
  toolCalls: (text: string, tools: readonly ToolType[]): RescuedCall[] | undefined => {
    const { calls } = rescueToolCalls(text, tools);
    return calls.length > 0 ? calls : undefined;
  },
  /** The JSON value that the text is, or the first object or list in it, repaired; undefined when there is none. */
  json: (text: string): unknown =>
    typeof text === 'string' ? (decodeJsonText(text) ?? parseJson(text) ?? findJson(text)) : undefined,
  /** The text without closed reasoning, trimmed. */
  stripReasoning: (text: string): string => rescueToolCalls(text, []).content,
});
