// Which formats may begin at a place, and which characters are worth a look at all.
import { toPattern } from './literal-pattern';
import { LiteralTrie } from './literal-trie';
import type { RescueFormat } from './rescue-format';

export interface OpenerMatch {
  format: RescueFormat;
  opener: string;
}

const CODES = 65_536;
const OPENER = 1;
const BARE = 2;
const NONE: readonly OpenerMatch[] = [];

export class OpenerIndex {
  readonly #trie = new LiteralTrie<OpenerMatch>();
  /** By character code. */
  readonly #bare: OpenerMatch[][] = [];
  readonly #flags = new Uint8Array(CODES);
  readonly #formats: readonly RescueFormat[];
  readonly #marks: readonly string[];
  #pattern: RegExp | undefined;

  /** `marks`: literals at which the walk stops as well. */
  constructor(formats: readonly RescueFormat[], marks: readonly string[] = []) {
    this.#formats = formats;
    this.#marks = marks;
    for (const format of formats) {
      for (const opener of format.openers) this.#addOpener({ format, opener });
      for (const character of format.firstCharacters ?? '') this.#addBare({ format, opener: '' }, character);
    }
  }

  /** The next place from `at` that may begin something; the text's length when there is none. */
  nextPlace(text: string, at: number): number {
    let next = at;
    while (next < text.length && this.#flags[text.charCodeAt(next)] === 0) next += 1;
    return next;
  }

  /** The next place from `at` where a call may begin; the text's length when there is none. Of whole texts only. */
  nextStart(text: string, at: number): number {
    const pattern = (this.#pattern ??= toStartPattern(this.#formats, this.#marks));
    pattern.lastIndex = at;
    // all but the first character is looked at and not taken
    return pattern.test(text) ? pattern.lastIndex - 1 : text.length;
  }

  /** Longest opener first, then in the order of the registry. */
  marked(text: string, at: number): readonly OpenerMatch[] {
    return this.#has(text, at, OPENER) ? this.#trie.matches(text, at) : NONE;
  }

  /** Forms without a marker, in the order of the registry. */
  bare(text: string, at: number): readonly OpenerMatch[] {
    // of `{{{` only the innermost can begin a call, and a megabyte of them must cost little
    if (isBracket(text.charCodeAt(at)) && text.charCodeAt(at) === text.charCodeAt(at + 1)) return NONE;
    return this.#has(text, at, BARE) ? (this.#bare[text.charCodeAt(at)] ?? NONE) : NONE;
  }

  #has(text: string, at: number, flag: number): boolean {
    return ((this.#flags[text.charCodeAt(at)] ?? 0) & flag) !== 0;
  }

  #addOpener(match: OpenerMatch): void {
    this.#trie.add(match.opener, match);
    const first = match.opener.charAt(0);
    this.#flag(first.toUpperCase(), OPENER);
    this.#flag(first.toLowerCase(), OPENER);
  }

  #addBare(match: OpenerMatch, character: string): void {
    (this.#bare[character.charCodeAt(0)] ??= []).push(match);
    this.#flag(character, BARE);
  }

  #flag(character: string, flag: number): void {
    const code = character.charCodeAt(0);
    this.#flags[code] = (this.#flags[code] ?? 0) | flag;
  }
}

const isBracket = (code: number): boolean => code === 123 || code === 91;

/** One search that the regular expression engine does far faster than a loop asks for each character. */
function toStartPattern(formats: readonly RescueFormat[], marks: readonly string[]): RegExp {
  const rests = new Map<string, string[]>();
  const add = (first: string, rest: string): void => {
    rests.set(first, [...(rests.get(first) ?? []), rest]);
  };
  const literals = [...marks, ...formats.flatMap(({ openers }) => openers)];
  const openers = new Set(literals.map((literal) => literal.toLowerCase()));
  for (const first of new Set([...openers].map((opener) => opener.charAt(0)))) {
    const own = [...openers].filter((opener) => opener.startsWith(first));
    add(first, toPattern(own.map((opener) => opener.slice(1))));
  }
  for (const { firstCharacters = '', anchor = '' } of formats)
    for (const character of firstCharacters) add(character, anchor);
  const branches = [...rests].map(
    ([first, list]) => `${toPattern([first])}${limitRuns(first)}(?=${[...new Set(list)].join('|')})`,
  );
  return new RegExp(branches.join('|'), 'gi');
}

/** A fence begins at its first character; of `{{{` only the innermost may begin a call. */
function limitRuns(first: string): string {
  if (first === '`' || first === '~') return `(?<!${first}${first})`;
  return first === '{' || first === '[' ? `(?!${toPattern([first])})` : '';
}
