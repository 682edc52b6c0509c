// Chooses the mock that answers a tool call, and describes its answer or why none matches. Runs nothing, waits for nothing.
import type { DocumentTool, ToolMock } from '../../protocol';
import type { Mismatch } from '../../inspect';
import { cutShort, describeValue, isMatcher, matchValue, showValue } from '../../inspect';
import { firstIssue } from './schema/check-against-schema';

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
      (call === undefined || call === callNumber) && (when === undefined || compare(when, args, 1).isMatch),
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
function compare(when: unknown, args: unknown, mostMismatches?: number) {
  const match = matchValue(when, args ?? {}, { checkSchema: firstIssue, mostMismatches });
  return { ...match, isMatch: match.mismatches.length === 0 && match.untried === undefined };
}

function nearest(mocks: readonly ToolMock[], args: unknown, callNumber: number): string {
  const judged = mocks.map(({ when, call }) => {
    const { matched, mismatches, untried } = compare(when ?? {}, args);
    const isOtherCall = call !== undefined && call !== callNumber;
    const count = mismatches.length + Number(isOtherCall) + Number(untried !== undefined);
    return { call, isOtherCall, matched, mismatches, untried, count };
  });
  // Sorting is stable, so the first of several equally near mocks wins.
  const [best] = judged.toSorted((one, other) => one.count - other.count || other.matched - one.matched);
  const [mismatch] = best?.mismatches ?? [];
  if (mismatch) return describeMismatch(mismatch);
  if (best?.untried !== undefined) return `cannot be compared with it: ${best.untried}`;
  return `is for the ${toOrdinal(best?.call ?? 1)} call, and this is the ${toOrdinal(callNumber)}`;
}

function describeMismatch({ path, wanted, expected, found }: Mismatch): string {
  if (path === '')
    return `wants ${isMatcher(wanted) ? expected : 'an object of arguments'}, and the call has ${describeValue(found)}`;
  const has = found === undefined ? 'none' : showValue(found);
  return `wants ${cutShort(path)} to be ${expected}, and the call has ${has}`;
}

function toOrdinal(count: number): string {
  const isTeen = Math.trunc(count / 10) % 10 === 1;
  const ending = isTeen ? undefined : ['th', 'st', 'nd', 'rd'][count % 10];
  return `${count}${ending ?? 'th'}`;
}
