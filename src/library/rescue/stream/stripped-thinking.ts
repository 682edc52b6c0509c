// Thinking at the start of a reply whose tokens the server took away: words open it, and words that may come much later
// close it. Knows text only.
import { findStrippedAnalysis, STRIPPED_OPEN } from '../reasoning-tags';
import type { StreamThinking } from './stream-state';

/** The words that close it are shorter. */
const LOOK_BACK = 32;

/** No tag closes it, and it may be none: what stands in it is taken for a call as long as that is not known. */
export const STRIPPED: StreamThinking = {
  tag: { close: 'assistantfinal' },
  depth: 1,
  isNested: true,
};

export class StrippedThinking {
  #length = 0;
  #last = '';
  #isOver = false;

  /** The reply may be in it. */
  get isOn(): boolean {
    return !this.#isOver && this.#length >= STRIPPED_OPEN.length;
  }

  /** More of the reply; gives the offset where the thinking has ended, once. */
  add(chunk: string): number | undefined {
    if (this.#isOver) return undefined;
    const isOpening = this.#length < STRIPPED_OPEN.length;
    const text = this.#last + chunk;
    this.#length += chunk.length;
    if (isOpening) {
      this.#isOver = !text.startsWith(STRIPPED_OPEN.slice(0, text.length));
      if (!this.isOn) {
        this.#last = text;
        return undefined;
      }
    }
    const recent = isOpening ? text.slice(STRIPPED_OPEN.length) : text;
    const found = findStrippedAnalysis(STRIPPED_OPEN + recent);
    this.#last = recent.slice(-LOOK_BACK);
    if (!found) return undefined;
    this.#isOver = true;
    return this.#length - recent.length + found.end - STRIPPED_OPEN.length;
  }
}
