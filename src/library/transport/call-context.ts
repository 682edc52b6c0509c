// The state of one call, which reaches `request()` through a provider's own code. So a provider whose `chatInternal` has
// only three parameters can be stopped and traced, and concurrent calls of a provider never mix. Built-in providers get it
// as an argument.
import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  AttemptRecord,
  CallProgress,
  ChatDelta,
  ExchangeToolCall,
  PartialReply,
  SentToolChoice,
  TokenUsage,
  ToolChoice,
} from '../../types';
import type { Redactor } from './redact/redact';
import type { ObservedAttempt, SentRequest } from './wire-recorder';

/** The state of one call, as `chatIn` receives it. */
export interface CallContext {
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: CallProgress) => void) | undefined;
  readonly onAttempt: ((attempt: ObservedAttempt) => void) | undefined;
  /** Replaces the body that the provider builds. */
  readonly body?: string | undefined;
  /** What the caller says about calling tools. */
  readonly toolChoice?: ToolChoice | undefined;
  /** Every attempt of every request of this call. */
  readonly ledger: AttemptRecord[];
  /** The last request and response, not yet redacted. */
  request?: SentRequest | undefined;
  response?: ReceivedResponse | undefined;
  /** Also masks secrets of the requests that the connection itself does not have; absent without such secrets. */
  redactor?: Redactor | undefined;
  /** All secrets that it masks. */
  secrets?: ReadonlySet<string> | undefined;
  /** The sum of the token counts that a provider of embeddings reported. */
  usage?: TokenUsage | undefined;
  /** What a built-in provider reports about its own translation. */
  translation?: Translation | undefined;
  /** Milliseconds since the epoch at which the clock's elapsed time was 0; set at the first attempt. */
  epoch?: number | undefined;
  /** Number of attempts of the last request. */
  attempts: number;
  /** Receives the pieces of a streamed reply; absent when the caller does not want them. */
  readonly onDelta?: ((delta: ChatDelta) => void) | undefined;
  /** Whether a piece was passed to the caller; from then on nothing is retried. */
  hasDelivered: boolean;
  /** Set when the caller has its answer; what a provider's own code still emits then is too late. */
  hasEnded?: boolean;
  /** Returns what has arrived of a stream so far. */
  partial?: (() => PartialReply) | undefined;
}

export interface ReceivedResponse {
  status: number;
  headers: Iterable<[string, string]>;
  /** Decoded on demand. */
  text: () => string;
}

/** How the neutral input became the request. Only the provider knows this part of an exchange. */
export interface Translation {
  sent: Record<string, string>;
  dropped: string[];
  overridden: string[];
  /** Built on demand, when the exchange is read. */
  toolCalls: () => ExchangeToolCall[];
  replaced: string[];
  changed?: string[];
  toolChoice: SentToolChoice | undefined;
}

/** The translation of a provider that reports none, or none yet. */
export const NO_TRANSLATION: Translation = {
  sent: {},
  dropped: [],
  overridden: [],
  toolCalls: () => [],
  replaced: [],
  toolChoice: undefined,
};

const storage = new AsyncLocalStorage<CallContext | undefined>();
/** Number of calls whose code runs in the async context at the moment. */
let running = 0;

/** The call in whose async context this code runs. Code of a built-in provider gets its call as an argument instead. */
export const currentCall = (): CallContext | undefined => storage.getStore();

/**
 * Runs the code of a provider that has to find its call through the async context. Up to Node 22, every promise of the
 * process, and so of every extension, is slower while the storage is enabled; it is disabled when the last such code has
 * ended.
 */
export async function runInCall<Result>(
  call: CallContext,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  running += 1;
  try {
    return await storage.run(call, work);
  } finally {
    running -= 1;
    if (running === 0) storage.disable();
  }
}

/**
 * Runs work that outlives the call, such as opening a connection, outside of the call's async context. Otherwise whatever
 * the work starts would keep the request and reply of the call alive for as long as itself.
 */
export const outsideOfCall = <Result>(work: () => Result): Result =>
  currentCall() ? storage.run(undefined, work) : work();

export function createCallContext(options: {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: CallProgress) => void) | undefined;
  onDelta?: ((delta: ChatDelta) => void) | undefined;
  onAttempt?: ((attempt: ObservedAttempt) => void) | undefined;
  body?: string | undefined;
  toolChoice?: ToolChoice | undefined;
}): CallContext {
  const { body, toolChoice, signal, onProgress, onDelta, onAttempt } = options;
  return {
    body,
    toolChoice,
    signal,
    onProgress,
    onDelta,
    onAttempt,
    ledger: [],
    attempts: 0,
    hasDelivered: false,
  };
}
