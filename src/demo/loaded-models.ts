// Which models a server of the local protocol holds in memory, and until when. It knows no wire.
import type { Scenario } from './scenario';

export interface LoadedModel {
  scenario: Scenario;
  /** Tokens, when the request that loaded it said how many. */
  contextLength: number | undefined;
  expiresAt: Date;
}

/** A model is in it once at most, so it never holds more than there are. */
export class LoadedModels {
  readonly #models = new Map<string, LoadedModel>();

  /** Holds the model for `keepAliveMs` from now on; 0 drops it. */
  keep(scenario: Scenario, keepAliveMs: number, now: Date, contextLength?: number): void {
    const expiresAt = new Date(now.getTime() + keepAliveMs);
    if (keepAliveMs === 0) this.#models.delete(scenario.name);
    else this.#models.set(scenario.name, { scenario, contextLength, expiresAt });
  }

  /** The one that stays longest first. */
  list(now: Date): LoadedModel[] {
    return [...this.#models.values()]
      .filter(({ expiresAt }) => expiresAt > now)
      .toSorted((left, right) => right.expiresAt.getTime() - left.expiresAt.getTime());
  }
}
