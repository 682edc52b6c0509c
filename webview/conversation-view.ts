// Which part of the conversation is in view: what is new comes into view, a reply that grows is followed as long as
// its end was in view. Knows no state but the entries.
import type { Entry } from './state';

/** Rounding of positions; a reader who scrolled by more than this is left where he is. */
const TOLERANCE_PX = 4;

export class ConversationView {
  readonly #root: HTMLElement;
  #latest = '';
  #isEndInView = true;
  #wasLive = false;

  /** @param root Holds the conversation and, below it, the message box. */
  constructor(root: HTMLElement) {
    this.#root = root;
  }

  /** To be called before anything is drawn anew. */
  willChange(): void {
    const end = this.#turns().at(-1)?.getBoundingClientRect().bottom ?? 0;
    const edge = this.#root.querySelector('.composer')?.getBoundingClientRect().top ?? 0;
    // a reader of what is below the conversation has left its end, too
    this.#isEndInView = end >= 0 && end <= edge + TOLERANCE_PX;
    this.#wasLive = this.#caret() !== null;
  }

  /** To be called when it is drawn. */
  hasChanged(entries: readonly Entry[]): void {
    const last = entries.at(-1);
    const isEnded = last?.kind === 'run' && (last.outcome ?? last.problem) !== undefined;
    const latest = `${entries.length} ${isEnded}`;
    const isNew = latest !== this.#latest;
    this.#latest = latest;
    const isFollowed = this.#wasLive || !isNew;
    if (isFollowed && !this.#isEndInView) return;
    if (!isNew) toView(this.#caret());
    // the parts of a long text are drawn one task later
    else setTimeout(() => this.#showLatest(isFollowed));
  }

  /** Of a reply that was followed the end, of a new one the beginning. */
  #showLatest(isFollowed: boolean): void {
    const turn = this.#turns().at(-1);
    // where both do not fit, the reply goes before what can be done with it
    toView(this.#root.querySelector('.run-end'));
    toView((isFollowed && turn?.querySelector('.turn-foot')) || turn);
  }

  #turns(): HTMLElement[] {
    return [...this.#root.querySelectorAll<HTMLElement>('.turn:not(.run-end)')];
  }

  #caret(): HTMLElement | null {
    return this.#root.querySelector('.caret');
  }
}

function toView(element: Element | null | undefined): void {
  element?.scrollIntoView?.({ block: 'nearest' });
}
