// Shortens the ids of tool calls for a server that does not accept those of other servers. Pure.
import type { Message } from '../../../types';
import { toShortId } from '../../util/ids';

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
