// What the Responses API wants back unchanged with a reply: its items in their order, with the encrypted reasoning and the
// phases of its texts. Pure.
import type { Message, ReplayData } from '../../../types';
import type { JsonRecord } from '../../util/json';
import { isJsonSafe, isRecord, toRecord, toText } from '../../util/json';
import { withoutNull } from '../../util/prune-undefined';
import { isUsual, readReplay } from '../request/replay';

/** The kind of provider in replay data: every server of this protocol. */
const REPLAY_KIND = 'responses';

/**
 * @param output The items of a reply. Of a call its place and its further members are kept, such as its id: the message has the
 * rest.
 * @returns undefined for a reply that has only plain texts and calls
 */
export function toReplay(output: unknown, model: string | undefined): ReplayData | undefined {
  const items = Array.isArray(output) ? output.map(toRecord) : [];
  if (items.every(isPlain)) return undefined;
  const kept = items.map((item) => (item['type'] === CALL ? { type: CALL, ...withoutCall(item) } : item));
  if (!isJsonSafe(kept)) return undefined;
  return { provider: REPLAY_KIND, ...(model !== undefined && { model }), data: { output: kept } };
}

const CALL = 'function_call';

/** What a message with the call does not have. */
function withoutCall(item: JsonRecord): JsonRecord {
  const { type: _type, call_id: _callId, name: _name, arguments: _args, status: _status, ...others } = item;
  return withoutNull(others);
}

const isPlain = ({ id: _id, ...item }: JsonRecord): boolean =>
  item['type'] === CALL
    ? Object.entries(withoutCall(item)).every(isUsual)
    : item['type'] === 'message' && item['phase'] === undefined;

/**
 * The items of the reply as they came, with its calls.
 * @param calls The calls of the message as items.
 * @param replaced Receives the path of data that is left out.
 * @returns undefined when the message has no such items, or says something else by now
 */
export function replayItems(
  message: Message,
  index: number,
  { calls, replaced, ...asked }: ReplayPlace & { calls: readonly object[] },
): object[] | undefined {
  const accepted = { provider: REPLAY_KIND, ...asked, isForPlainReplies: true };
  const { output } = readReplay(message, index, accepted, replaced);
  if (!Array.isArray(output)) return undefined;
  const items = output.filter(isRecord);
  const count = items.filter(({ type }) => type === CALL).length;
  if (textOf(items) !== message.content || count !== calls.length) {
    replaced.push(`messages[${index}].replay`);
    return undefined;
  }
  const readable = items.filter(isReadable);
  // Reasoning that nothing followed, as in a reply that was cut, is refused.
  const kept = readable.slice(0, readable.findLastIndex(({ type }) => type !== 'reasoning') + 1);
  if (kept.length < items.length) replaced.push(`messages[${index}].replay`);
  const rest = [...calls];
  return kept.map((item) => {
    const { id, ...others } = item;
    const whole = item['type'] === CALL ? { ...rest.shift(), ...withoutCall(others) } : others;
    // With its id, the service would miss the reasoning that belongs to the item.
    return readable.length === items.length && typeof id === 'string' ? { ...whole, id } : whole;
  });
}

/** Where the items go. */
export interface ReplayPlace {
  model: string;
  origin: string | undefined;
  replaced: string[];
}

/** Reasoning that only the service's own store has cannot be sent back. */
const isReadable = ({ type, encrypted_content: encrypted, content }: JsonRecord): boolean =>
  type !== 'reasoning' || Boolean(encrypted) || (Array.isArray(content) && content.length > 0);

/** The texts and refusals of the items that are messages. */
export const textOf = (items: readonly JsonRecord[]): string =>
  items.map(({ type, content }) => (type === 'message' ? joinParts(content) : '')).join('');

/** The texts of a list of parts; a server may send the text alone. */
export function joinParts(parts: unknown): string {
  if (typeof parts === 'string') return parts;
  const list = Array.isArray(parts) ? parts.map(toRecord) : [];
  return list.map(({ text, refusal }) => toText(text) ?? toText(refusal) ?? '').join('');
}
