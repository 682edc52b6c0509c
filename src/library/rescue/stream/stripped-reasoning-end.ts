// Tracks reasoning at the start of a reply whose special tokens the server stripped: words open it, and words that may
// come much later close it. The words are passed in. Independent of calls.
import { findStrippedReasoning } from '../regions/reasoning-tags';
import type { ReasoningState, StrippedReasoning } from '../regions/reasoning-tags';

/** Length of the text that is kept to find closing words that are split between pieces; all of them are shorter. */
const LOOK_BACK = 32;

export class StrippedReasoningEnd {
  readonly #forms: readonly StrippedReasoning[];
  /** The reply so far. Once the reasoning is open, its opener and the text that was kept. */
  #text = '';
  #length = 0;
  /** The form that the reply may still begin with. */
  #form: StrippedReasoning | undefined;
  #isOver = false;

  constructor(forms: readonly StrippedReasoning[]) {
    this.#forms = forms;
  }

  /** Whether the reply may be in such reasoning. */
  get isOn(): boolean {
    return !this.#isOver && this.#form !== undefined && this.#text.startsWith(this.#form.open);
  }

  /** No tag closes this reasoning, and it may turn out to be none. Until that is known, calls in it are taken for calls. */
  get reasoning(): ReasoningState {
    return { tag: { close: this.#form?.closers[0]?.literal ?? '' }, depth: 1, isNested: true };
  }

  /** Adds a piece of the reply. Returns the offset at which the reasoning ended, once; otherwise undefined. */
  add(chunk: string): number | undefined {
    if (this.#isOver) return undefined;
    const text = this.#text + chunk;
    this.#length += chunk.length;
    this.#form = this.#forms.find(({ open }) => text.startsWith(open.slice(0, text.length)));
    const found = findStrippedReasoning(text, this.#forms);
    this.#isOver = this.#form === undefined || found !== undefined;
    const { length } = this.#form?.open ?? '';
    this.#text = text.slice(0, length) + text.slice(length).slice(-LOOK_BACK);
    return found && this.#length - text.length + found.end;
  }
}
