// Tracks which models a server of the local protocol has in memory, and until when. Independent of the wire format.
import type { Scenario } from '../model/scenario';

export interface LoadedModel {
  scenario: Scenario;
  /** In tokens; undefined when the request that loaded the model did not set it. */
  contextLength: number | undefined;
  expiresAt: Date;
}

/** Contains each model at most once, so the number of models bounds its size. */
export class LoadedModels {
  readonly #models = new Map<string, LoadedModel>();

  /** Keeps the model loaded for `keepAliveMs` from now on; 0 unloads it. */
  keep(scenario: Scenario, keepAliveMs: number, now: Date, contextLength?: number): void {
    const expiresAt = new Date(now.getTime() + keepAliveMs);
    if (keepAliveMs === 0) this.#models.delete(scenario.name);
    else this.#models.set(scenario.name, { scenario, contextLength, expiresAt });
  }

  /** The models that are still loaded, starting with the one that expires last. */
  list(now: Date): LoadedModel[] {
    return [...this.#models.values()]
      .filter(({ expiresAt }) => expiresAt > now)
      .toSorted((left, right) => right.expiresAt.getTime() - left.expiresAt.getTime());
  }
}
