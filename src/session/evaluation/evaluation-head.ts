// What is known of an evaluation without its samples, as it is stored.
import { isRecord } from '../../library';
import type { StoredEvaluation } from '../../protocol';

/** Why an evaluation ended before all samples were judged. */
export interface EarlyEnd {
  reason: 'person' | 'budget' | 'failures';
  text: string;
}

/** What a person has chosen beside what the document says. */
export interface EvaluationChoice {
  /** The row that fills an ordinary run; absent: none. */
  rowId?: string | undefined;
  /** The lane that the others are compared with. */
  referenceId?: string | undefined;
}

/** What a person said of an evaluation. Absent parts are unchanged; an empty name removes the name. */
export interface EvaluationMark {
  name?: string | undefined;
  isPinned?: boolean | undefined;
}

export interface EvaluationHead extends Omit<StoredEvaluation, 'name' | 'isPinned'> {
  /** Milliseconds that it has taken so far. */
  durationMs: number;
  /** Absent while it is under way, and when it has all its samples. */
  early?: EarlyEnd | undefined;
  /** Without it, its window ended while it was under way. */
  isEnded: boolean;
  /** Numbers of repeats above that of the document, by row and lane; '' for all cases. */
  more: Readonly<Record<string, number>>;
}

export type EvaluationCounts = Pick<EvaluationHead, 'passed' | 'failed' | 'planned' | 'notRun'>;

/** Whether the same samples have other verdicts than were stored. Those of other rows are not what the evaluation was. */
export const isJudgedAnew = (
  { passed, failed, planned }: EvaluationCounts,
  counts: EvaluationCounts,
): boolean => counts.planned === planned && (counts.passed !== passed || counts.failed !== failed);

/** Checks a stored value, which anybody may have changed. */
export const isHead = (value: unknown): value is EvaluationHead =>
  isRecord(value) &&
  typeof value.id === 'string' &&
  ['startedAt', 'passed', 'planned', 'durationMs'].every((key) => typeof value[key] === 'number') &&
  ['failed', 'notRun', 'rows', 'repeats'].every((key) => isOptionalNumber(value[key])) &&
  (value.lanes === undefined ||
    (Array.isArray(value.lanes) && value.lanes.every((each) => typeof each === 'string'))) &&
  typeof value.isEnded === 'boolean' &&
  isRecord(value.more) &&
  Object.values(value.more).every((count) => typeof count === 'number');

const isOptionalNumber = (value: unknown): boolean => value === undefined || typeof value === 'number';
