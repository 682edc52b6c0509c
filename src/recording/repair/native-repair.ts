// Repairs damaged arguments of native calls, and reads what comes out of it: what is not exactly as meant is left alone. Pure.
import type { CatalogEntry } from '../../library';
import type { RescuedCall, ToolType } from '../../types';
import { repairArguments } from './repair-arguments';
import { hasEnded, isCut } from './reply-end';
import type { JsonDocument, RepairWire } from './repair-wire';

export interface NativeOptions {
  tools: readonly ToolType[];
  /** Reads a reply of the protocol. */
  readReply: CatalogEntry['readReply'];
  wire: RepairWire;
}

type Reply = ReturnType<CatalogEntry['readReply']>;

/**
 * @param documents Those of a stream from its first native call to its end, or one whole reply.
 * @param write Writes documents as the body of a reply.
 * @returns the same documents with repaired arguments; undefined when none are damaged, or some cannot be read exactly
 */
export function repairNative(
  documents: readonly JsonDocument[],
  { tools, readReply, wire }: NativeOptions,
  write: (documents: readonly JsonDocument[]) => string,
): { documents: JsonDocument[]; repaired: RescuedCall[] } | undefined {
  const names = tools.map(({ name }) => name);
  const read = (given: readonly JsonDocument[]): Reply =>
    readReply(write(wire.ending ? [...given, wire.ending] : given), names);
  const reply = read(documents);
  const repaired = findRepairs(reply, tools);
  if (!repaired) return undefined;
  const fixes = new Map([...repaired].map(([index, call]) => [index, call.arguments]));
  const rewritten = wire.withArguments(documents, fixes);
  return saysTheSame(read(rewritten), reply, fixes)
    ? { documents: rewritten, repaired: [...repaired.values()] }
    : undefined;
}

/** @returns the repaired calls by their index; undefined when there are none, or one cannot be repaired */
function findRepairs(reply: Reply, tools: readonly ToolType[]): Map<number, RescuedCall> | undefined {
  if (reply.problem !== undefined) return undefined;
  const { finishReason, toolCalls } = reply.raw;
  if (!hasEnded(finishReason) || isCut(finishReason)) return undefined;
  const repaired = new Map<number, RescuedCall>();
  for (const [index, { name }] of toolCalls.entries()) {
    const { parseError, rawArguments = '' } = reply.toolCalls[index] ?? {};
    if (parseError === undefined) continue;
    const tool = tools.find((each) => each.name === name);
    const call = tool && repairArguments(rawArguments, tool);
    if (!call) return undefined;
    repaired.set(index, call);
  }
  return repaired.size === 0 ? undefined : repaired;
}

/** Whether a repaired reply says the same as before, but for the arguments that were repaired. */
function saysTheSame(reply: Reply, before: Reply, fixes: ReadonlyMap<number, unknown>): boolean {
  if (reply.problem !== undefined || before.problem !== undefined) return false;
  return (
    reply.raw.content === before.raw.content &&
    reply.toolCalls.length === before.toolCalls.length &&
    reply.toolCalls.every(({ rawArguments }, index) => {
      const expected = fixes.has(index)
        ? JSON.stringify(fixes.get(index))
        : before.toolCalls[index]?.rawArguments;
      return (
        rawArguments === expected && reply.raw.toolCalls[index]?.name === before.raw.toolCalls[index]?.name
      );
    })
  );
}
