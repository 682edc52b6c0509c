// Filters stored runs, and counts the values to filter by. Pure.
import type { StoredRun } from './stored-runs';

/** An empty field does not restrict. Of several models, verdicts or tools, one has to match. */
export interface RunFilter {
  models: readonly string[];
  /** Kinds of verdict, such as `rescued`. */
  verdicts: readonly string[];
  tools: readonly string[];
  /** Searched without regard to case in the name, question, reply, model, connection and outcome. */
  text: string;
}

export const NO_FILTER: RunFilter = { models: [], verdicts: [], tools: [], text: '' };

export const isFiltering = ({ models, verdicts, tools, text }: RunFilter): boolean =>
  models.length + verdicts.length + tools.length > 0 || text !== '';

export function isMatch(run: StoredRun, filter: RunFilter): boolean {
  const { models, verdicts, tools } = filter;
  return (
    (models.length === 0 || models.includes(run.model)) &&
    (verdicts.length === 0 || verdicts.includes(run.verdict.kind)) &&
    (tools.length === 0 || run.tools.some((tool) => tools.includes(tool))) &&
    hasText(run, filter.text.toLowerCase())
  );
}

function hasText(run: StoredRun, wanted: string): boolean {
  if (wanted === '') return true;
  const { name = '', question, reply, model, connection, verdict } = run;
  return [name, question, reply, model, connection, verdict.detail].some((text) =>
    text.toLowerCase().includes(wanted),
  );
}

/** Values to filter by with the number of runs of each, the most frequent first. */
export interface RunFacets {
  models: readonly [value: string, count: number][];
  verdicts: readonly [value: string, count: number][];
  tools: readonly [value: string, count: number][];
}

export function facetsOf(runs: readonly StoredRun[]): RunFacets {
  return {
    models: countOf(runs.map(({ model }) => model)),
    verdicts: countOf(runs.map(({ verdict }) => verdict.kind)),
    tools: countOf(runs.flatMap(({ tools }) => tools)),
  };
}

function countOf(values: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one);
}
