// How a run ended, in words for a person.
import type { OutcomeKind } from '../types';

/** A failure in words for a person. Text between backticks is code. */
export interface ErrorInfo {
  /** A stable code, such as `network` or `http`. */
  code: string;
  /** HTTP status with which a server refused the request; absent when the failure is another one. */
  status?: number | undefined;
  /** A key is missing or refused, and the connection can have another one. */
  isKeyWanted?: true | undefined;
  title: string;
  /** What happened. */
  what: string;
  /** Why it happened. */
  why: string;
  /** What to do next. */
  next: string;
  /** The chain of causes, outermost first. */
  causes?: string[] | undefined;
}

/** The outcome of a run in short, as it is shown above each lane. */
export interface Verdict {
  /** `none`: tools were offered and none was called. `answer`: the model answered, and no call was expected. */
  kind: OutcomeKind | 'failed' | 'stopped' | 'interrupted';
  /** Details, such as `1 call, hermes-json`. */
  detail: string;
}
