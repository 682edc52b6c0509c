// The record of one request: every attempt, and the exchange as it went over the wire, redacted.

/** Filled for the callbacks of a retry policy; describes the attempt that just failed. */
export interface RetryAttempt {
  /** 1-based. */
  attempt: number;
  maxAttempts: number;
  /** HTTP status, when a server answered. */
  status?: number | undefined;
  /** The failure, when no answer came. */
  error?: Error | undefined;
  /** Milliseconds until the next attempt; 0 while `isRetryable` is asked. */
  delayMs: number;
  /** One plain sentence. */
  reason: string;
  /** What the server asked for, in milliseconds, when it did. */
  retryAfterMs?: number | undefined;
}

/** One attempt in the ledger: when, how far it came, who ended it, and what was decided then. */
export interface AttemptRecord {
  /** 1-based. A `reconnect` keeps the number of the attempt it belongs to. */
  attempt: number;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** Milliseconds from the start to the response's headers. */
  headersMs?: number | undefined;
  /** Milliseconds from the start to the end of the attempt. */
  endMs: number;
  status?: number | undefined;
  /** The code of the innermost cause that has one, such as `ECONNREFUSED`. */
  errorCode?: string | undefined;
  endedBy: 'server' | 'network' | 'timeout' | 'caller';
  decision: 'done' | 'retry' | 'stop' | 'reconnect';
  /** Why it was decided so: one plain sentence. */
  reason: string;
  /** The wait before the next attempt, in milliseconds. */
  delayMs?: number | undefined;
  delaySource?: 'backoff' | 'retry-after' | undefined;
}

/** A request as it went; secrets are masked. */
export interface ExchangeRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** The text as it went. */
  body: string;
  /** Whether a secret is masked in the body, which is then not what went. */
  isBodyMasked?: true | undefined;
}

/** An answer as it came; secrets are masked. */
export interface ExchangeResponse {
  status: number;
  headers: Record<string, string>;
  /** The text as it came. */
  body: string;
}

/** One attempt as it went over the wire; secrets are masked. */
export interface AttemptEvidence {
  request: ExchangeRequest;
  /** Absent when no answer came. */
  response?: AttemptResponse | undefined;
}

/** An answer as far as it came, whatever its status; secrets are masked. */
export interface AttemptResponse {
  status: number;
  headers: Record<string, string>;
  /** Without the content encoding. The bytes in base64 where they are no UTF-8, else the text. */
  body: string;
  isBase64?: true | undefined;
  /** Whether the server ended it: what follows the end mark of a stream is not waited for. */
  isComplete: boolean;
  /** Bytes of the body that came and are not kept; absent when there are none. */
  omittedBytes?: number | undefined;
  /**
   * When the body came: pairs of how many of its bytes were there and after how many milliseconds, counted from the start
   * of the attempt. Absent when it was compressed.
   */
  arrivals?: number[] | undefined;
}

/** A native tool call as the server sent it. */
export interface ExchangeToolCall {
  /** The exact text of its arguments. */
  rawArguments: string;
  /** Why that text is no JSON value. */
  parseError?: string | undefined;
  /** The id that the server gave, when an earlier call of the reply has it: this one got another. */
  repeatedId?: string | undefined;
}

/** One request and its last response; secrets are masked. */
export interface Exchange {
  request: ExchangeRequest;
  response?: ExchangeResponse | undefined;
  /** Neutral sampling key → the key it was sent as. */
  sent: Record<string, string>;
  /** Neutral sampling keys that this back end has no word for. */
  dropped: string[];
  /** Request keys that `raw` replaced. */
  overridden: string[];
  /** One per native tool call. */
  toolCalls: ExchangeToolCall[];
  /**
   * Places in the request whose value no server takes. `messages[2].tool_calls[0].function.arguments`: the arguments are no
   * JSON object, and `{}` went in their stead. Any other: a text with half a surrogate pair, which went as U+FFFD; a place
   * inside of arguments is named as in `….arguments.city`. Absent when there are none.
   */
  replaced?: string[] | undefined;
}

/** Where a call stands, complete each time: what a live view needs. */
export interface CallProgress {
  phase: 'waiting-for-headers' | 'reading' | 'waiting-to-retry';
  /** 1-based: the attempt under way, or about to start when waiting. */
  attempt: number;
  maxAttempts: number;
  /** Milliseconds since the epoch at which this phase began. */
  since: number;
  /** Only while waiting: how long, in milliseconds, and who asked for it. */
  delayMs?: number | undefined;
  delaySource?: 'backoff' | 'retry-after' | undefined;
  /** The finished attempts so far. */
  ledger: AttemptRecord[];
}
