// Tracks reasoning at the start of a reply whose special tokens the server stripped: words open it, and words that may
// come much later close it. The words are passed in. Independent of calls.
import { findStrippedReasoning } from '../regions/reasoning-tags';
import type { ReasoningState, StrippedReasoning } from '../regions/reasoning-tags';

/** Length of the text that is kept to find closing words that are split between pieces; all of them are shorter. */
const LOOK_BACK = 32;

export class StrippedReasoningEnd {
  /** The forms that the reply may still begin with. */
  #forms: readonly StrippedReasoning[];
  #length = 0;
  #last = '';
  #isOver = false;

  constructor(forms: readonly StrippedReasoning[]) {
    this.#forms = forms;
  }

  /** Whether the reply may be in such reasoning. */
  get isOn(): boolean {
    return !this.#isOver && this.#open !== undefined && this.#length >= this.#open.length;
  }

  /** No tag closes this reasoning, and it may turn out to be none. Until that is known, calls in it are taken for calls. */
  get reasoning(): ReasoningState {
    return { tag: { close: this.#forms[0]?.closers[0]?.literal ?? '' }, depth: 1, isNested: true };
  }

  /** Adds a piece of the reply. Returns the offset at which the reasoning ended, once; otherwise undefined. */
  add(chunk: string): number | undefined {
    if (this.#isOver) return undefined;
    const wasOn = this.isOn;
    const text = this.#last + chunk;
    this.#length += chunk.length;
    if (!wasOn) {
      this.#forms = this.#forms.filter(({ open }) => text.startsWith(open.slice(0, text.length)));
      this.#isOver = this.#forms.length === 0;
      if (!this.isOn) {
        this.#last = text;
        return undefined;
      }
    }
    const open = this.#open ?? '';
    const recent = wasOn ? text : text.slice(open.length);
    const found = findStrippedReasoning(open + recent, this.#forms);
    this.#last = recent.slice(-LOOK_BACK);
    if (!found) return undefined;
    this.#isOver = true;
    return this.#length - recent.length + found.end - open.length;
  }

  get #open(): string | undefined {
    return this.#forms[0]?.open;
  }
}
