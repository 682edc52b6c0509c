// Finds the calls that a model wrote as text, as they are returned to a program. Pure.
import { rescueToolCalls } from '../../library';
import type { RepairedCall, RescuedCall, RescueReport, ToolType } from '../../types';
import { isExact } from './exact';
import type { ReturnedCall } from './repair-wire';

/** The report of the text, with only those calls that can be written exactly. */
export function findCalls(
  text: string,
  tools: readonly ToolType[],
  finishReason: string | undefined,
): RescueReport {
  const report = rescueToolCalls(text, tools, { finishReason });
  return { ...report, calls: report.calls.filter((call) => isExact(call.arguments)) };
}

export const toReturned = ({ id, name, arguments: args }: RescuedCall): ReturnedCall => ({
  id,
  name,
  arguments: args,
});

export const toChange = (
  { name, format, repairs }: RescuedCall,
  from: RepairedCall['from'],
): RepairedCall => ({
  name,
  from,
  ...(from === 'text' && { format }),
  repairs: [...new Set(repairs.map(({ kind }) => kind))],
});
