// The calls of a reply as whoever asked for it receives them: with arguments that are objects, never made up. Pure.
import { isRecord } from '../../library';
import type { RepairedCall, RescuedCall, ToolType } from '../../types';
import type { RunRecord } from '../run/record/run-record';

/** Reads damaged arguments of a call. Returns undefined where they cannot be read exactly. */
export type RepairArguments = (text: string, tool: ToolType) => RescuedCall | undefined;

export interface DeliveredCall {
  id: string;
  name: string;
  arguments: Readonly<Record<string, unknown>>;
}

export interface DeliveredCalls {
  /** Empty when one of them cannot be delivered: the others alone would be another reply. */
  calls: DeliveredCall[];
  /** Those that are not as the model wrote them. */
  changed: RepairedCall[];
  /** Name of the first call whose arguments cannot be read. */
  broken?: string;
}

export function deliverCalls(
  { turn }: Pick<RunRecord, 'turn'>,
  tools: readonly ToolType[],
  repair: RepairArguments,
): DeliveredCalls {
  const calls: DeliveredCall[] = [];
  const changed: RepairedCall[] = [];
  // What is missing from a reply that was cut may be a part of the arguments.
  const isCut = turn?.raw.finishReason === 'length';
  for (const { id, name, arguments: value, source } of turn?.toolCalls ?? []) {
    const tool = tools.find((each) => each.name === name);
    const isDamaged = typeof value === 'string' && !isCut;
    const repaired = isDamaged && tool ? repair(value, tool) : undefined;
    const args = repaired ? repaired.arguments : value;
    if (!isRecord(args)) return { calls: [], changed: [], broken: name };
    calls.push({ id, name, arguments: args });
    const written = source === 'rescued' ? turn?.rescue?.calls.find((call) => call.id === id) : undefined;
    if (repaired) changed.push({ name, from: 'arguments', repairs: kindsOf(repaired) });
    else if (written) changed.push({ name, from: 'text', format: written.format, repairs: kindsOf(written) });
  }
  return { calls, changed };
}

const kindsOf = ({ repairs }: RescuedCall): string[] => [...new Set(repairs.map(({ kind }) => kind))];
