// Invariants of rescuing that hold for any text. Each violated one is named in a sentence.
import { checkArguments } from '../../src/library/rescue/schema/check-arguments';
import { scanReply } from '../../src/library/rescue/decide/scan-reply';
import { RescueScanner } from '../../src/library/rescue/stream/rescue-scanner';
import type { RescueReport, ToolType } from '../../src/types';
import type { RescueInput } from './make-input';

/** Maximum number of steps for each character, and for a reply of any length in addition. */
const MAX_STEPS = 60;
const FIRST_STEPS = 4000;

/** Returns the violated invariants; empty if all hold. */
export function findBrokenLaws(input: RescueInput): string[] {
  try {
    const { report, steps } = scanReply(input.text, input.tools, { finishReason: input.finishReason });
    const isStreamed = input.chunks.length > 0;
    return [...checkReport(input, report, steps), ...(isStreamed ? checkStream(input, report) : [])];
  } catch (error) {
    return [`it throws: ${error instanceof Error ? error.stack : String(error)}`];
  }
}

function checkReport(input: RescueInput, report: RescueReport, steps: number): string[] {
  const { text, tools, finishReason, isDistinct } = input;
  const { calls, rejected, content } = report;
  // Two equal calls may be different ones, so they are compared only if no two calls of the reply are equal.
  const made = new Set(isDistinct ? calls.map(toKey) : []);
  const inContent =
    made.size === 0 ? [] : scanReply(content, tools, { finishReason }).report.calls.map(toKey);
  const laws: Record<string, boolean> = {
    'spans lie in the text': [...calls, ...rejected].every(
      ({ start, end }) => start >= 0 && start <= end && end <= text.length,
    ),
    'calls are in order and do not overlap': calls.every(
      ({ start, end }, index) => start < end && start >= (calls[index - 1]?.end ?? 0),
    ),
    'the content is part of the text': isPartOf(content, text),
    'no call is found again in the content': !inContent.some((key) => made.has(key)),
    'every call names an offered tool': calls.every(({ name }) => tools.some((tool) => tool.name === name)),
    'violations of a schema are reported': calls.every((call) => call.schemaIssues || isValid(call, tools)),
    'every rejection has a reason and a sentence': rejected.every(
      ({ detail, reason }) => reason !== '' && detail.endsWith('.'),
    ),
    'the work is linear in the length of the text': steps <= text.length * MAX_STEPS + FIRST_STEPS,
  };
  return Object.keys(laws).filter((law) => !laws[law]);
}

/** Checks that reading the text as a stream yields the same report. */
function checkStream({ text, tools, chunks, finishReason }: RescueInput, whole: RescueReport): string[] {
  const scanner = new RescueScanner(tools);
  const given: string[] = [];
  for (let at = 0, index = 0; at < text.length; index += 1) {
    const length = chunks[index % chunks.length] ?? 1;
    given.push(scanner.feed(text.slice(at, at + length)));
    at += length;
  }
  const { report, rest } = scanner.finish({ finishReason });
  const laws: Record<string, boolean> = {
    'a stream results in the same report': withoutIds(report) === withoutIds(whole),
    'a stream emits all text outside of calls': isWholeWithout(given.join('') + rest, text, report.calls),
    'a stream emits no part of a call with a marker': !isGiven(given.join(''), rest, text, report),
  };
  return Object.keys(laws).filter((law) => !laws[law]);
}

/** Whether `shown` contains every character outside of calls as often as the text; characters of calls may be missing. */
function isWholeWithout(shown: string, text: string, calls: RescueReport['calls']): boolean {
  const counts = countCharacters(text);
  for (const [character, count] of countCharacters(shown)) {
    counts.set(character, (counts.get(character) ?? 0) - count);
  }
  const missing = [...counts.values()].reduce((sum, count) => sum + Math.max(0, count), 0);
  const isSurplus = [...counts.values()].some((count) => count < 0);
  const ofCalls = calls.reduce((sum, { start, end }) => sum + end - start, 0);
  return !isSurplus && missing <= ofCalls;
}

function countCharacters(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (let at = 0; at < text.length; at += 1) {
    counts.set(text.charAt(at), (counts.get(text.charAt(at)) ?? 0) + 1);
  }
  return counts;
}

/**
 * True if more was shown than the text without its calls that have markers. White space is not counted, as it may
 * belong to either.
 */
function isGiven(given: string, rest: string, text: string, { calls }: RescueReport): boolean {
  const marked = calls.filter(({ evidence }) => evidence === 'marker');
  const ofCalls = marked.reduce((sum, { start, end }) => sum + countSigns(text.slice(start, end)), 0);
  return countSigns(given) + countSigns(rest) > countSigns(text) - ofCalls;
}

const countSigns = (text: string): number => text.replaceAll(/\s/g, '').length;

function isPartOf(part: string, text: string): boolean {
  let matched = 0;
  for (let at = 0; at < text.length && matched < part.length; at += 1) {
    if (part.charCodeAt(matched) === text.charCodeAt(at)) matched += 1;
  }
  return matched === part.length;
}

function isValid(
  { name, arguments: value }: { name: string; arguments: unknown },
  tools: readonly ToolType[],
): boolean {
  const tool = tools.find((item) => item.name === name);
  return tool !== undefined && checkArguments(value, tool.parameters).length === 0;
}

const toKey = ({ name, arguments: value }: { name: string; arguments: unknown }): string =>
  JSON.stringify([name, value]);

const withoutIds = (report: RescueReport): string =>
  JSON.stringify({ ...report, calls: report.calls.map((call) => ({ ...call, id: '' })) });
