// The runs of one kind that a panel may come back to: each is begun once, followed by whoever asks, and stopped by any
// of them. Knows neither what a run does nor vscode.

/** Outcomes that are kept for a panel that was hidden when they came. */
const MAX_KEPT = 8;

export interface BegunRun<Outcome> {
  /** Never rejects. */
  outcome: Promise<Outcome>;
  /** Says again what a panel that was hidden did not hear. */
  sendAgain: () => void;
}

interface Run<Outcome> extends BegunRun<Outcome> {
  controller: AbortController;
  isFinished: boolean;
}

export class RunRegistry<Outcome> {
  readonly #runs = new Map<string, Run<Outcome>>();

  /**
   * A run that is known already is followed, not begun a second time.
   * @param signal Stops the run; the outcome then says so.
   */
  start(
    runId: string,
    begin: (signal: AbortSignal) => BegunRun<Outcome>,
    signal: AbortSignal,
  ): Promise<Outcome> {
    return follow(this.#runs.get(runId) ?? this.#begin(runId, begin), signal);
  }

  /** The same run for a panel that came back; undefined when it is not known here. */
  attach(runId: string, signal: AbortSignal): Promise<Outcome> | undefined {
    const run = this.#runs.get(runId);
    run?.sendAgain();
    return run && follow(run, signal);
  }

  dispose(): void {
    for (const { controller } of this.#runs.values()) controller.abort();
    this.#runs.clear();
  }

  #begin(runId: string, begin: (signal: AbortSignal) => BegunRun<Outcome>): Run<Outcome> {
    const controller = new AbortController();
    const run = { ...begin(controller.signal), controller, isFinished: false };
    void run.outcome.then(() => (run.isFinished = true));
    this.#runs.set(runId, run);
    const finished = [...this.#runs].filter(([, { isFinished }]) => isFinished);
    for (const [id] of finished.slice(0, -MAX_KEPT)) this.#runs.delete(id);
    return run;
  }
}

function follow<Outcome>({ controller, outcome }: Run<Outcome>, signal: AbortSignal): Promise<Outcome> {
  const stop = (): void => controller.abort();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  return outcome.finally(() => signal.removeEventListener('abort', stop));
}
