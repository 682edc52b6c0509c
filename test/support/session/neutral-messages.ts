// Converts what a lane shows, for comparison with what a model was sent and with what the lane shows in a later
// session.
import type { Message } from '../../../src/library';
import type { LaneEntry, RunEntry } from '../../../src/protocol';
import type { Session } from '../../../src/session';

/** Fills in defaults, so that omitted fields equal the values that are sent. */
export const toComparable = ({
  role,
  content,
  toolCalls,
  toolName,
  toolCallId,
  isError = false,
}: Message): unknown => ({
  role,
  content,
  toolCalls,
  toolName,
  toolCallId,
  isError,
});

/** The messages that a model is sent for these entries. */
export function toNeutral(entries: readonly LaneEntry[]): Message[] {
  return entries.flatMap((entry): Message[] => {
    if (entry.kind === 'message') return [{ role: entry.role, content: entry.content }];
    const { outcome, results } = entry;
    if (!outcome?.reply) return [];
    const content = outcome.reply.content ?? outcome.reply.raw.content;
    const calls = outcome.reply.toolCalls.flatMap((call, index) => {
      const result = results[index];
      return result ? [{ call, result }] : [];
    });
    if (content === '' && calls.length === 0) return [];
    const toolCalls = calls.map(({ call: { id, name, arguments: args, source } }) => ({
      id,
      name,
      arguments: args,
      source,
    }));
    const answers = calls.map(({ call, result }): Message => ({
      role: 'tool',
      toolName: call.name,
      toolCallId: call.id,
      content: result.content,
      isError: result.isError,
    }));
    return [{ role: 'assistant', content, ...(toolCalls.length > 0 && { toolCalls }) }, ...answers];
  });
}

/** Without what exists only during a session: open questions to the user, and agent runs under way. */
export const withoutSessionState = ({ asked: _asked, ending, ...entry }: RunEntry): unknown => ({
  ...entry,
  ...(ending && ending.stopReason !== 'interrupted' && { ending }),
});

/**
 * The entries with the stored runs that a lane reads only when they scroll into view; undefined when one of them
 * was removed meanwhile.
 */
export async function readWhole(
  session: Session,
  laneId: string,
  entries: readonly LaneEntry[],
): Promise<LaneEntry[] | undefined> {
  const ids = entries.filter((entry) => entry.kind === 'run' && entry.isStored).map(({ id }) => id);
  if (ids.length === 0) return [...entries];
  const read = await session.readEntries(laneId, ids).catch(() => []);
  if (read.length < ids.length) return undefined;
  const byId = new Map(read.map((entry) => [entry.id, entry]));
  return entries.map((entry) => byId.get(entry.id) ?? entry);
}

export const toText = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (part instanceof Map ? [...part] : part), 1);
