// What one chat carries through a provider's own code to `request()`: a three-argument provider can be stopped and traced
// without knowing it, and two calls of one provider at once never mix.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { AttemptRecord, CallProgress, ChatDelta, ExchangeRequest, TokenUsage } from '../../types';
import type { Redactor } from './redact';

export interface CallContext {
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: CallProgress) => void) | undefined;
  /** Every attempt of every request of this call. */
  readonly ledger: AttemptRecord[];
  /** The last request and response, not yet redacted. */
  request?: ExchangeRequest | undefined;
  response?: ReceivedResponse | undefined;
  /** Masks the secrets of the requests, too, where the connection itself does not have them. */
  redactor?: Redactor | undefined;
  /** All that it masks. */
  secrets?: ReadonlySet<string> | undefined;
  /** What a provider of embeddings told, summed. */
  usage?: TokenUsage | undefined;
  /** What a built-in provider tells of its own translation. */
  translation?: Translation | undefined;
  /** What the attempts of the last request came to. */
  attempts: number;
  /** Takes the pieces of a streamed reply; absent when nobody wants them. */
  readonly onDelta?: ((delta: ChatDelta) => void) | undefined;
  /** A piece was handed on: from then on nothing is tried again. */
  hasDelivered: boolean;
  /** The text of the stream so far. */
  partial?: (() => string) | undefined;
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
  toolCalls: { rawArguments: string; parseError?: string | undefined }[];
  replaced: string[];
}

export const callContext = new AsyncLocalStorage<CallContext | undefined>();

/**
 * For work that outlives the call, such as opening a connection: whatever it starts would keep the call's request and reply
 * alive for as long as itself.
 */
export const outsideOfCall = <Result>(work: () => Result): Result => callContext.run(undefined, work);

export function createCallContext(options: {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: CallProgress) => void) | undefined;
  onDelta?: ((delta: ChatDelta) => void) | undefined;
}): CallContext {
  const { signal, onProgress, onDelta } = options;
  return {
    signal,
    onProgress,
    onDelta,
    ledger: [],
    attempts: 0,
    hasDelivered: false,
  };
}
