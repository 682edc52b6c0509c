// Time limits that hardly ever run out. Those of one length run out in the order in which they began, so that one timer
// serves all of them: a timer each would be felt in the cost of a call.

interface Deadline {
  /** By `performance.now()`. */
  readonly at: number;
  /** Absent once it was called or taken back. */
  callback: (() => void) | undefined;
}

/** As many that were taken back are left in a list: to take out each at once would be felt too. */
const MOST_LEFT = 32;

class Deadlines {
  readonly #delayMs: number;
  /**
   * In the order of their time. Not a Set: each time it makes room, the table that it had before keeps the new one alive for as
   * long as itself, and so whatever ended calls held until a full collection.
   */
  readonly #open: Deadline[] = [];
  readonly #onEmpty: () => void;
  #takenBack = 0;

  constructor(delayMs: number, onEmpty: () => void) {
    this.#delayMs = delayMs;
    this.#onEmpty = onEmpty;
    this.#wait(delayMs);
  }

  add(callback: () => void): () => void {
    const deadline: Deadline = { at: performance.now() + this.#delayMs, callback };
    this.#open.push(deadline);
    return () => this.#takeBack(deadline);
  }

  #takeBack(deadline: Deadline): void {
    if (!deadline.callback) return;
    deadline.callback = undefined;
    this.#takenBack += 1;
    if (this.#takenBack > MOST_LEFT && this.#takenBack * 2 > this.#open.length) this.#sweep();
  }

  #sweep(): void {
    let kept = 0;
    for (const deadline of this.#open) if (deadline.callback) this.#open[kept++] = deadline;
    this.#open.length = kept;
    this.#takenBack = 0;
  }

  /** What is limited keeps the process alive by itself; a timer that outlives it must not. */
  #wait(delayMs: number): void {
    setTimeout(() => this.#callBack(), delayMs).unref();
  }

  #callBack(): void {
    const now = performance.now();
    const later = this.#open.findIndex(({ at }) => at > now);
    const due = this.#open.splice(0, later < 0 ? this.#open.length : later);
    for (const deadline of due) {
      const { callback } = deadline;
      deadline.callback = undefined;
      callback?.();
    }
    this.#sweep();
    const [next] = this.#open;
    if (next) this.#wait(Math.ceil(next.at - now));
    else this.#onEmpty();
  }
}

/** By their length in milliseconds. */
const lists = new Map<number, Deadlines>();

/** Calls back once, after the time, in any context. @returns what takes it back */
export function startDeadline(delayMs: number, callback: () => void): () => void {
  let list = lists.get(delayMs);
  if (!list) {
    list = new Deadlines(delayMs, () => lists.delete(delayMs));
    lists.set(delayMs, list);
  }
  return list.add(callback);
}
