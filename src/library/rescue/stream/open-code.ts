// Inline code that has not closed as far as the text goes: with more text it may take in what follows on its line.
import { endOfRun } from '../code-spans';

const BLANK_LINE = /\n[ \t\r]*\n/g;
const MARKUP = /[<[{(]/;

interface Run {
  at: number;
  end: number;
}

/** The first run of backticks from `from` on that none closes, and that stands before markup; -1 when there is none. */
export function findOpenCode(text: string, from: number): number {
  const runs = listRuns(text, findParagraph(text, from));
  const closers = findClosers(runs);
  for (let index = 0; index < runs.length; index += 1) {
    const run = runs[index];
    const closer = closers[index] ?? -1;
    if (run && closer === -1 && MARKUP.test(restOfLine(text, run.end))) return run.at;
    if (closer !== -1) index = closer;
  }
  return -1;
}

/** Where the last paragraph begins, but not before `from`. */
function findParagraph(text: string, from: number): number {
  let start = from;
  BLANK_LINE.lastIndex = from;
  while (BLANK_LINE.test(text)) start = BLANK_LINE.lastIndex;
  return start;
}

function listRuns(text: string, from: number): Run[] {
  const runs: Run[] = [];
  for (let at = text.indexOf('`', from); at !== -1; at = text.indexOf('`', endOfRun(text, at)))
    runs.push({ at, end: endOfRun(text, at) });
  return runs;
}

/** For each run the next one of its length, or -1. */
function findClosers(runs: readonly Run[]): number[] {
  const next = new Map<number, number>();
  const closers: number[] = Array.from(runs, () => -1);
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const run = runs[index];
    if (!run) continue;
    const length = run.end - run.at;
    closers[index] = next.get(length) ?? -1;
    next.set(length, index);
  }
  return closers;
}

function restOfLine(text: string, from: number): string {
  const end = text.indexOf('\n', from);
  return text.slice(from, end === -1 ? undefined : end);
}
