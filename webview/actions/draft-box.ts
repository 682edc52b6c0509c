// What is typed in the message box, on its way into the document: gathered while it is typed, sent at the latest before a
// run and when the panel goes away. Says which text the box shows. Knows no DOM.
import type { PanelState } from '../panel-state';
import type { Playground } from '../playground';
import { MESSAGE_KEY, withPair } from '../view-state';

const QUIET_MS = 400;

/** What the box shows: what was typed, else what the document says. */
export const boxText = ({ view, session }: PanelState): string => view.draft ?? session.document?.draft ?? '';

export class DraftBox {
  readonly #playground: Playground;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #inFlight = 0;
  #isFocused = false;
  /** The draft of the document as it was last told. */
  #told: string | undefined;
  /** What was sent and has not come back yet, oldest first. */
  #sent: string[] = [];

  constructor(playground: Playground) {
    this.#playground = playground;
  }

  type(draft: string): void {
    this.#show(draft, this.#told ?? this.#playground.state.view.typedOver.get(MESSAGE_KEY));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), QUIET_MS);
  }

  focused(isFocused: boolean): void {
    this.#isFocused = isFocused;
    if (!isFocused) this.flush();
  }

  /** The document says what is shown from now on. */
  release(): void {
    if (this.#timer !== undefined) return;
    this.#sent = [];
    this.#show(undefined);
  }

  /** Sends what was typed since the last time. */
  flush(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { draft } = this.#playground.state.view;
    if (draft === undefined) return;
    this.#sent.push(draft);
    void this.#track(this.#playground.send('message/draft', { text: draft }));
  }

  /** Empties the box for a run that sends its text; a run that was refused gives it back. */
  async sendWith(send: (text: string) => Promise<boolean>): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = boxText(this.#playground.state);
    if (text !== '') {
      this.#show('');
      this.#playground.save();
    }
    const isSent = await this.#track(send(text));
    if (!isSent && text !== '' && this.#playground.state.view.draft === '') this.type(text);
  }

  /**
   * The document has changed: the box follows it unless the person is writing. A document from before the last change of
   * the box may still be on its way, so only a draft that nobody has seen yet takes the place of what was typed.
   */
  documentChanged(): void {
    const { view, session } = this.#playground.state;
    const told = session.document?.draft;
    const isNew = told !== this.#told;
    const isFirst = this.#told === undefined;
    this.#told = told;
    const echo = told === undefined ? -1 : this.#sent.lastIndexOf(told);
    if (echo >= 0) this.#sent.splice(0, echo + 1);
    if (view.draft === undefined || this.#timer !== undefined || this.#inFlight > 0) return;
    // typed before the panel was hidden, and never arrived
    const isLate = view.draft !== told && view.typedOver.get(MESSAGE_KEY) === told;
    if (isFirst && isLate) return this.type(view.draft);
    const isForeign = isNew && echo < 0 && !this.#isFocused;
    if (view.draft !== told && !isForeign) return;
    this.#sent = [];
    this.#show(undefined);
  }

  /** @param over What the document says, where this was typed and is to be kept until it is there. */
  #show(draft: string | undefined, over?: string): void {
    this.#playground.changeView((view) => {
      const known = view.typedOver.get(MESSAGE_KEY);
      const typedOver = known === over ? view.typedOver : withPair(view.typedOver, MESSAGE_KEY, over);
      return draft === view.draft && typedOver === view.typedOver ? view : { ...view, draft, typedOver };
    });
  }

  async #track<Result>(work: Promise<Result>): Promise<Result> {
    this.#inFlight++;
    try {
      return await work;
    } finally {
      this.#inFlight--;
    }
  }
}
