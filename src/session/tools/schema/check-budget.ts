// Limits the work of schema checks: a hostile schema of n lines can ask for 2^n steps. Checks run in the thread of the host
// and hold up everything else there, so all of one reply together take no longer than a tenth of a second. A worker could
// take longer, but not faster, and every check would have to wait for a copy of the arguments and of the schema.

/** Maximum number of schemas that are entered. The arguments of a whole reply have at most a fifth as many values. */
const MAX_STEPS = 100_000;
/**
 * A check that lasts so long, in milliseconds, may use as much CPU time of all threads again. That bounds work which is not
 * counted as a step, such as backtracking of a pattern, and is more than the steps take on a slow machine.
 */
const MAX_MS = 250;

/** CPU time of this process. Not elapsed time alone, because on a busy machine a small schema would then count as too large. */
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
  /** Before this time, no CPU time has to be asked for, which takes longer than most checks. */
  readonly #askAt = performance.now() + MAX_MS;
  #endMs: number | undefined;
  #steps = 0;

  /** @throws TooLargeError */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > MAX_STEPS) throw new TooLargeError();
    if (performance.now() <= this.#askAt) return;
    const nowMs = computedMs();
    this.#endMs ??= nowMs + MAX_MS;
    if (nowMs > this.#endMs) throw new TooLargeError();
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
  tick(steps = 1): void {
    this.#budget.spend(steps);
  }
}
