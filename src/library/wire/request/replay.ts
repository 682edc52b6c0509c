// Decides whether the replay data of a message is sent. Independent of protocols and of what the data says.
import type { Message } from '../../../types';
import type { JsonRecord } from '../../util/json';
import { toRecord } from '../../util/json';

/**
 * Mostly only a message with tool calls gets its data back. DeepSeek and Kimi refuse a later request, also one after the next user
 * message, in which such a message lacks it; for a message without calls servers ignore it, and some refuse it.
 * @param accepted The kind of the provider, the model that is asked, and whether a reply without calls gets its data back as
 * well; undefined when the provider sends none.
 * @param replaced Receives the path of data that is left out.
 * @returns the members of the data; an empty record when nothing is sent
 */
export function readReplay(
  { replay, toolCalls = [] }: Message,
  index: number,
  accepted: { provider: string; model: string; isForPlainReplies?: boolean } | undefined,
  replaced: string[],
): JsonRecord {
  if (!replay) return {};
  const { provider, model, isWithheld, data } = replay;
  const isForPlain = accepted?.isForPlainReplies === true && provider === accepted.provider;
  if (toolCalls.length === 0 && !isForPlain) return {};
  const isSameModel = model === undefined || model === accepted?.model;
  if (provider === accepted?.provider && isSameModel && !isWithheld) return toRecord(data);
  replaced.push(`messages[${index}].replay`);
  return {};
}
