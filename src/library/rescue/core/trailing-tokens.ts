// Recognises what may follow a call without being an answer: white space, stray closers, end-of-turn tokens. The tokens are
// passed in.
import { findMatchEnd } from '../text/match-end';
import { isBlank } from '../text/white-space';
import { toTokenPattern } from './token-list';

const CLOSING_BRACKETS = '}]),;';
const FENCES = ['```', '~~~'];
/** Any other control token, such as `<|eot|>`. Models have many of them, and no answer contains one. */
const CONTROL_TOKEN = /<[|｜][\w▁:-]{1,32}[|｜]>|\[\|\w{1,32}\|\]/y;

export class TrailingTokens {
  readonly #tokens: readonly string[];
  readonly #firsts: ReadonlySet<number>;
  /** Matches the longest token at its `lastIndex`. The engine compares all of them at once. */
  readonly #pattern: RegExp;

  constructor(tokens: readonly string[]) {
    this.#tokens = [...new Set([...tokens, ...FENCES])].toSorted((one, other) => other.length - one.length);
    this.#pattern = toTokenPattern(this.#tokens);
    this.#firsts = new Set(['<', '[', ...this.#tokens].map((token) => token.charCodeAt(0)));
  }

  /** Whether there are only white space, closing brackets and trailing tokens between the two offsets. */
  isAll(text: string, from: number, to: number): boolean {
    let at = from;
    while (at < to) {
      const isSkipped = isBlank(text.charCodeAt(at)) || CLOSING_BRACKETS.includes(text.charAt(at));
      const end = isSkipped ? at + 1 : this.#findEnd(text, at);
      if (end === at) return false;
      at = end;
    }
    return true;
  }

  /** The trailing token at `at`; undefined when there is none. */
  find(text: string, at: number): string | undefined {
    const end = this.#firsts.has(text.charCodeAt(at)) ? findMatchEnd(this.#pattern, text, at) : at;
    return end > at ? text.slice(at, end) : undefined;
  }

  /** The end of the trailing token, or of any other control token, at `at`; `at` itself when there is none. */
  #findEnd(text: string, at: number): number {
    if (!this.#firsts.has(text.charCodeAt(at))) return at;
    const end = findMatchEnd(this.#pattern, text, at);
    return end > at ? end : findMatchEnd(CONTROL_TOKEN, text, at);
  }

  /**
   * The text without surrounding white space and without trailing tokens at its end. Fences belong to the text and are kept.
   */
  trim(text: string): string {
    let trimmed = text.trim();
    for (let token = this.#findLast(trimmed); token !== undefined; token = this.#findLast(trimmed))
      trimmed = trimmed.slice(0, -token.length).trimEnd();
    return trimmed;
  }

  #findLast(text: string): string | undefined {
    return this.#tokens.find((token) => !FENCES.includes(token) && text.endsWith(token));
  }
}
