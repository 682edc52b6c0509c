// Detects a reply whose text was lost before it arrived. Independent of protocols.
import type { ChatTurn } from '../../types';

/** A model that stops at once has generated one token, the end token. */
const MAX_EMPTY_REPLY_TOKENS = 1;

/**
 * Whether the server counted more than one completion token but sent no text, no reasoning and no call. Ollama does so when
 * the model wrote a tool call that its template cannot read. Reasoning tokens that the server reports separately do not
 * count, because some servers hide reasoning.
 */
export function cameToNothing({ raw }: Pick<ChatTurn, 'raw'>): boolean {
  const { content, reasoning = '', toolCalls, usage } = raw;
  const { completionTokens = 0, reasoningTokens = 0 } = usage;
  return (
    content.trim() === '' &&
    reasoning.trim() === '' &&
    toolCalls.length === 0 &&
    completionTokens - reasoningTokens > MAX_EMPTY_REPLY_TOKENS
  );
}
