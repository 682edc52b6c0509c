// Requests the stored outcomes of turns that are near the viewport. Depends on elements, not on what they show.
import type { Turn } from './turn';

const NEAR_PX = 600;

export class StoredTurns {
  readonly #need: (entryIds: string[]) => void;
  readonly #watched = new Set<Element>();
  #observer: IntersectionObserver | undefined;

  constructor(need: (entryIds: string[]) => void) {
    this.#need = need;
  }

  /** Must be called after turns were drawn. */
  watch(turns: Iterable<HTMLElement>): void {
    const stored = [...(turns as Iterable<Turn>)].filter(
      ({ entry }) => entry.kind === 'run' && entry.isStored === true,
    );
    for (const turn of this.#watched) {
      if (!stored.includes(turn as Turn)) this.#forget(turn);
    }
    if (typeof IntersectionObserver === 'undefined') {
      if (stored.length > 0) this.#need(stored.map(({ entry }) => entry.id));
      return;
    }
    for (const turn of stored) {
      if (this.#watched.has(turn)) continue;
      this.#watched.add(turn);
      this.#observer ??= new IntersectionObserver(this.#seen, { rootMargin: `${NEAR_PX}px` });
      this.#observer.observe(turn);
    }
  }

  disconnect(): void {
    this.#observer?.disconnect();
    this.#observer = undefined;
    this.#watched.clear();
  }

  #forget(turn: Element): void {
    this.#watched.delete(turn);
    this.#observer?.unobserve(turn);
  }

  readonly #seen = (changes: IntersectionObserverEntry[]): void => {
    const near = changes.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => target as Turn);
    for (const turn of near) this.#forget(turn);
    if (near.length > 0) this.#need(near.map(({ entry }) => entry.id));
  };
}
