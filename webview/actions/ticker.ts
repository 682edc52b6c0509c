// Interval timer that runs only while something is under way. Independent of what that is.

const TICK_MS = 250;

export class Ticker {
  readonly #onTick: () => void;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(onTick: () => void) {
    this.#onTick = onTick;
  }

  setRunning(isRunning: boolean): void {
    if (isRunning === (this.#timer !== undefined)) return;
    clearInterval(this.#timer);
    this.#timer = isRunning ? setInterval(this.#onTick, TICK_MS) : undefined;
  }
}
