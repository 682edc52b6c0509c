// Ids of tool calls for a server that does not take those of the others. Pure.
import type { Message } from '../../types';
import { toShortId } from '../util/ids';

/** Mistral's API answers 400 to a history with an id that is not nine letters and digits; other servers take any. */
export const needsShortIds = (hostname: string): boolean => /(^|\.)mistral\.ai$/.test(hostname);

/** The same history, in which a call and its result still have one id. */
export const shortenIds = (messages: readonly Message[]): Message[] =>
  messages.map((message) => ({
    ...message,
    ...(message.toolCalls && {
      toolCalls: message.toolCalls.map((call) => ({ ...call, id: toShortId(call.id) })),
    }),
    ...(message.toolCallId !== undefined && { toolCallId: toShortId(message.toolCallId) }),
  }));
