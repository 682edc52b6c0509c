// Shortens the ids of tool calls for a server that does not accept those of other servers. Pure.
import { createHash } from 'node:crypto';
import type { Message } from '../../../types';
import { ID_ALPHABET, ID_LENGTH } from '../../util/ids';

/** Mistral's API answers 400 to a history with an id that is not nine letters and digits; other servers accept any. */
export const needsShortIds = (hostname: string): boolean => /(^|\.)mistral\.ai$/.test(hostname);

/** The same history with short ids; a call and its result still have the same id. */
export const shortenIds = (messages: readonly Message[]): Message[] =>
  messages.map((message) => ({
    ...message,
    ...(message.toolCalls && {
      toolCalls: message.toolCalls.map((call) => ({ ...call, id: toShortId(call.id) })),
    }),
    ...(message.toolCallId !== undefined && { toolCallId: toShortId(message.toolCallId) }),
  }));

const SHORT_ID = /^[0-9A-Za-z]{9}$/;

/** Maps any id to one of that form, always to the same one, so that a call and its result stay linked. */
function toShortId(id: string): string {
  if (SHORT_ID.test(id)) return id;
  const bytes = createHash('sha256').update(id).digest().subarray(0, ID_LENGTH);
  return Array.from(bytes, (byte) => ID_ALPHABET.charAt(byte % ID_ALPHABET.length)).join('');
}
