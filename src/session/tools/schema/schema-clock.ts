// Ends a check that takes too long. A hostile schema can ask for 2^n steps with n lines, and only time bounds them all.

const MOST_MS = 1_000;
const STEPS_PER_LOOK = 16;

/** The schema or the value asks for more than can be done at once. */
export class TooLargeError extends Error {
  constructor() {
    super('too large to check');
    this.name = 'TooLargeError';
  }
}

export class SchemaClock {
  #endMs = performance.now() + MOST_MS;
  #steps = 0;

  /** For another check with the same schema. */
  restart(): void {
    this.#endMs = performance.now() + MOST_MS;
  }

  /** @throws TooLargeError */
  readonly tick = (): void => {
    this.#steps += 1;
    if (this.#steps % STEPS_PER_LOOK === 0 && performance.now() > this.#endMs) throw new TooLargeError();
  };
}
