// Sends what is typed in the fields to the document. A text is kept as typed until its field loses the focus,
// because the value that comes back from the document would change it under the cursor. A text that does not parse
// stays, with its problem. Does not touch the DOM.
import { documentText, fieldEdit, parseField } from '../lanes/lane-fields';
import type { Playground } from '../playground';
import { withPair } from '../view-state';

const QUIET_MS = 250;

export class FieldTexts {
  readonly #playground: Playground;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #focused = new Set<string>();
  readonly #inFlight = new Map<string, number>();
  readonly #work = new Set<Promise<void>>();
  #hasDocument = false;

  constructor(playground: Playground) {
    this.#playground = playground;
  }

  type(key: string, text: string): void {
    this.#focused.add(key);
    const over = documentText(this.#playground.state, key);
    this.#playground.changeView((view) => ({
      ...view,
      fields: withPair(view.fields, key, text),
      typedOver: withPair(view.typedOver, key, over),
    }));
    clearTimeout(this.#timers.get(key));
    this.#timers.set(
      key,
      setTimeout(() => this.#send(key), QUIET_MS),
    );
  }

  /** Sends a choice from a list at once: unlike typed text, it is complete. */
  choose(key: string, text: string): void {
    this.type(key, text);
    this.#send(key);
    this.#focused.delete(key);
  }

  leave(key: string): void {
    this.#focused.delete(key);
    if (this.#timers.has(key)) this.#send(key);
  }

  /** Resolves when everything typed so far is in the document or was refused. */
  async flush(): Promise<void> {
    for (const key of this.#timers.keys()) this.#send(key);
    await Promise.all(this.#work);
  }

  /**
   * Finds what blocks a run or an embedding, after everything typed was sent. Waits until that is in the document only
   * if something blocks, which it may remove: the host takes requests in their order, and a panel that is hidden while it
   * waits would send nothing.
   */
  async whatBlocks(find: () => string | undefined): Promise<string | undefined> {
    const typed = this.flush();
    if (find() === undefined) return undefined;
    await typed;
    return find();
  }

  release(): void {
    this.#focused.clear();
  }

  /** Replaces typed texts by the values of the changed document, except texts that are not in it yet or do not parse. */
  documentChanged(): void {
    const { fields, typedOver } = this.#playground.state.view;
    if (!this.#hasDocument) for (const key of fields.keys()) if (this.#isLate(key)) this.#send(key);
    this.#hasDocument = true;
    const kept = new Map([...fields].filter(([key, text]) => this.#isNeeded(key, text)));
    if (kept.size === fields.size) return;
    const isOver = ([key]: [string, string]): boolean => kept.has(key) || !fields.has(key);
    this.#playground.setView({ fields: kept, typedOver: new Map([...typedOver].filter(isOver)) });
  }

  /** True when the text was typed before the panel was hidden and never reached the document. */
  #isLate(key: string): boolean {
    const { state } = this.#playground;
    return state.view.typedOver.get(key) === documentText(state, key);
  }

  #isNeeded(key: string, text: string): boolean {
    if (this.#focused.has(key) || this.#timers.has(key) || this.#inFlight.has(key)) return true;
    return parseField(key, text).problem !== undefined;
  }

  #send(key: string): void {
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    const { state } = this.#playground;
    const parsed = parseField(key, state.view.fields.get(key) ?? '');
    if (parsed.problem !== undefined) return;
    const edit = fieldEdit(state, key, parsed.value);
    if (!edit) return;
    const work = this.#track(key, this.#playground.edit([edit], key));
    this.#work.add(work);
    void work.finally(() => this.#work.delete(work));
  }

  async #track(key: string, work: Promise<unknown>): Promise<void> {
    this.#inFlight.set(key, (this.#inFlight.get(key) ?? 0) + 1);
    await work;
    const left = (this.#inFlight.get(key) ?? 1) - 1;
    if (left > 0) this.#inFlight.set(key, left);
    else this.#inFlight.delete(key);
  }
}
