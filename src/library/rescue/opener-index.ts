// Which formats may begin at a place, and which characters are worth a look at all.
import { LiteralTrie } from './literal-trie';
import { MarkSearch } from './mark-search';
import type { MarkRule, NameEdges } from './mark-search';
import type { RescueFormat } from './rescue-format';
import { toStartRules } from './start-rules';

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
  #rules: readonly MarkRule[] | undefined;

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

  /** Where in the whole text a call may begin; `names` are those of the offered tools. */
  search(text: string, names: NameEdges): MarkSearch {
    return new MarkSearch(text, (this.#rules ??= toStartRules(this.#formats, this.#marks)), names);
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
