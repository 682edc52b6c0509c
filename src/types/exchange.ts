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
}

/** An answer as it came; secrets are masked. */
export interface ExchangeResponse {
  status: number;
  headers: Record<string, string>;
  /** The text as it came. */
  body: string;
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
  /** One per native tool call: the exact text of its arguments. */
  toolCalls: { rawArguments: string; parseError?: string | undefined }[];
  /**
   * Places in the request whose value the protocol cannot say, such as `messages[2].tool_calls[0].function.arguments`: `{}`
   * went in its stead. Absent when there are none.
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
