// Callbacks that are called together until they are removed.

export class Listeners {
  readonly #listeners = new Set<() => void>();

  /** @returns a function that removes it */
  readonly add = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  call(): void {
    for (const listener of this.#listeners) listener();
  }

  clear(): void {
    this.#listeners.clear();
  }
}
