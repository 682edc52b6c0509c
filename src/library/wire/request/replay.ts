// Decides whether the replay data of a message is sent. Independent of protocols and of what the data says.
import type { Message } from '../../../types';
import type { JsonRecord } from '../../util/json';
import { toRecord } from '../../util/json';
import type { WireReply } from '../wire-shapes';

/** What a request can send back. */
export interface AcceptedReplay {
  /** The kind of the provider. */
  provider: string;
  /** The model that is asked. */
  model: string;
  /** Where it is asked; undefined where the data is not bound to a server. */
  origin?: string | undefined;
  /**
   * Whether a reply without calls gets its data back as well. Chat completions send it only with calls: DeepSeek and Kimi refuse
   * a later request, also one after the next user message, in which such a message lacks it; for a message without calls
   * servers ignore it, and some refuse it.
   */
  isForPlainReplies?: boolean;
}

/**
 * @param accepted undefined when the provider sends none
 * @param replaced Receives the path of data that is left out.
 * @returns the members of the data; an empty record when nothing is sent
 */
export function readReplay(
  { replay, toolCalls = [] }: Message,
  index: number,
  accepted: AcceptedReplay | undefined,
  replaced: string[],
): JsonRecord {
  if (!replay) return {};
  const { provider, model, origin, isWithheld, data } = replay;
  const isOwn = provider === accepted?.provider;
  if (isOwn && toolCalls.length === 0 && !accepted.isForPlainReplies) return {};
  if (isOwn && !isWithheld && isSame(model, accepted.model) && isSame(origin, accepted.origin)) {
    return toRecord(data);
  }
  replaced.push(`messages[${index}].replay`);
  return {};
}

/** What is not known does not matter. */
const isSame = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined || other === undefined || one === other;

/** A reply whose replay data is sent to no other server. @param reply A text instead of a reply is passed on. */
export function boundTo(origin: string, reply: WireReply | string): WireReply | string {
  if (typeof reply === 'string' || !reply.replay) return reply;
  return { ...reply, replay: { ...reply.replay, origin } };
}

/** Whether a member of a call says what it says of every other: that the model called the tool itself, not through its code. */
export const isUsual = ([key, value]: [string, unknown]): boolean =>
  key === 'caller' && toRecord(value)['type'] === 'direct';
