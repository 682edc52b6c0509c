// What the Messages API wants back unchanged with the calls of a reply: its blocks in their order, with the signatures of the
// thinking. Pure.
import type { ReplayData } from '../../../types';
import { isJsonSafe, toRecord } from '../../util/json';

/** The kind of provider in replay data: every server of this protocol. */
export const REPLAY_KIND = 'messages';

/**
 * @param content The blocks of a reply. Of a call only its place is kept: the message has it.
 * @returns undefined for a reply that has only text and calls
 */
export function toReplay(content: unknown, model: string | undefined): ReplayData | undefined {
  const blocks = Array.isArray(content) ? content.map(toRecord) : [];
  if (blocks.every(({ type }) => type === 'text' || type === 'tool_use')) return undefined;
  const kept = blocks.map((block) => (block['type'] === 'tool_use' ? { type: 'tool_use' } : block));
  if (!isJsonSafe(kept)) return undefined;
  return { provider: REPLAY_KIND, ...(model !== undefined && { model }), data: { content: kept } };
}
