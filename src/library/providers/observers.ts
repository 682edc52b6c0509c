// Who observes a call and may stop it: its own caller, and the call of another provider that it is made in.
import { AsyncResource } from 'node:async_hooks';
import type { CallProgress } from '../../types';
import type { CallContext } from '../transport/call-context';
import { joinSignals } from '../util/abort';
import { callSafely } from '../util/call-safely';
import type { ChatOptions } from './providers';

/** How whoever made the call observes it, stops it, and what they have it send. */
export type CallObservers = Pick<ChatOptions, 'signal' | 'onDelta' | 'onProgress' | 'onAttempt' | 'body'>;

/**
 * The observers of a call. Inside another call it stops with that one, too, and reports its progress and its attempts to
 * that one's observers unless it has its own.
 * @param isInContext The call's code runs in a context of its own, and not in that of whoever made the call.
 */
export function observedBy(
  { body, signal, onDelta, onProgress, onAttempt }: CallObservers,
  outer: CallContext | undefined,
  isInContext: boolean,
): CallObservers {
  const shown = onAttempt ?? outer?.onAttempt;
  const told = onProgress ?? (outer?.onProgress && tellOuter(outer, outer.onProgress));
  return {
    signal: joinSignals(signal, outer?.signal),
    ...(body !== undefined && { body }),
    // in the context of the caller: what it does there, such as handing a piece on, belongs to its own call
    ...(onDelta && { onDelta: isInContext ? bindHere(onDelta) : guard(onDelta) }),
    ...(told && { onProgress: bindHere(told) }),
    ...(shown && { onAttempt: shown }),
  };
}

const guard =
  <Argument>(callback: (argument: Argument) => void) =>
  (argument: Argument): void =>
    void callSafely(callback, argument);

/** A callback that ends no call, in this context; `AsyncLocalStorage.bind` costs ten times as much for each piece. */
function bindHere<Argument>(callback: (argument: Argument) => void): (argument: Argument) => void {
  const scope = new AsyncResource('ProviderCall');
  return (argument) => void scope.runInAsyncScope(callSafely<[Argument]>, undefined, callback, argument);
}

const tellOuter =
  ({ ledger }: CallContext, tell: (progress: CallProgress) => void) =>
  (progress: CallProgress): void =>
    tell({ ...progress, ledger: [...structuredClone(ledger), ...progress.ledger] });
