// Limits the work of schema checks: a hostile schema of n lines can ask for 2^n steps.

/** Maximum number of schemas that are entered; that takes some tenths of a second. */
const MAX_STEPS = 500_000;
/**
 * Maximum CPU time, in milliseconds. It also bounds work that is not counted as a step, such as backtracking of a pattern.
 */
const MAX_MS = 1_000;
const STEPS_PER_LOOK = 16;

/** CPU time of this process. Not elapsed time, because on a busy machine a small schema would then count as too large. */
function computedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Thrown when the schema or the value needs more work than the budget allows. */
export class TooLargeError extends Error {
  constructor() {
    super('too large to check');
    this.name = 'TooLargeError';
  }
}

/** The budget of one check, or of all checks of one reply together. */
export class CheckBudget {
  readonly #endMs = computedMs() + MAX_MS;
  #steps = 0;

  /** @throws TooLargeError */
  spend(): void {
    this.#steps += 1;
    const isLook = this.#steps % STEPS_PER_LOOK === 0;
    if (this.#steps > MAX_STEPS || (isLook && computedMs() > this.#endMs)) throw new TooLargeError();
  }
}

/** Counts the steps of a prepared schema, which is used for many checks, on the budget of the current one. */
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
