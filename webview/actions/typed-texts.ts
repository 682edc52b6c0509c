// Keeps what is typed in the fields until the document has it, and sends it there: after a pause, when the field loses
// the focus, and before a run. A text that does not parse stays, with its problem. Does not touch the DOM.
import { MESSAGE_KEY, typedKeys, typedText, withPair, withTypedText } from '../state/view-state';
import { boxText, parseTyped, storedText, typedEdits } from './typed-fields';
import type { PanelPort } from './panel-port';

const QUIET_MS = 250;
/** Texts of one field whose way through the document is followed. */
const MAX_EXPECTED = 20;

/** What happens to the text of a field. */
interface Typing {
  /** What the document may show before it has the latest text: the text it had, and those that were sent. */
  expected: readonly (string | undefined)[];
  /** The latest text was not sent. */
  isUnsent: boolean;
  /** It was sent, but the host may still wait for what is typed next. */
  isGathered: boolean;
  /** Number of requests under way. */
  inFlight: number;
}

export class TypedTexts {
  readonly #playground: PanelPort;
  readonly #typings = new Map<string, Typing>();
  readonly #work = new Set<Promise<unknown>>();
  /** The field that is being typed in. */
  #focused: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasDocument = false;

  constructor(playground: PanelPort) {
    this.#playground = playground;
  }

