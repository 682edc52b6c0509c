// The run that a view of its playground is to show next, such as one that was chosen in the history. Independent of views.

export class WantedRun {
  #wanted: { sessionId: string; runId: string } | undefined;
  readonly #listeners = new Set<() => void>();

  ask(sessionId: string, runId: string): void {
    this.#wanted = { sessionId, runId };
    for (const listener of this.#listeners) listener();
  }

  /** @returns the wanted run of this playground, once. */
  take(sessionId: string): string | undefined {
    if (this.#wanted?.sessionId !== sessionId) return undefined;
    const { runId } = this.#wanted;
    this.#wanted = undefined;
    return runId;
  }

  /** @returns a function that ends the subscription. */
  onAsk(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
