// Every error the library throws. They carry the decision: a stable code, the attempts made, the ledger, the cause.
import type { AttemptRecord, Exchange, PartialReply, RescueReport } from '../types';

/** Stable words to switch on; the README says what each means. */
export type ProviderErrorCode =
  | 'http'
  | 'network'
  | 'timeout'
  | 'aborted'
  | 'response-format'
  | 'truncated-stream'
  | 'response-too-large'
  | 'invalid-options'
  | 'unsupported'
  | 'budget-exceeded'
  | 'internal';

/** The three things an error says, each one sentence. Nothing in them is secret. */
export interface ErrorExplanation {
  /** What happened, with provider, method, URL and attempts where there was a request. */
  what: string;
  why: string;
  /** What to do next. */
  next: string;
  /** What came in place of a reply, such as `200 with an empty body`; to be read after "answered". */
  answered?: string | undefined;
}

export interface ProviderErrorDetails {
  attempts?: number | undefined;
  ledger?: AttemptRecord[] | undefined;
  exchange?: Exchange | undefined;
  partial?: PartialReply | undefined;
  rescue?: RescueReport | undefined;
  cause?: unknown;
}

/** Every failure of a call: what happened, why, what next, and every attempt that was made. */
export class ProviderError extends Error {
  /** Stable: switch on it. */
  readonly code: ProviderErrorCode;
  readonly explanation: ErrorExplanation;
  /** How many attempts were made. */
  readonly attempts: number;
  /** Every attempt of the call, the failed ones too. */
  ledger: AttemptRecord[];
  /** The request and the last response as far as it came, redacted; absent when nothing was sent. */
  exchange: Exchange | undefined;
  /**
   * What had arrived of the reply; where a page came in its place, the beginning of that as its content. What may be the
   * beginning of a secret at the end of a text is masked.
   */
  partial: PartialReply | undefined;
  readonly rescue: RescueReport | undefined;

  constructor(code: ProviderErrorCode, explanation: ErrorExplanation, details: ProviderErrorDetails = {}) {
    super(`${explanation.what} ${explanation.why} ${explanation.next}`.trim(), { cause: details.cause });
    this.name = new.target.name;
    this.code = code;
    this.explanation = explanation;
    this.attempts = details.attempts ?? 0;
    this.ledger = details.ledger ?? [];
    this.exchange = details.exchange;
    this.partial = details.partial;
    this.rescue = details.rescue;
  }
}

/** The server answered, and the answer is an error: by its status, or by an error document under 200. */
export class HttpError extends ProviderError {
  readonly status: number;
  /** The server's own words, where it had any. */
  readonly serverMessage: string | undefined;

  constructor(
    status: number,
    serverMessage: string | undefined,
    explanation: ErrorExplanation,
    details?: ProviderErrorDetails,
  ) {
    super('http', explanation, details);
    this.status = status;
    this.serverMessage = serverMessage;
  }
}

/** No answer came. */
export class NetworkError extends ProviderError {
  /** The code of the innermost cause that has one, such as `ECONNREFUSED`. */
  readonly errorCode: string | undefined;

  constructor(errorCode: string | undefined, explanation: ErrorExplanation, details?: ProviderErrorDetails) {
    super('network', explanation, details);
    this.errorCode = errorCode;
  }
}

/** The caller's own limit per attempt passed. */
export class RequestTimeoutError extends ProviderError {
  readonly timeoutMs: number;

  constructor(timeoutMs: number, explanation: ErrorExplanation, details?: ProviderErrorDetails) {
    super('timeout', explanation, details);
    this.timeoutMs = timeoutMs;
  }
}

/** Something that the caller configured cannot work. */
export class InvalidOptionsError extends ProviderError {
  /** The name of the field, such as `retry.maxAttempts`. */
  readonly field: string;

  /** @param problem Reads after the field's name, as in `maxAttempts must be a number`; ends the sentence or leaves that to here. */
  constructor(field: string, problem: string) {
    super('invalid-options', {
      what: `The option ${field} cannot be used.`,
      why: /[.?!]$/.test(problem) ? `${field} ${problem}` : `${field} ${problem}.`,
      next: 'Correct it where it is set.',
    });
    this.field = field;
  }
}
