// Does work of which no stream has to wait, in the order in which it was given: in short turns, after what has arrived was passed on.

/** In milliseconds. A piece that arrives during a turn waits for no longer, unless one work alone takes longer. */
const MAX_TURN_MS = 1;
/** So many wait at most: under more load than the process can bear, streams do wait. */
const MAX_WAITING = 256;

export class AfterStreams<Item> {
  readonly #work: (item: Item) => void;
  readonly #waiting: Item[] = [];
  #isPlanned = false;

  /** @param work Must not throw. */
  constructor(work: (item: Item) => void) {
    this.#work = work;
  }

  add(item: Item): void {
    this.#waiting.push(item);
    if (this.#waiting.length > MAX_WAITING) this.#doNext();
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => this.#takeTurn());
  }

  /** Does at once what still waits. */
  finish(): void {
    while (this.#waiting.length > 0) this.#doNext();
  }

  #takeTurn(): void {
    const start = performance.now();
    do this.#doNext();
    while (this.#waiting.length > 0 && performance.now() - start < MAX_TURN_MS);
    this.#isPlanned = this.#waiting.length > 0;
    if (this.#isPlanned) setImmediate(() => this.#takeTurn());
  }

  #doNext(): void {
    const next = this.#waiting.shift();
    if (next !== undefined) this.#work(next);
  }
}
