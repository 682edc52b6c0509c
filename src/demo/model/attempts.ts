// Counts how often the same request body was received since its last success. The state of one server; independent of
// protocols.
import { createHash } from 'node:crypto';

/** One request in progress. `end` is called exactly once, when the response is sent or the caller has disconnected. */
export interface AttemptTicket {
  /** Starts at 1. */
  attempt: number;
  end: (isSuccess: boolean) => void;
}

interface Caller {
  attempts: number;
  isBusy: boolean;
  lastSeenMs: number;
}

const MAX_BODIES = 200;
/** In milliseconds. A caller that has not sent the body again for this long has given up; the count starts at 1 again. */
const FORGET_AFTER_MS = 60_000;

/**
 * Counts attempts per body and caller. Requests with the same body that overlap in time come from different callers (two
 * lanes side by side, a run of repeats). Each caller has its own count; otherwise one caller's success would reset that of
 * the other.
 */
export class Attempts {
  readonly #callers = new Map<string, Caller[]>();
  readonly #now: () => number;

  /** @param now Returns milliseconds from any start; must never go back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  begin(scope: string, body: string): AttemptTicket {
    const key = createHash('sha256').update(`${scope}\n${body}`).digest('base64');
    const callers = this.#refresh(key);
    const caller = callers
      .filter((candidate) => !candidate.isBusy)
      .toSorted((left, right) => left.attempts - right.attempts)[0] ?? {
      attempts: 0,
      isBusy: true,
      lastSeenMs: 0,
    };
    if (caller.attempts === 0) callers.push(caller);
    caller.attempts += 1;
    caller.isBusy = true;
    return { attempt: caller.attempts, end: (isSuccess) => this.#end(key, caller, isSuccess) };
  }

  /**
   * Returns the callers of a body without the expired ones, and moves the body to the end of the map, which drops the
   * oldest.
   */
  #refresh(key: string): Caller[] {
    const oldestMs = this.#now() - FORGET_AFTER_MS;
    const callers = (this.#callers.get(key) ?? []).filter(
      (caller) => caller.isBusy || caller.lastSeenMs >= oldestMs,
    );
    this.#callers.delete(key);
    this.#callers.set(key, callers);
    const [oldestKey] = this.#callers.keys();
    if (this.#callers.size > MAX_BODIES && oldestKey !== undefined) this.#callers.delete(oldestKey);
    return callers;
  }

  #end(key: string, caller: Caller, isSuccess: boolean): void {
    caller.isBusy = false;
    caller.lastSeenMs = this.#now();
    if (!isSuccess) return;
    const callers = this.#callers.get(key)?.filter((candidate) => candidate !== caller) ?? [];
    if (callers.length === 0) this.#callers.delete(key);
    else this.#callers.set(key, callers);
  }
}
