// One signal for a whole run. Knows no agent.
import { setMaxListeners } from 'node:events';

export interface RunSignal {
  readonly signal: AbortSignal;
  /** Ends what is still under way, such as the other tools of a step that failed. */
  abort: () => void;
  /** Lets go of the caller's signal, which may outlive the run by far. */
  release: () => void;
}

/** Aborts with the caller's signal, and when the run itself says so. */
export function createRunSignal(caller: AbortSignal | undefined): RunSignal {
  const controller = new AbortController();
  // each tool of a step may listen: more than ten are no leak
  setMaxListeners(0, controller.signal);
  const forward = (): void => controller.abort(caller?.reason);
  if (caller?.aborted) forward();
  caller?.addEventListener('abort', forward, { once: true });
  return {
    signal: controller.signal,
    abort: () => controller.abort(),
    release: () => caller?.removeEventListener('abort', forward),
  };
}
