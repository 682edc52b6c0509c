// Timeouts that are rarely reached. Timeouts of equal length expire in the order in which they were started, so one timer
// serves all of them; a timer for each would noticeably slow down calls.

/** A timeout that was started. Like what is told of it no function, which would take more memory for each call under way. */
export interface Limit {
  cancel: () => void;
}

export interface Limited {
  onLimit: () => void;
}

class Deadline implements Limit {
  /** Expiry time on the clock of `performance.now()`. */
  readonly at: number;
  /** Undefined once it has been told or the deadline was cancelled. */
  limited: Limited | undefined;
  readonly #list: Deadlines;

  constructor(at: number, limited: Limited, list: Deadlines) {
    this.at = at;
    this.limited = limited;
    this.#list = list;
  }

  cancel(): void {
    if (!this.limited) return;
    this.limited = undefined;
    this.#list.countCancelled();
  }
}

/** Number of cancelled deadlines that may stay in a list, because removing each of them at once would be slow. */
const MAX_LEFT = 32;

class Deadlines {
  readonly #delayMs: number;
  /**
   * In the order of expiry. Not a Set: when a Set grows, its old table keeps the new one alive as long as itself, and with
   * it everything that finished calls refer to, until a full garbage collection.
   */
  readonly #open: Deadline[] = [];
  readonly #onEmpty: () => void;
  #takenBack = 0;

  constructor(delayMs: number, onEmpty: () => void) {
    this.#delayMs = delayMs;
    this.#onEmpty = onEmpty;
    this.#wait(delayMs);
  }

  add(limited: Limited): Limit {
    const deadline = new Deadline(performance.now() + this.#delayMs, limited, this);
    this.#open.push(deadline);
    return deadline;
  }

  countCancelled(): void {
    this.#takenBack += 1;
    if (this.#takenBack > MAX_LEFT && this.#takenBack * 2 > this.#open.length) this.#sweep();
  }

  #sweep(): void {
    let kept = 0;
    for (const deadline of this.#open) if (deadline.limited) this.#open[kept++] = deadline;
    this.#open.length = kept;
    this.#takenBack = 0;
  }

  /** The timer does not keep the process alive; the work that it limits does so itself. */
  #wait(delayMs: number): void {
    setTimeout(() => this.#callBack(), delayMs).unref();
  }

  #callBack(): void {
    const now = performance.now();
    const later = this.#open.findIndex(({ at }) => at > now);
    const due = this.#open.splice(0, later < 0 ? this.#open.length : later);
    for (const deadline of due) {
      const { limited } = deadline;
      deadline.limited = undefined;
      limited?.onLimit();
    }
    this.#sweep();
    const [next] = this.#open;
    if (next) this.#wait(Math.ceil(next.at - now));
    else this.#onEmpty();
  }
}

/** Lists by their length in milliseconds. */
const lists = new Map<number, Deadlines>();

/** Calls `onLimit` once, after the delay, in an undefined async context. */
export function startDeadline(delayMs: number, limited: Limited): Limit {
  let list = lists.get(delayMs);
  if (!list) {
    list = new Deadlines(delayMs, () => lists.delete(delayMs));
    lists.set(delayMs, list);
  }
  return list.add(limited);
}
