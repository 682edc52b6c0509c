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

export interface EvaluationHead extends StoredEvaluation {
  /** Milliseconds that it has taken so far. */
  durationMs: number;
  /** Absent while it is under way, and when it has all its samples. */
  early?: EarlyEnd | undefined;
  /** Without it, its window ended while it was under way. */
  isEnded: boolean;
  /** Numbers of repeats above that of the document, by row and lane; '' for all cases. */
  more: Readonly<Record<string, number>>;
}

/** Checks a stored value, which anybody may have changed. */
export const isHead = (value: unknown): value is EvaluationHead =>
  isRecord(value) &&
  typeof value.id === 'string' &&
  ['startedAt', 'passed', 'planned', 'durationMs'].every((key) => typeof value[key] === 'number') &&
  typeof value.isEnded === 'boolean' &&
  isRecord(value.more) &&
  Object.values(value.more).every((count) => typeof count === 'number');
