// Where the keyboard goes when the element that had it is disabled or gone: not to the page's beginning. Knows no state.

export class FocusKeeper {
  readonly #root: HTMLElement;
  #held: Element | null = null;

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  /** To be called before anything is drawn anew. */
  willChange(): void {
    const { activeElement } = document;
    this.#held = this.#root.contains(activeElement) ? activeElement : null;
  }

  /** To be called when it is drawn. While a run is under way it can be stopped; after it, answered. */
  hasChanged(): void {
    const held = this.#held;
    if (!held || isUsable(held)) return;
    // the toolkit's own elements follow their attributes with the next frame
    requestAnimationFrame(() => requestAnimationFrame(() => this.#moveFrom(held)));
  }

  #moveFrom(held: Element): void {
    const { activeElement } = document;
    const isLost = activeElement === held || activeElement === document.body || activeElement === null;
    // another part of the editor may have the keyboard: it is not taken away from there
    if (!isLost || isUsable(held) || !document.hasFocus()) return;
    const stop = this.#root.querySelector<HTMLElement>('.stop vscode-button:not([disabled])');
    (stop ?? this.#root.querySelector<HTMLElement>('.composer vscode-text-area, .embed-result'))?.focus();
  }
}

const isUsable = (element: Element): boolean => element.isConnected && !element.hasAttribute('disabled');
