// Creates the abort signal of a run. Independent of agents.
import { setMaxListeners } from 'node:events';
import { onAbort } from '../util/abort';

export interface RunSignal {
  readonly signal: AbortSignal;
  /** Aborts what is still in progress, such as the other tools of a step that failed. */
  abort: () => void;
  /** Removes the listener from the caller's signal, which may live much longer than the run. */
  release: () => void;
}

/** A signal that aborts with the caller's signal, and when the run itself calls `abort`. */
export function createRunSignal(caller: AbortSignal | undefined): RunSignal {
  const controller = new AbortController();
  // Each tool of a step may add a listener, so more than the default limit of ten are no leak.
  setMaxListeners(0, controller.signal);
  const forward = (): void => controller.abort(caller?.reason);
  if (caller?.aborted) forward();
  return {
    signal: controller.signal,
    abort: () => controller.abort(),
    release: onAbort(caller, forward),
  };
}
