// One piece of work at a time that can be stopped, with a clock that ticks while it goes on. Knows no host and no state.

const TICK_MS = 250;

export class Stoppable {
  readonly #onTick: () => void;
  #running: AbortController | undefined;

  constructor(onTick: () => void) {
    this.#onTick = onTick;
  }

  stop(): void {
    this.#running?.abort();
  }

  async run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    this.#running = controller;
    const ticker = setInterval(this.#onTick, TICK_MS);
    try {
      await work(controller.signal);
    } finally {
      clearInterval(ticker);
      if (this.#running === controller) this.#running = undefined;
    }
  }
}
