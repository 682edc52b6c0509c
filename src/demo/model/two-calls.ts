// Makes the two tool calls of a scripted model from one sentence. Independent of protocols.
import type { ToolType } from '../../types';
import { bestCall, fittingCalls } from './call-from-message';
import type { MadeCall } from './call-from-message';
import { splitPlaces, withOtherPlace } from './message-places';

/**
 * The first case that applies: two tools that fit the message; the one that fits, for the first two places in the message;
 * the first two offered tools, one of them the fitting one; the only tool twice, the second time for another place. Empty
 * when no tools are offered.
 */
export function twoCalls(message: string, tools: readonly ToolType[]): MadeCall[] {
  const fitting = fittingCalls(message, tools);
  if (fitting.length !== 1) return fitting.slice(0, 2);
  const best = tools.filter((tool) => tool.name === fitting[0]?.name).slice(0, 1);
  const [first = message, second] = splitPlaces(message);
  const other = tools.find((tool) => !best.includes(tool));
  if (second !== undefined) return callEach([first, second], best);
  if (other === undefined) return callEach([message, withOtherPlace(message)], best);
  return tools
    .filter((tool) => tool === other || best.includes(tool))
    .flatMap((tool) => callEach([message], [tool]));
}

function callEach(messages: readonly string[], tools: readonly ToolType[]): MadeCall[] {
  return messages.flatMap((message) => bestCall(message, tools) ?? []);
}
