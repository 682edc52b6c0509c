// The record of one request: every attempt, and the HTTP exchange, redacted.
import type { ToolChoice } from './tool';

/** Passed to the callbacks of a retry policy; describes the attempt that has just failed. */
export interface RetryAttempt {
  /** Starts at 1. */
  attempt: number;
  maxAttempts: number;
  /** HTTP status, when a server answered. */
  status?: number | undefined;
  /** The failure, when no response was received. */
  error?: Error | undefined;
  /** Milliseconds until the next attempt; 0 when passed to `isRetryable`. */
  delayMs: number;
  /** Why the attempt is retried, in one plain sentence. */
  reason: string;
  /** The wait that the server asked for, in milliseconds; absent when it asked for none. */
  retryAfterMs?: number | undefined;
}

/** One attempt in the ledger: its times, how far it got, who ended it, and what was decided. */
export interface AttemptRecord {
  /** Starts at 1. A `reconnect` has the number of the attempt that it belongs to. */
  attempt: number;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** Milliseconds from the start to the headers of the response. */
  headersMs?: number | undefined;
  /** Milliseconds from the start to the end of the attempt. */
  endMs: number;
  /** HTTP status; absent when no response was received. */
  status?: number | undefined;
  /** The code of the innermost cause that has one, such as `ECONNREFUSED`. */
  errorCode?: string | undefined;
  /** Who ended the attempt; `timeout` is the caller's `timeoutMs`. */
  endedBy: 'server' | 'network' | 'timeout' | 'caller';
  /** `done`: the call succeeded. `stop`: it failed. `retry`: after a wait. `reconnect`: at once, as part of the attempt. */
  decision: 'done' | 'retry' | 'stop' | 'reconnect';
  /** Why that was decided; one plain sentence. */
  reason: string;
  /** The wait before the next attempt, in milliseconds. */
  delayMs?: number | undefined;
  /** Whether the retry policy (`backoff`) or the server (`retry-after`) determined the wait. */
  delaySource?: 'backoff' | 'retry-after' | undefined;
  /** What the service said of its limits in the headers of the response; absent when it said nothing. */
  rateLimits?: RateLimit[] | undefined;
}

/** A limit of a service as the headers of one response tell it. */
export interface RateLimit {
  /** What is counted, as the service calls it: `requests`, `tokens`, `input-tokens`, `output-tokens`. */
  of: string;
  /** How many there are in all. */
  limit?: number | undefined;
  /** How many of them are left. */
  remaining?: number | undefined;
  /** Milliseconds from the response until all of them are there again. */
  resetMs?: number | undefined;
}

/** A request as it was sent; secrets are masked. */
export interface ExchangeRequest {
  /** Of a request that does not go over HTTP: the name of what was called. */
  method: string;
  /** Begins with `http` only for a request over HTTP. */
  url: string;
  headers: Record<string, string>;
  /** The text as it was sent. */
  body: string;
  /** Whether a secret in the body is masked, so that the body is not exactly what was sent. */
  isBodyMasked?: true | undefined;
  /** Only in a request of another program: the body is base64, because its bytes are not valid UTF-8. */
  isBase64?: true | undefined;
  /** Only in a request of another program: number of bytes of the body that were sent and not stored. */
  omittedBytes?: number | undefined;
}

/** A response as it was received; secrets are masked. */
export interface ExchangeResponse {
  status: number;
  headers: Record<string, string>;
  /** The text as it was received. */
  body: string;
}

/** One attempt as it was sent and received; secrets are masked. */
export interface AttemptEvidence {
  request: ExchangeRequest;
  /** Absent when no response was received. */
  response?: AttemptResponse | undefined;
}

