// Chooses the mock that answers a tool call, and describes its answer or why none matches. Runs nothing, waits for nothing.
import type { DocumentTool, ToolMock } from '../../protocol';
import { cutShort, describeValue, showValue } from './json-words';
import type { Difference } from './match-arguments';
import { matchArguments } from './match-arguments';

/**
 * Finds the first mock that matches.
 * @param callNumber Number of the call among the run's calls of this tool, starting at 1.
 */
export function pickMock(
  mocks: readonly ToolMock[],
  args: unknown,
  callNumber: number,
): { mock: ToolMock; index: number } | undefined {
  const index = mocks.findIndex(
    ({ when, call }) =>
      (call === undefined || call === callNumber) &&
      (when === undefined || matchArguments(when, toValue(args), 1).differences.length === 0),
  );
  const mock = mocks[index];
  return mock && { mock, index };
}

/** Says why no mock answers the call, in one sentence for the model and the person. */
export function describeUnmatched(tool: DocumentTool, args: unknown, callNumber: number): string {
  const name = cutShort(tool.name);
  const { mocks } = tool;
  if (mocks.length === 0) return `${name} has no mock, so there is no result to give.`;
  const why = nearest(mocks, args, callNumber);
  if (mocks.length === 1) return `The mock of ${name} does not match this call: it ${why}.`;
  return `None of the ${mocks.length} mocks of ${name} matches this call: the nearest one ${why}.`;
}

/** The result for the model; `ask` when the person gives it, `invoke` when the editor's tool is run. */
export function answerOfMock(mock: ToolMock): { content: string; isError: boolean } | 'ask' | 'invoke' {
  if (mock.ask !== undefined) return 'ask';
  if (mock.invoke !== undefined) return 'invoke';
  if (mock.error !== undefined) return { content: mock.error, isError: true };
  if (typeof mock.result === 'string') return { content: mock.result, isError: false };
  try {
    return { content: JSON.stringify(mock.result) ?? '', isError: false };
  } catch {
    return { content: 'The result of the mock is nested too deeply to be written as JSON.', isError: true };
  }
}

/** Missing arguments count as an empty object. */
const toValue = (args: unknown): unknown => args ?? {};

function nearest(mocks: readonly ToolMock[], args: unknown, callNumber: number): string {
  const judged = mocks.map(({ when, call }) => {
    const { matched, differences } = matchArguments(when ?? {}, toValue(args));
    const isOtherCall = call !== undefined && call !== callNumber;
    return { call, isOtherCall, matched, differences, count: differences.length + Number(isOtherCall) };
  });
  // Sorting is stable, so the first of several equally near mocks wins.
  const [best] = judged.toSorted((one, other) => one.count - other.count || other.matched - one.matched);
  const [difference] = best?.differences ?? [];
  if (difference) return describeDifference(difference);
  return `is for the ${toOrdinal(best?.call ?? 1)} call, and this is the ${toOrdinal(callNumber)}`;
}

function describeDifference({ path, wanted, found }: Difference): string {
  if (path === '') return `wants an object of arguments, and the call has ${describeValue(found)}`;
  const has = found === undefined ? 'none' : showValue(found);
  return `wants ${cutShort(path)} to be ${showValue(wanted)}, and the call has ${has}`;
}

function toOrdinal(count: number): string {
  const isTeen = Math.trunc(count / 10) % 10 === 1;
  const ending = isTeen ? undefined : ['th', 'st', 'nd', 'rd'][count % 10];
  return `${count}${ending ?? 'th'}`;
}
