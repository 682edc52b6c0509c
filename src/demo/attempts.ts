// Counts how often the same request body came since its last success. State of one server; it knows no protocol.
import { createHash } from 'node:crypto';

/** One request under way. `end` is called exactly once, when its answer is sent or its caller is gone. */
export interface AttemptTicket {
  /** 1-based. */
  attempt: number;
  end: (isSuccess: boolean) => void;
}

interface Caller {
  attempts: number;
  isBusy: boolean;
  lastSeenMs: number;
}

const MAX_BODIES = 200;
/** A caller that has not come back for this long has given up: the next one starts at 1. */
const FORGET_AFTER_MS = 60_000;

/**
 * Requests with one body that overlap in time come from different callers (two lanes side by side, a run of repeats),
 * so each caller keeps a count of its own; otherwise one caller's success would restart the other's refusals.
 */
export class Attempts {
  readonly #callers = new Map<string, Caller[]>();
  readonly #now: () => number;

  /** `now`: a clock in milliseconds. */
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

  /** The callers of a body that still count; moves the body to the young end of the map. */
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
