// Records what a person does: every click and key press, in all frames of a page.
import type { Disposable, Page } from 'playwright-core';

export class InputCounter {
  /** `click` or `key Enter`, in their order. */
  readonly taken: string[] = [];
  readonly #watching: Disposable[] = [];

  /** Must be called before the page loads its first document. */
  async watch(blank: Page): Promise<void> {
    const note = (_source: unknown, input: string): void => void this.taken.push(input);
    this.#watching.push(await blank.exposeBinding('noteInput', note));
    const script = await blank.addInitScript(`
      const watch = () => {
        addEventListener('pointerdown', (event) => event.isTrusted && noteInput('click'), true);
        addEventListener('keydown', (event) => event.isTrusted && noteInput('key ' + event.key), true);
      };
      watch();
      // VS Code writes a webview's document with document.open(), which removes all listeners.
      const { open } = Document.prototype;
      Document.prototype.open = function (...given) {
        const result = open.apply(this, given);
        watch();
        return result;
      };
    `);
    this.#watching.push(script);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#watching.map((each) => each.dispose()));
  }
}
