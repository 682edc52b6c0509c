// A list of literals that is searched at one place of a text. The engine compares all of them at once.
import { findMatchEnd } from '../text/match-end';

/** Matches the longest of the literals at its `lastIndex`, or, with the flag `g`, the next one. */
export const toTokenPattern = (tokens: readonly string[], flag: 'g' | 'y' = 'y'): RegExp =>
  new RegExp(
    tokens
      .toSorted((one, other) => other.length - one.length)
      .map(escape)
      .join('|') || '(?!)',
    flag,
  );

const escape = (token: string): string => token.replaceAll(/[^\w\s\u0080-\uffff]/g, String.raw`\$&`);

export class TokenList {
  /** In lower case. */
  readonly tokens: ReadonlySet<string>;
  readonly #pattern: RegExp;

  constructor(tokens: readonly string[]) {
    this.tokens = new Set(tokens.map((token) => token.toLowerCase()));
    this.#pattern = toTokenPattern([...this.tokens]);
  }

  /** Whether this is one of the tokens, in either case. */
  has(token: string): boolean {
    return this.tokens.has(token.toLowerCase());
  }

  /** The longest token with which a text in lower case begins; '' when there is none. */
  findIn(lowered: string): string {
    return lowered.slice(0, findMatchEnd(this.#pattern, lowered, 0));
  }
}
