// What the Messages API wants back unchanged with a reply: its blocks in their order, with the signatures of the thinking, and
// with what the service did itself, such as a search. Pure.
import type { ReplayData } from '../../../types';
import type { JsonRecord } from '../../util/json';
import { isJsonSafe, toRecord } from '../../util/json';
import { withoutNull } from '../../util/prune-undefined';
import { isUsual } from '../request/replay';

/** The kind of provider in replay data: every server of this protocol. */
export const REPLAY_KIND = 'messages';

/**
 * @param content The blocks of a reply. Of a call only its place and its further members are kept: the message has the rest.
 * @returns undefined for a reply that has only text and calls
 */
export function toReplay(content: unknown, model: string | undefined): ReplayData | undefined {
  const blocks = Array.isArray(content) ? content.map(toRecord) : [];
  if (blocks.every(isPlain)) return undefined;
  const kept = blocks.map((block) =>
    block['type'] === 'tool_use' ? { type: 'tool_use', ...withoutCall(block) } : block,
  );
  if (!isJsonSafe(kept)) return undefined;
  return { provider: REPLAY_KIND, ...(model !== undefined && { model }), data: { content: kept } };
}

/** What a message with the call does not have, such as the `caller` of one that the model's own code made. */
export function withoutCall(block: JsonRecord): JsonRecord {
  const { type: _type, id: _id, name: _name, input: _input, ...others } = block;
  return withoutNull(others);
}

const isPlain = (block: JsonRecord): boolean =>
  block['type'] === 'text' ||
  (block['type'] === 'tool_use' && Object.entries(withoutCall(block)).every(isUsual));
