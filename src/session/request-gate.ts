// Limits the number of concurrent requests to one origin. The others wait in a queue and are told how many are before them.
// One gate serves all sessions of a window. Independent of runs and lanes.

export interface GateQueue {
  limit: number;
  /** Number of requests that wait before this one. */
  ahead: number;
}

export interface GateOptions {
  signal: AbortSignal;
  /** Called while it waits, whenever its position changes. */
  onQueue: (queue: GateQueue) => void;
  /** Lets everything go first that is not in the background. @default false */
  isBackground?: boolean | undefined;
}

interface Waiting {
  isBackground: boolean;
  enter: () => void;
  onQueue: (queue: GateQueue) => void;
}

export class RequestGate {
  readonly #limitOf: (origin: string) => number;
  readonly #underWay = new Map<string, number>();
  readonly #waiting = new Map<string, Waiting[]>();

  /** @param limitOf Called each time, so that a changed setting takes effect at once. Values below 1 count as 1. */
  constructor(limitOf: (origin: string) => number) {
    this.#limitOf = limitOf;
  }

  /**
   * Runs `work` when its turn has come.
   * @throws the signal's reason when it aborts while waiting; what `work` throws
   */
  async run<T>(origin: string, work: () => Promise<T>, options: GateOptions): Promise<T> {
    await this.#enter(origin, options);
    try {
      return await work();
    } finally {
      this.#leave(origin);
    }
  }

  /** Number of concurrent requests to the origin, at least 1. */
  limitOf(origin: string): number {
    return Math.max(1, Math.floor(this.#limitOf(origin)) || 1);
  }

  /** To be called after the limit has changed. */
  refresh(): void {
    for (const origin of this.#waiting.keys()) this.#admit(origin);
  }

  async #enter(origin: string, { signal, onQueue, isBackground = false }: GateOptions): Promise<void> {
    signal.throwIfAborted();
    const line = this.#waiting.get(origin) ?? [];
    if (line.length === 0 && this.#count(origin) < this.limitOf(origin)) {
      this.#underWay.set(origin, this.#count(origin) + 1);
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const waiting: Waiting = {
        isBackground,
        onQueue,
        enter: () => {
          signal.removeEventListener('abort', leaveLine);
          resolve();
        },
      };
      const leaveLine = (): void => {
        this.#setLine(
          origin,
          (this.#waiting.get(origin) ?? []).filter((other) => other !== waiting),
        );
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leaveLine, { once: true });
      const first = isBackground ? -1 : line.findIndex((other) => other.isBackground);
      this.#setLine(origin, line.toSpliced(first < 0 ? line.length : first, 0, waiting));
    });
  }

  #leave(origin: string): void {
    const count = this.#count(origin) - 1;
    if (count > 0) this.#underWay.set(origin, count);
    else this.#underWay.delete(origin);
    this.#admit(origin);
  }

  #admit(origin: string): void {
    const line = [...(this.#waiting.get(origin) ?? [])];
    const before = line.length;
    while (line.length > 0 && this.#count(origin) < this.limitOf(origin)) {
      this.#underWay.set(origin, this.#count(origin) + 1);
      line.shift()?.enter();
    }
    if (line.length !== before) this.#setLine(origin, line);
  }

  #setLine(origin: string, line: Waiting[]): void {
    if (line.length > 0) this.#waiting.set(origin, line);
    else this.#waiting.delete(origin);
    const limit = this.limitOf(origin);
    for (const [ahead, { onQueue }] of line.entries()) onQueue({ limit, ahead });
  }

  #count(origin: string): number {
    return this.#underWay.get(origin) ?? 0;
  }
}
