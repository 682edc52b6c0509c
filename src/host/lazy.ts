// Loads a value on first use and keeps it. Independent of vscode.

export class Lazy<Value> {
  readonly #load: () => Promise<Value>;
  #loading: Promise<Value> | undefined;

  constructor(load: () => Promise<Value>) {
    this.#load = load;
  }

  /** Whether the value has been loaded or is being loaded. */
  get isRequested(): boolean {
    return this.#loading !== undefined;
  }

  /**
   * Loads the value on the first call. A failure is not cached: the next call loads again. @throws what the loader
   * throws.
   */
  get(): Promise<Value> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  /**
   * The value for clean-up, which must not load it. @returns undefined when it was never requested or could not be
   * loaded. Never rejects.
   */
  async loaded(): Promise<Value | undefined> {
    return this.#loading?.catch(() => undefined);
  }
}
