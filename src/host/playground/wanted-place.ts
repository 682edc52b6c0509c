// What a view of its playground is to show next, such as a run that was chosen in the history. Independent of views.
import type { ShownPlace } from '../../protocol';

export class WantedPlace {
  #wanted: { sessionId: string; place: ShownPlace } | undefined;
  /** By session. */
  readonly #offered = new Map<string, ShownPlace>();
  readonly #listeners = new Set<() => void>();

  ask(sessionId: string, place: ShownPlace): void {
    this.#wanted = { sessionId, place };
    for (const listener of this.#listeners) listener();
  }

  /** @returns what is to be shown of this playground, once. */
  take(sessionId: string): ShownPlace | undefined {
    if (this.#wanted?.sessionId !== sessionId) return undefined;
    const { place } = this.#wanted;
    this.#wanted = undefined;
    return place;
  }

  /** For the next view that opens; one that is open already stays as it is. The last offer counts. */
  offer(sessionId: string, place: ShownPlace): void {
    this.#offered.set(sessionId, place);
  }

  /** @returns what was offered to a view of this playground that opens now, once. */
  takeOffered(sessionId: string): ShownPlace | undefined {
    const place = this.#offered.get(sessionId);
    this.#offered.delete(sessionId);
    return place;
  }

  /** @returns a function that ends the subscription. */
  onAsk(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
