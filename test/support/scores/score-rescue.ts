// Scores how well calls are rescued from the cases of a corpus: calls found, missed, and made up.
import { rescueToolCalls } from '../../../src/library/rescue/rescue-tool-calls';
import type { RescueReport, ToolType } from '../../../src/types';

export interface ScoredCase {
  id: string;
  format: string;
  kind: string;
  text: string;
  expected: readonly { name: string; arguments: unknown }[];
  remaining?: string;
  repairs?: readonly string[];
  reject?: string;
  alt_format?: string;
}

export interface CaseScore<Case extends ScoredCase = ScoredCase> {
  item: Case;
  report: RescueReport;
  /** Number of expected calls that were found; each counts once. */
  found: number;
  /** Number of calls that were not expected. */
  surplus: number;
  /** Whether exactly the expected calls were found, in order. */
  isExact: boolean;
  /** Whether every found call is reported with its expected format. */
  isNamed: boolean;
}

export interface Tally {
  cases: number;
  expected: number;
  found: number;
  surplus: number;
  exact: number;
}

export function scoreCase<Case extends ScoredCase>(item: Case, tools: readonly ToolType[]): CaseScore<Case> {
  const report = rescueToolCalls(item.text, tools);
  const wanted = item.expected.map(toKey);
  const made = report.calls.map(toKey);
  const open = [...wanted];
  for (const key of made) if (open.includes(key)) open.splice(open.indexOf(key), 1);
  const found = wanted.length - open.length;
  const isAny = item.format === 'none' || item.format === 'mixed';
  return {
    item,
    report,
    found,
    surplus: made.length - found,
    isExact: made.length === wanted.length && made.every((key, index) => key === wanted[index]),
    isNamed:
      isAny || report.calls.every(({ format }) => format === item.format || format === item.alt_format),
  };
}

export function tally(scores: readonly CaseScore[]): Tally {
  const sum = (of: (score: CaseScore) => number): number =>
    scores.reduce((total, score) => total + of(score), 0);
  return {
    cases: scores.length,
    expected: sum(({ item }) => item.expected.length),
    found: sum(({ found }) => found),
    surplus: sum(({ surplus }) => surplus),
    exact: sum(({ isExact }) => (isExact ? 1 : 0)),
  };
}

/** 1 if no call was made. */
export const precisionOf = ({ found, surplus }: Tally): number =>
  found + surplus === 0 ? 1 : found / (found + surplus);

/** 1 if no call was expected. */
export const recallOf = ({ found, expected }: Tally): number => (expected === 0 ? 1 : found / expected);

/** A row for every kind and every format. */
export function toScoreTable(scores: readonly CaseScore[]): string {
  const groups = [
    ...group(scores, ({ item }) => item.kind),
    ...group(scores, ({ item }) => item.format),
    { name: 'all', scores },
  ];
  const rows = groups.map((entry) => {
    const total = tally(entry.scores);
    const shares = [precisionOf(total), recallOf(total)].map((share) => share.toFixed(3));
    const counts = [total.cases, total.exact, total.expected, total.found, total.surplus].map(String);
    return [entry.name, ...counts, ...shares];
  });
  const head = ['', 'cases', 'exact', 'expected', 'found', 'false', 'precision', 'recall'];
  return [head, ...rows]
    .map(([name = '', ...cells]) => name.padEnd(22) + cells.map((cell) => cell.padStart(10)).join(''))
    .join('\n');
}

function group(
  scores: readonly CaseScore[],
  nameOf: (score: CaseScore) => string,
): { name: string; scores: CaseScore[] }[] {
  const groups = new Map<string, CaseScore[]>();
  for (const score of scores) groups.set(nameOf(score), [...(groups.get(nameOf(score)) ?? []), score]);
  return [...groups]
    .map(([name, members]) => ({ name, scores: members }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Makes calls comparable: the order of object keys does not matter, and 1 equals 1.0. */
const toKey = ({ name, arguments: value }: { name: string; arguments: unknown }): string =>
  JSON.stringify([name, sortKeys(value)]);

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}
