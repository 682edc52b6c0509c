// What one chat carries through a provider's own code to `request()`: a three-argument provider can be stopped and traced
// without knowing it, and two calls of one provider at once never mix. A built-in provider is handed it.
import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  AttemptRecord,
  CallProgress,
  ChatDelta,
  ExchangeToolCall,
  PartialReply,
  TokenUsage,
} from '../../types';
import type { Redactor } from './redact';
import type { ObservedAttempt } from './wire-recorder';

export interface CallContext {
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: CallProgress) => void) | undefined;
  readonly onAttempt: ((attempt: ObservedAttempt) => void) | undefined;
  /** Takes the place of the body that the provider makes. */
  readonly body?: string | undefined;
  /** Every attempt of every request of this call. */
  readonly ledger: AttemptRecord[];
  /** The last request and response, not yet redacted. */
  request?: SentRequest | undefined;
  response?: ReceivedResponse | undefined;
  /** Masks the secrets of the requests, too, where the connection itself does not have them. */
  redactor?: Redactor | undefined;
  /** All that it masks. */
  secrets?: ReadonlySet<string> | undefined;
  /** What a provider of embeddings told, summed. */
  usage?: TokenUsage | undefined;
  /** What a built-in provider tells of its own translation. */
  translation?: Translation | undefined;
  /** What the clock's own count began at when the call began, in milliseconds since the epoch. */
  epoch?: number | undefined;
  /** What the attempts of the last request came to. */
  attempts: number;
  /** Takes the pieces of a streamed reply; absent when nobody wants them. */
  readonly onDelta?: ((delta: ChatDelta) => void) | undefined;
  /** A piece was handed on: from then on nothing is retried. */
  hasDelivered: boolean;
  /** What has come of a stream so far. */
  partial?: (() => PartialReply) | undefined;
}

export interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

export interface ReceivedResponse {
  status: number;
  headers: Iterable<[string, string]>;
  /** Made when it is asked for. */
  text: () => string;
}

/** How the neutral input became the request: the part of an exchange that only the provider knows. */
export interface Translation {
  sent: Record<string, string>;
  dropped: string[];
  overridden: string[];
  /** Made when the exchange is looked at. */
  toolCalls: () => ExchangeToolCall[];
  replaced: string[];
}

/** Of a provider that tells nothing, or nothing yet. */
export const NO_TRANSLATION: Translation = {
  sent: {},
  dropped: [],
  overridden: [],
  toolCalls: () => [],
  replaced: [],
};

const storage = new AsyncLocalStorage<CallContext | undefined>();
/** How much of other people's code is at work inside a call. */
let running = 0;

/** The call that this code runs in. A built-in provider hands its call on as an argument, and its code runs in none. */
export const currentCall = (): CallContext | undefined => storage.getStore();

/**
 * Runs the code of a provider that finds its call by itself. Up to Node 22 each promise of the process, and so of every
 * extension, costs more while the storage is on: when the last such code has ended it is switched off.
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
 * For work that outlives the call, such as opening a connection: whatever it starts would keep the call's request and reply
 * alive for as long as itself.
 */
export const outsideOfCall = <Result>(work: () => Result): Result =>
  currentCall() ? storage.run(undefined, work) : work();

export function createCallContext(options: {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: CallProgress) => void) | undefined;
  onDelta?: ((delta: ChatDelta) => void) | undefined;
  onAttempt?: ((attempt: ObservedAttempt) => void) | undefined;
  body?: string | undefined;
}): CallContext {
  const { body, signal, onProgress, onDelta, onAttempt } = options;
  return {
    body,
    signal,
    onProgress,
    onDelta,
    onAttempt,
    ledger: [],
    attempts: 0,
    hasDelivered: false,
  };
}
