// Loads a value at its first use and keeps it. Independent of vscode.

export class Lazy<Value> {
  readonly #load: () => Promise<Value>;
  #loading: Promise<Value> | undefined;

  constructor(load: () => Promise<Value>) {
    this.#load = load;
  }

  /** Whether it is loaded or being loaded. */
  get isRequested(): boolean {
    return this.#loading !== undefined;
  }

  /** Loads at the first call. A failure is not kept: the next call loads again. @throws what the load throws */
  get(): Promise<Value> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  /** For clean-up, which must not load it. @returns undefined when it was never asked for or its load failed. Never rejects. */
  async loaded(): Promise<Value | undefined> {
    return this.#loading?.catch(() => undefined);
  }
}