/** A response as far as it was received, whatever its status; secrets are masked. */
export interface AttemptResponse {
  /** Absent when the back end is not reached over HTTP. */
  status?: number | undefined;
  headers: Record<string, string>;
  /** With the content encoding removed. The text, or base64 when the bytes are not valid UTF-8. */
  body: string;
  isBase64?: true | undefined;
  /** Whether the server ended the response. Bytes after the end mark of a stream are not waited for. */
  isComplete: boolean;
  /** Number of bytes of the body that were received and not stored; absent when there are none. */
  omittedBytes?: number | undefined;
  /**
   * When the body arrived: pairs of the number of bytes so far and the milliseconds since the start of the attempt. Absent
   * when the body was compressed.
   */
  arrivals?: number[] | undefined;
}

/** A native tool call as the server sent it. */
export interface ExchangeToolCall {
  /** The exact text of its arguments. */
  rawArguments: string;
  /** Why that text is not valid JSON. */
  parseError?: string | undefined;
  /** The server's id for this call, if an earlier call of the reply has the same one; this call then got another id. */
  repeatedId?: string | undefined;
  /** Whether the server sent it without a name, so that it is none of the reply's calls. */
  isNameless?: true | undefined;
}

/** What a request says about calling tools. */
export interface SentToolChoice {
  choice: ToolChoice;
  /** Key in the request body. */
  key: string;
}

/** One request and its last response; secrets are masked. */
export interface Exchange {
  request: ExchangeRequest;
  response?: ExchangeResponse | undefined;
  /**
   * Neutral sampling key → key in the request. `maxTokens` is among them although nobody set it where the protocol requires a
   * limit: its value was chosen.
   */
  sent: Record<string, string>;
  /** Neutral sampling keys that this back end, or this model of it, does not support, and `toolChoice` if it has no such field. */
  dropped: string[];
  /** Request keys that `raw` replaced. */
  overridden: string[];
  /** As sent, with that of `raw`; absent when the request says nothing that is known. */
  toolChoice?: SentToolChoice | undefined;
  /** One entry for each native tool call in their order; those without a name follow. */
  toolCalls: ExchangeToolCall[];
  /**
   * Paths in the request of values that were replaced, moved or left out; absent when there are none. At `messages[1].replay`,
   * the replay data of a message was left out, whole or in part: it came from another kind of provider, another server or another
   * model, or was withheld, or does not fit to the message any more, or nothing of the reply followed it. All others are of what
   * servers refuse:
   * - `messages[3]`: an empty reply was left out.
   * - `messages[4].role`: a system text after the beginning was sent as the user's.
   * - `messages[5].place`: a result was sent directly after its call, before what stands between them.
   * - `messages[6].end`: white space at the end of the reply that the model is to continue was left out.
   * - `messages[2].content[1]`, `input[4]`: a result was made up for a call that has none.
   * - `tools`: no tools were given, and those that the history calls were declared by their names, with the tool choice `none`.
   * - `messages[2].tool_calls[0].function.arguments`, `input[3].arguments`: the arguments were not a JSON object, and `{}` was
   *   sent.
   * - `messages[2].content[1].input`: they were not either, and were sent as `{"rawInvalidInput": …}`.
   *
   * At any other path a text had a lone surrogate, which was sent as U+FFFD; a path inside of arguments is written
   * `….arguments.city`.
   */
  replaced?: string[] | undefined;
  /**
   * How else the request differs from what was asked, in sentences, because the back end has no form for it. Only from providers that
   * are not reached over HTTP.
   */
  changed?: string[] | undefined;
}

/** The state of a call for a live view; complete each time. */
export interface CallProgress {
  phase: 'waiting-for-headers' | 'reading' | 'waiting-to-retry';
  /** Starts at 1: the attempt in progress or, while waiting, the next one. */
  attempt: number;
  maxAttempts: number;
  /** Milliseconds since the epoch at which this phase began. */
  since: number;
  /** Only while waiting: how long, in milliseconds; and the source of the delay. */
  delayMs?: number | undefined;
  delaySource?: 'backoff' | 'retry-after' | undefined;
  /** The attempts that have ended so far. */
  ledger: AttemptRecord[];
}
