// Texts that were cut for the panel and go back to the model whole: what is shown may be short, what is sent may not
// differ from what the model said. Knows neither runs nor vscode.
import type { Message } from '../../types';

/** UTF-16 units of the whole texts; the oldest go first. */
const MAX_HELD = 64 * 1024 * 1024;
/** No text below this many units is ever cut. */
const MIN_CUT = 100_000;
const MARK = /… \(\d+ more characters are not shown\)$/;

/** The rest of a text that was cut is gone, so the conversation cannot be sent as it was. */
export class LostTextError extends Error {
  constructor() {
    super('the rest of a text that was cut is not known any more');
    this.name = 'LostTextError';
  }
}

export class CutTexts {
  /** What the panel has → what it stands for. */
  readonly #whole = new Map<string, string>();
  readonly #maxHeld: number;
  #held = 0;

  constructor(maxHeld = MAX_HELD) {
    this.#maxHeld = maxHeld;
  }

  /** The beginning of a text, with a word that says how much is missing; `restore` finds the whole by it. */
  cut(text: string, limit: number): string {
    for (let length = limit; ; length--) {
      const short = cutText(text, length);
      const known = this.#whole.get(short);
      // two texts may begin alike and be equally long: another length tells them apart
      if (known !== undefined && known !== text) continue;
      if (short !== text && known === undefined) this.#hold(short, text);
      return short;
    }
  }

  /** @throws LostTextError for a text that was cut and is not held any more. */
  restore(messages: readonly Message[]): Message[] {
    return messages.map((message) =>
      message.role === 'assistant' ? (this.#restoreIn(message) as Message) : message,
    );
  }

  #restoreIn(value: unknown): unknown {
    if (typeof value === 'string') return this.#restoreText(value);
    if (Array.isArray(value)) return value.map((entry) => this.#restoreIn(entry));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, this.#restoreIn(entry)]));
  }

  #restoreText(text: string): string {
    // a short text was never cut, whatever it says
    if (text.length < MIN_CUT || !MARK.test(text.slice(-100))) return text;
    const whole = this.#whole.get(text);
    if (whole === undefined) throw new LostTextError();
    return whole;
  }

  #hold(short: string, whole: string): void {
    this.#whole.set(short, whole);
    this.#held += whole.length;
    for (const [oldest, { length }] of this.#whole) {
      if (this.#held <= this.#maxHeld || oldest === short) return;
      this.#whole.delete(oldest);
      this.#held -= length;
    }
  }
}

/** The same for a text that is never sent again. */
export const cutText = (text: string, limit: number): string =>
  text.length <= limit
    ? text
    : `${text.slice(0, limit)}… (${text.length - limit} more characters are not shown)`;
