// The errors of the library. Each has a stable code, the number of attempts, the ledger and the cause.
import type { AttemptRecord, Exchange, FoundWords, PartialReply, RescueReport } from '../types';
import { keepName } from './util/keep-name';

/** Stable codes for a `switch`; the README beside it explains each. */
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
  | 'refused'
  | 'internal';

/** The parts of an error message, each one sentence. They contain no secrets. */
export interface ErrorExplanation {
  /** What happened, with provider, method, URL and attempts if there was a request. */
  what: string;
  /** Why it happened, as far as it is known. */
  why: string;
  /** What to do next; '' when there is nothing to advise. */
  next: string;
  /** What the server sent instead of a reply, to be read after "answered", such as `200 with an empty body`. */
  answered?: string | undefined;
}

export interface ProviderErrorDetails {
  attempts?: number | undefined;
  ledger?: AttemptRecord[] | undefined;
  exchange?: Exchange | undefined;
  partial?: PartialReply | undefined;
  cause?: unknown;
}

/** Every failure of a call: what happened, why, what to do next, and all attempts that were made. */
export class ProviderError extends Error {
  static {
    keepName(this, 'ProviderError');
  }

  /** A stable code, for a `switch`. */
  readonly code: ProviderErrorCode;
  readonly explanation: ErrorExplanation;
  /** Number of attempts that were made. */
  readonly attempts: number;
  /** Every attempt of the call, including the failed ones. */
  ledger: AttemptRecord[];
  /** The request and as much of the last response as arrived, redacted; absent when nothing was sent. */
  exchange: Exchange | undefined;
  /**
   * The part of the reply that had arrived. If something else arrived instead, such as a web page, `content` is its
   * beginning. If the end of a text may be the beginning of a secret, that end is masked.
   */
  partial: PartialReply | undefined;
  /** What rescue reads from the text of `partial`; absent without tools, without text, and beside native calls. */
  rescue: RescueReport | undefined;

  constructor(code: ProviderErrorCode, explanation: ErrorExplanation, details: ProviderErrorDetails = {}) {
    super(`${explanation.what} ${explanation.why} ${explanation.next}`.trim(), { cause: details.cause });
    this.name = new.target.name;
    this.code = code;
    this.explanation = explanation;
    this.attempts = details.attempts ?? 0;
    this.ledger = details.ledger ?? [];
    this.exchange = details.exchange;
    this.partial = details.partial;
  }
}

/** The server answered with an error: by the status, or by an error document under status 200. */
export class HttpError extends ProviderError {
  static {
    keepName(this, 'HttpError');
  }

  /** HTTP status; 200 for an error document in a response that was successful otherwise. */
  readonly status: number;
  /** The status that the code or type of such a document stands for, such as 529 for `overloaded_error`; absent for any other. */
  readonly toldStatus: number | undefined;
  /** The error message of the server, if it sent one. */
  readonly serverMessage: string | undefined;

  /** What is known of that message: its cause, and the numbers and names that it holds; absent when nothing is. */
  readonly serverWords: FoundWords | undefined;

  constructor(
    status: number,
    serverMessage: string | undefined,
    explanation: ErrorExplanation,
    details: ProviderErrorDetails & {
      serverWords?: FoundWords | undefined;
      toldStatus?: number | undefined;
    } = {},
  ) {
    super('http', explanation, details);
    this.status = status;
    this.toldStatus = details.toldStatus;
    this.serverMessage = serverMessage;
    this.serverWords = details.serverWords;
  }
}

/** No response was received. */
export class NetworkError extends ProviderError {
  static {
    keepName(this, 'NetworkError');
  }

  /** The code of the innermost cause that has one, such as `ECONNREFUSED`. */
  readonly errorCode: string | undefined;

  constructor(errorCode: string | undefined, explanation: ErrorExplanation, details?: ProviderErrorDetails) {
    super('network', explanation, details);
    this.errorCode = errorCode;
  }
}

/** An attempt took longer than the `timeoutMs` that the caller set. */
export class RequestTimeoutError extends ProviderError {
  static {
    keepName(this, 'RequestTimeoutError');
  }

  /** The limit for one attempt, in milliseconds. */
  readonly timeoutMs: number;

  constructor(timeoutMs: number, explanation: ErrorExplanation, details?: ProviderErrorDetails) {
    super('timeout', explanation, details);
    this.timeoutMs = timeoutMs;
  }
}

/** An option or argument of the caller is invalid. */
export class InvalidOptionsError extends ProviderError {
  static {
    keepName(this, 'InvalidOptionsError');
  }

  /** Name of the field, such as `retry.maxAttempts`. */
  readonly field: string;

  /**
   * @param problem Follows the field's name, as in `maxAttempts must be a number`. A missing full stop is added.
   * @param cause What the caller's own code threw, if it was that.
   */
  constructor(field: string, problem: string, cause?: unknown) {
    const explanation = {
      what: `The option ${field} cannot be used.`,
      why: /[.?!]$/.test(problem) ? `${field} ${problem}` : `${field} ${problem}.`,
      next: 'Correct it where it is set.',
    };
    super('invalid-options', explanation, { cause });
    this.field = field;
  }
}
