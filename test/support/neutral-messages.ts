// What a lane shows, as it is compared: with what a model was sent, and with what the same lane shows in a later sitting.
import type { Message } from '../../src/library';
import type { LaneEntry, RunEntry } from '../../src/protocol';

/** Whatever was left out of it counts as it is sent. */
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

/** What a model is sent for these entries. */
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

/** Whether a person is asked for a result ends with the sitting, and so does an agent run that is under way. */
export const withoutSitting = ({ asked: _asked, ending, ...entry }: RunEntry): unknown => ({
  ...entry,
  ...(ending && ending.stopReason !== 'interrupted' && { ending }),
});
