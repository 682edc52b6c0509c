// Ends checks that ask for too much. A hostile schema can ask for 2^n steps with n lines.

/** Schemas that are entered; some tenths of a second. */
const MOST_STEPS = 500_000;
/** Of computing, for what is not seen as a step, such as the backtracking of a pattern. */
const MOST_MS = 1_000;
const STEPS_PER_LOOK = 16;

/** What this process has computed: a busy machine must not make a small schema too large, and a check waits for nothing. */
function computedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The schema or the value asks for more than can be done at once. */
export class TooLargeError extends Error {
  constructor() {
    super('too large to check');
    this.name = 'TooLargeError';
  }
}

/** What a check may take, or all checks of one reply together. */
export class CheckBudget {
  readonly #endMs = computedMs() + MOST_MS;
  #steps = 0;

  /** @throws TooLargeError */
  spend(): void {
    this.#steps += 1;
    const isLook = this.#steps % STEPS_PER_LOOK === 0;
    if (this.#steps > MOST_STEPS || (isLook && computedMs() > this.#endMs)) throw new TooLargeError();
  }
}

/** Of one prepared schema, which is used for many checks: counts the steps of the check at hand. */
export class StepCounter {
  #budget: CheckBudget;

  constructor(budget: CheckBudget) {
    this.#budget = budget;
  }

  begin(budget: CheckBudget): void {
    this.#budget = budget;
  }

  /** @throws TooLargeError */
  readonly tick = (): void => this.#budget.spend();
}
