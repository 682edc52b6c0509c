// The evaluations of a playground as its journal has them: without their samples, with what a person said of them. Pure; ignores
// unknown lines.
import type { StoredEvaluation } from '../../protocol';
import { readLine } from '../journal/journal-lines';
import type { JournalLine } from '../ports';
import type { EvaluationChoice, EvaluationHead, EvaluationMark } from './evaluation-head';

/** Both by the id of the evaluation, the oldest first. */
export interface ReadEvaluations {
  heads: Map<string, EvaluationHead>;
  marks: Map<string, EvaluationMark>;
  choice: EvaluationChoice;
}

export function readEvaluations(lines: readonly JournalLine[]): ReadEvaluations {
  const read: ReadEvaluations = { heads: new Map(), marks: new Map(), choice: {} };
  for (const stored of lines) {
    // A journal has far more lines of runs, and reading a line checks all of it.
    if (typeof stored.kind !== 'string' || !stored.kind.startsWith('evaluation')) continue;
    const line = readLine(stored);
    if (line?.kind === 'evaluation') read.heads.set(line.head.id, line.head);
    if (line?.kind === 'evaluation-mark') read.marks.set(line.id, withMark(read.marks.get(line.id), line));
    if (line?.kind === 'evaluation-removed') read.heads.delete(line.id);
    if (line?.kind === 'evaluation-choice') read.choice = line;
  }
  return read;
}

/** What a later mark does not mention stays; an empty name removes the name. */
export const withMark = (
  before: EvaluationMark = {},
  { name, isPinned }: EvaluationMark,
): EvaluationMark => ({
  name: name === undefined ? before.name : name || undefined,
  isPinned: isPinned ?? before.isPinned,
});

/** @returns the evaluations, the latest first */
export const storedEvaluations = (lines: readonly JournalLine[]): StoredEvaluation[] =>
  toStoredEvaluations(readEvaluations(lines));

export const toStoredEvaluations = ({
  heads,
  marks,
}: Pick<ReadEvaluations, 'heads' | 'marks'>): StoredEvaluation[] =>
  [...heads.values()].toReversed().map((head) => toStoredEvaluation(head, marks.get(head.id)));

function toStoredEvaluation(head: EvaluationHead, mark: EvaluationMark = {}): StoredEvaluation {
  const { id, startedAt, passed, planned, failed, notRun, lanes, rows, repeats, more } = head;
  const { name, isPinned } = mark;
  const all = repeats === undefined ? undefined : repeats + (more[''] ?? 0);
  const isSame = (lanes?.length ?? 0) * (rows ?? 0) * (all ?? 0) === planned;
  return {
    id,
    startedAt,
    passed,
    planned,
    ...(failed !== undefined && { failed }),
    ...(notRun !== undefined && { notRun }),
    ...(lanes && { lanes }),
    ...(rows !== undefined && { rows }),
    ...(isSame && { repeats: all }),
    ...(name !== undefined && { name }),
    ...(isPinned === true && { isPinned }),
  };
}
