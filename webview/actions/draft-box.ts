// Sends what is typed in the message box to the document: debounced, and at the latest before a run or when the
// panel is hidden. Also decides which text the box shows. Does not touch the DOM.
import { textBlocker } from '../lanes/run-blocker';
import type { PanelState } from '../panel-state';
import type { Playground } from '../playground';
import { MESSAGE_KEY, withPair } from '../view-state';

const QUIET_MS = 400;

/** Text of the message box: what was typed, otherwise the draft of the document. */
export const boxText = ({ view, session }: PanelState): string => view.draft ?? session.document?.draft ?? '';

export class DraftBox {
  readonly #playground: Playground;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #inFlight = 0;
  #isFocused = false;
  /** Draft of the most recent document snapshot. */
  #documentDraft: string | undefined;
  /** Drafts that were sent and have not come back in a snapshot yet, oldest first. */
  #sent: string[] = [];

  constructor(playground: Playground) {
    this.#playground = playground;
  }

  type(draft: string): void {
    this.#show(draft, this.#documentDraft ?? this.#playground.state.view.typedOver.get(MESSAGE_KEY));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), QUIET_MS);
  }

  focused(isFocused: boolean): void {
    this.#isFocused = isFocused;
    if (!isFocused) this.flush();
  }

  /** Shows the draft of the document from now on, unless typed text is still waiting to be sent. */
  release(): void {
    if (this.#timer !== undefined) return;
    this.#sent = [];
    this.#show(undefined);
  }

  /** Sends what was typed since the last call. */
  flush(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { draft } = this.#playground.state.view;
    // A text that is too long would be refused; the panel says so before a run.
    if (draft === undefined || textBlocker(draft) !== undefined) return;
    this.#sent.push(draft);
    void this.#track(this.#playground.send('message/draft', { text: draft }));
  }

  /** Empties the box for a run that sends its text, and puts the text back if the run was refused. */
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
   * Follows the changed document unless the person is writing. A snapshot older than the last change of the box
   * may still arrive, so only a draft that this box did not send replaces what was typed.
   */
  documentChanged(): void {
    const { view, session } = this.#playground.state;
    const current = session.document?.draft;
    const isNew = current !== this.#documentDraft;
    const isFirst = this.#documentDraft === undefined;
    this.#documentDraft = current;
    const echo = current === undefined ? -1 : this.#sent.lastIndexOf(current);
    if (echo >= 0) this.#sent.splice(0, echo + 1);
    if (view.draft === undefined || this.#timer !== undefined || this.#inFlight > 0) return;
    // The text was typed before the panel was hidden and never reached the document.
    const isLate = view.draft !== current && view.typedOver.get(MESSAGE_KEY) === current;
    if (isFirst && isLate) return this.type(view.draft);
    const isForeign = isNew && echo < 0 && !this.#isFocused;
    if (view.draft !== current && !isForeign) return;
    this.#sent = [];
    this.#show(undefined);
  }

  /** @param over Draft of the document when this text was typed; remembered until the text has arrived there. */
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
