// Determines who observes a call and may stop it: its own caller, and the call of another provider inside which it is made.
import { AsyncResource } from 'node:async_hooks';
import type { CallProgress, ChatDelta } from '../../../types';
import type { CallContext } from '../../transport/call-context';
import { joinSignals } from '../../util/abort';
import { callSafely } from '../../util/call-safely';
import type { ChatOptions } from '../call-options';

/** The options of a call that reach the provider's code through the context of the call. */
export type CallObservers = Pick<
  ChatOptions,
  'signal' | 'onDelta' | 'onProgress' | 'onAttempt' | 'body' | 'toolChoice'
>;

/** The observers with another listener. Not a spread: it would lose getters of options that are an instance of a class. */
export const withListener = (
  { body, toolChoice, signal, onProgress, onAttempt }: CallObservers,
  onDelta: CallObservers['onDelta'],
): CallObservers => ({ body, toolChoice, signal, onDelta, onProgress, onAttempt });

/**
 * The observers of a call. A call inside another one also stops with the outer call, and reports its progress and attempts
 * to the observers of the outer call unless it has its own.
 * @param isInContext Whether the call's code runs in an async context of its own instead of that of the caller.
 */
export function observedBy(
  { body, toolChoice, signal, onDelta, onProgress, onAttempt }: CallObservers,
  outer: CallContext | undefined,
  isInContext: boolean,
): CallObservers {
  const attemptListener = onAttempt ? bindHere(onAttempt) : outer?.onAttempt;
  const progressListener = onProgress ?? (outer?.onProgress && notifyOuter(outer, outer.onProgress));
  return {
    signal: joinSignals(signal, outer?.signal),
    ...(body !== undefined && { body }),
    ...(toolChoice !== undefined && { toolChoice }),
    // Called in the async context of the caller: what it does there, such as passing a piece on, belongs to the caller's own
    // call.
    ...(onDelta && { onDelta: isInContext ? bindHere(onDelta) : guard(onDelta) }),
    ...(progressListener && { onProgress: bindHere(progressListener) }),
    ...(attemptListener && { onAttempt: attemptListener }),
  };
}

const guard =
  <Argument>(callback: (argument: Argument) => void) =>
  (argument: Argument): void =>
    void callSafely(callback, argument);

/**
 * Binds a callback to the current async context, and ignores its errors. `AsyncLocalStorage.bind` costs ten times as much
 * per piece.
 */
function bindHere<Argument>(callback: (argument: Argument) => void): (argument: Argument) => void {
  const scope = new AsyncResource('ProviderCall');
  return (argument) => void scope.runInAsyncScope(callSafely<[Argument]>, undefined, callback, argument);
}

const notifyOuter =
  ({ ledger }: CallContext, notify: (progress: CallProgress) => void) =>
  (progress: CallProgress): void =>
    notify({ ...progress, ledger: [...structuredClone(ledger), ...progress.ledger] });

/** A function that passes pieces of the reply to the caller of a call, until it ends. */
export function toDeltaSink(call: CallContext | undefined): (delta: ChatDelta) => void {
  const onDelta = call?.onDelta;
  if (!onDelta) return () => undefined;
  return (delta) => {
    // Several pieces may have arrived at once, and the caller may have aborted at the first of them.
    if (call.signal?.aborted || call.hasEnded) return;
    call.hasDelivered = true;
    onDelta(delta);
  };
}
