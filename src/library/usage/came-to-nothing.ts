// Whether a model wrote and nothing of it arrived. Knows no protocol.
import type { ChatTurn } from '../../types';

/** A model that ends at once has written one token, its end. */
const MOST_OF_AN_EMPTY_REPLY = 1;

/**
 * Whether the server counted tokens and sent no text, no reasoning and no call. Ollama does so when the model wrote a tool call
 * that its template cannot read. Tokens that the server counts as hidden reasoning are not missed.
 */
export function cameToNothing({ raw }: Pick<ChatTurn, 'raw'>): boolean {
  const { content, reasoning = '', toolCalls, usage } = raw;
  const { completionTokens = 0, reasoningTokens = 0 } = usage;
  return (
    content.trim() === '' &&
    reasoning.trim() === '' &&
    toolCalls.length === 0 &&
    completionTokens - reasoningTokens > MOST_OF_AN_EMPTY_REPLY
  );
}
