// Undoes and redoes changes of the playground: on the keys for it, and when the editor asks for it, from its palette or
// menu. A text box undoes what was typed in it, but not in a file, where the editor has all steps.
import type { Playground } from '../playground';
import { isLetter } from './text-keys';

type Direction = 'undo' | 'redo';

export class DocumentUndo {
  readonly #playground: () => Playground;
  /** The browser's own commands, if it still has them. */
  #ofBrowser: Document['execCommand'] | undefined;
  /** The text boxes in which something was typed. */
  readonly #typed = new WeakSet<EventTarget>();

  constructor(playground: () => Playground) {
    this.#playground = playground;
  }

  connect(): void {
    window.addEventListener('keydown', this.#pressed, { capture: true });
    window.addEventListener('input', this.#entered, { capture: true });
    if (typeof document.execCommand !== 'function') return;
    this.#ofBrowser = document.execCommand.bind(document);
    document.execCommand = this.#commanded;
  }

  disconnect(): void {
    window.removeEventListener('keydown', this.#pressed, { capture: true });
    window.removeEventListener('input', this.#entered, { capture: true });
    Reflect.deleteProperty(document, 'execCommand');
  }

  readonly #entered = (event: Event): void => {
    const target = event.composedPath()[0];
    if (target) this.#typed.add(target);
  };

  /**
   * Propagation is stopped because the editor also handles the keys: in a file, it would at once undo the step before
   * text that is not sent yet. It redoes in a file, which needs no text of the page.
   */
  readonly #pressed = (event: KeyboardEvent): void => {
    const direction = directionOf(event);
    if (!direction || event.isComposing) return;
    const isOurs = this.#isFile
      ? direction === 'undo'
      : this.#isScratch && !this.#isTypedText(event.composedPath()[0]);
    if (!isOurs) return;
    event.preventDefault();
    event.stopPropagation();
    void this.#playground().undo(direction);
  };

  /** The editor's commands Undo and Redo call this function of the page of a scratch. */
  readonly #commanded = (name: string, isShown?: boolean, value?: string): boolean => {
    const isUndo = name === 'undo' || name === 'redo';
    if (!isUndo || !this.#isScratch || this.#isTypedText(focusedElement()))
      return this.#ofBrowser?.(name, isShown, value) ?? false;
    void this.#playground().undo(name);
    return true;
  };

  #isTypedText(target: EventTarget | null | undefined): boolean {
    return isTextBox(target) && this.#typed.has(target);
  }

  get #isFile(): boolean {
    return this.#playground().state.session.document?.kind === 'file';
  }

  get #isScratch(): boolean {
    return this.#playground().state.session.document?.kind === 'scratch';
  }
}

/** Ctrl+Z undoes; Ctrl+Y and Ctrl+Shift+Z redo. */
function directionOf(event: KeyboardEvent): Direction | undefined {
  const { ctrlKey, metaKey, shiftKey, altKey } = event;
  if (!(ctrlKey || metaKey) || altKey) return undefined;
  if (isLetter(event, 'z')) return shiftKey ? 'redo' : 'undo';
  return isLetter(event, 'y') && !shiftKey ? 'redo' : undefined;
}

/** Whether the browser undoes typing in it. */
function isTextBox(target: EventTarget | null | undefined): target is HTMLElement {
  if (target instanceof HTMLTextAreaElement) return !target.readOnly;
  return target instanceof HTMLInputElement && !target.readOnly && !NO_TEXT.has(target.type);
}
const NO_TEXT = new Set(['button', 'checkbox', 'radio', 'range', 'submit']);

function focusedElement(): Element | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}