  type(key: string, text: string): void {
    if (this.#focused !== key) this.#sendAll();
    this.#focused = key;
    const over = storedText(this.#playground.state, key);
    this.#expect(key, over).isUnsent = true;
    this.#show(key, text, over);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#sendWhileTyped(), QUIET_MS);
  }

  /** Sends a choice from a list at once: unlike typed text, it is complete. */
  choose(key: string, text: string): void {
    this.type(key, text);
    this.leave(key);
  }

  leave(key: string): void {
    if (this.#focused === key) this.#focused = undefined;
    this.#sendLast(key);
    this.#dropStored(key);
  }

  /** Resolves when everything typed so far is in the document or was refused. */
  async flush(): Promise<void> {
    this.#sendAll();
    await Promise.all(this.#work);
  }

  /**
   * Finds what blocks a run or an embedding, after everything typed was sent but the message, which goes with the run. Waits until that is in the document only
   * if something blocks, which it may remove: the host takes requests in their order, and a panel that is hidden while it
   * waits would send nothing.
   */
  async whatBlocks(find: () => string | undefined): Promise<string | undefined> {
    for (const key of this.#typings.keys()) if (key !== MESSAGE_KEY) this.#sendLast(key);
    const typed = Promise.all(this.#work);
    if (find() === undefined) return undefined;
    await typed;
    return find();
  }

  /** Empties the message box for work that takes its text, and puts the text back if the work was refused. */
  async takeMessage(work: (text: string) => Promise<boolean>): Promise<void> {
    const text = boxText(this.#playground.state);
    const typing = this.#expect(MESSAGE_KEY, storedText(this.#playground.state, MESSAGE_KEY), text);
    typing.isUnsent = false;
    if (text !== '') {
      this.#show(MESSAGE_KEY, '', undefined);
      this.#playground.save();
    }
    const isDone = await this.#track(typing, work(text));
    const isStillEmpty = this.#playground.state.view.draft === '';
    if (!isDone && text !== '' && isStillEmpty) this.type(MESSAGE_KEY, text);
  }

  /** Shows the document from now on, even in a field that has the focus; texts that it does not have yet stay. */
  release(): void {
    this.#focused = undefined;
    this.#drop((key, text) => !this.#isPending(key) && this.#problemOf(key, text) === undefined);
  }

  /** Replaces texts by what the changed document has, except those that are not in it yet or do not parse. */
  documentChanged(): void {
    if (!this.#hasDocument) this.#resume();
    this.#hasDocument = true;
    this.#drop((key, text) => this.#isReplaced(key, text));
  }

  /** Sends what was typed before the panel was hidden, unless the document was changed there since. */
  #resume(): void {
    const { state } = this.#playground;
    for (const key of typedKeys(state.view)) {
      const stored = storedText(state, key);
      if (this.#typings.has(key) || state.view.typedOver.get(key) !== stored) continue;
      this.#expect(key, stored).isUnsent = true;
      this.#sendLast(key);
    }
  }

  #isReplaced(key: string, text: string): boolean {
    const stored = storedText(this.#playground.state, key);
    if (stored === undefined) return true;
    if (this.#isPending(key)) return false;
    if (this.#isStored(key, text, stored)) return true;
    if (key === this.#focused || this.#problemOf(key, text) !== undefined) return false;
    return !this.#typings.get(key)?.expected.includes(stored);
  }

  #isPending(key: string): boolean {
    const typing = this.#typings.get(key);
    return typing !== undefined && (typing.isUnsent || typing.inFlight > 0);
  }

  #problemOf(key: string, text: string): string | undefined {
    return parseTyped(this.#playground.state, key, text).problem;
  }

  #sendWhileTyped(): void {
    for (const [key, { isUnsent }] of this.#typings) if (isUnsent) this.#send(key, false);
  }

  #sendAll(): void {
    clearTimeout(this.#timer);
    for (const key of this.#typings.keys()) this.#sendLast(key);
  }

  /** Sends what is typed so that the host waits no longer, and reports a refusal. */
  #sendLast(key: string): void {
    const typing = this.#typings.get(key);
    if (typing?.isUnsent || typing?.isGathered) this.#send(key, true);
  }

  #send(key: string, isLast: boolean): void {
    const { state } = this.#playground;
    const text = typedText(state.view, key);
    if (text === undefined) return;
    const typing = this.#expect(key, text);
    typing.isUnsent = false;
    if (this.#problemOf(key, text) !== undefined) return;
    if (key === MESSAGE_KEY)
      return void this.#track(typing, this.#playground.send('message/draft', { text }));
    const edits = typedEdits(state, key, text);
    if (edits.length === 0) return;
    typing.isGathered = !isLast;
    void this.#settle(key, typing, this.#playground.edit(edits, { gather: key, isLast }));
  }

  async #settle(key: string, typing: Typing, edit: Promise<boolean>): Promise<void> {
    // What was refused gives way to the document with its next change.
    if (!(await this.#track(typing, edit))) typing.expected = [];
    this.#dropStored(key);
  }

  async #track(typing: Typing, work: Promise<boolean>): Promise<boolean> {
    typing.inFlight++;
    this.#work.add(work);
    try {
      return await work;
    } finally {
      this.#work.delete(work);
      typing.inFlight--;
    }
  }

  /** Notes texts that the document may show until it has the latest one. */
  #expect(key: string, ...texts: readonly (string | undefined)[]): Typing {
    const known = this.#typings.get(key);
    const typing = known ?? { expected: [], isUnsent: false, isGathered: false, inFlight: 0 };
    typing.expected = [...new Set([...typing.expected, ...texts])].slice(-MAX_EXPECTED);
    if (!known) this.#typings.set(key, typing);
    return typing;
  }

  /** Drops the text of a field if the document has it. */
  #dropStored(only: string): void {
    this.#drop((key, text) => {
      const stored = storedText(this.#playground.state, key);
      return key === only && !this.#isPending(key) && this.#isStored(key, text, stored);
    });
  }

  /** Another notation of the same value is not forced upon a field that is being typed in. */
  #isStored(key: string, text: string, stored: string | undefined): boolean {
    if (stored === undefined || stored === text) return true;
    const [typed, known] = [text, stored].map((each) => parseTyped(this.#playground.state, key, each));
    const isSame =
      typed?.problem === undefined && JSON.stringify(typed?.value) === JSON.stringify(known?.value);
    return isSame && key !== this.#focused;
  }

  #drop(isOver: (key: string, text: string) => boolean): void {
    const over = typedKeys(this.#playground.state.view).filter((key) =>
      isOver(key, typedText(this.#playground.state.view, key) ?? ''),
    );
    for (const key of over) {
      this.#typings.delete(key);
      this.#show(key, undefined, undefined);
    }
  }

  /** @param over What the document had when this was typed; it is remembered while the panel is hidden. */
  #show(key: string, text: string | undefined, over: string | undefined): void {
    this.#playground.changeView((view) => ({
      ...withTypedText(view, key, text),
      typedOver: withPair(view.typedOver, key, over),
    }));
  }
}
