// Index of the formats that may begin at a place, and of the characters at which anything may begin.
import { LiteralTrie } from '../text/literal-trie';
import { FirstPrefilter, Prefilter } from '../text/prefilter';
import type { PlaceSearch } from '../text/prefilter';
import type { RescueFormat } from '../core/rescue-format';
import { StartExpressions } from './start-expressions';

export interface OpenerMatch {
  format: RescueFormat;
  opener: string;
}

/** Number of tool lists whose patterns are cached. Few programs have more. */
const MAX_PATTERNS = 16;
/** In UTF-16 code units. The pattern for everything takes longer to compile than a shorter text to search without it. */
const LONGEST_SHORT = 2048;
const NONE: readonly OpenerMatch[] = [];

export class OpenerIndex {
  /** Built on first use, because most replies have no opener. */
  #trie: LiteralTrie<OpenerMatch> | undefined;
  readonly #bare = new Map<number, OpenerMatch[]>();
  /** Matches the characters with which anything begins. They are signs, which have no case. */
  #signs: RegExp | undefined;
  readonly #formats: readonly RescueFormat[];
  readonly #marks: readonly string[];
  /** Keyed by the names of the tools, because a caller may build the same list anew for each reply. */
  readonly #patterns = new Map<string, StartExpressions>();
  #last: { names: readonly string[]; patterns: StartExpressions } | undefined;

  /** @param marks further literals at which the walk has to stop */
  constructor(formats: readonly RescueFormat[], marks: readonly string[] = []) {
    this.#formats = formats;
    this.#marks = marks;
    for (const format of formats)
      for (const character of format.firstCharacters ?? '') this.#addBare({ format, opener: '' }, character);
  }

  /** Searches for the places in the text where a call may begin. `names` are the names of the offered tools. */
  search(text: string, names: readonly string[]): PlaceSearch {
    const patterns = this.#findPatterns(names);
    if (text.length > LONGEST_SHORT || patterns.isWorthwhile) return new Prefilter(text, patterns.whole);
    return new FirstPrefilter(text, (this.#signs ??= this.#createSigns()), patterns.of);
  }

  /** The same for a text that may grow: also finds where a call may begin with the text that follows. */
  searchGrowing(text: string, names: readonly string[]): PlaceSearch {
    const { ofGrowing } = this.#findPatterns(names);
    return new FirstPrefilter(text, (this.#signs ??= this.#createSigns()), ofGrowing);
  }

  /** Matches at `at`: the longest opener first, then in the order of the registry. */
  marked(text: string, at: number): readonly OpenerMatch[] {
    return (this.#trie ??= this.#createTrie()).matches(text, at);
  }

  /** Formats without a marker that may begin at `at`, in the order of the registry. */
  bare(text: string, at: number): readonly OpenerMatch[] {
    const code = text.charCodeAt(at);
    const matches = this.#bare.get(code);
    if (matches === undefined) return NONE;
    // In `{{{` only the last bracket can begin a call, and a megabyte of brackets must cost little.
    const isBracket = code === 123 || code === 91;
    return isBracket && code === text.charCodeAt(at + 1) ? NONE : matches;
  }

  #findPatterns(names: readonly string[]): StartExpressions {
    if (this.#last?.names === names) return this.#last.patterns;
    const key = names.join('\n');
    const patterns = this.#patterns.get(key) ?? new StartExpressions(this.#formats, this.#marks, names);
    if (this.#patterns.size >= MAX_PATTERNS) this.#patterns.clear();
    this.#patterns.set(key, patterns);
    this.#last = { names, patterns };
    return patterns;
  }

  #createSigns(): RegExp {
    const literals = [...this.#marks, ...this.#formats.flatMap(({ openers }) => openers)];
    const codes = new Set([...this.#bare.keys(), ...literals.map((literal) => literal.charCodeAt(0))]);
    const signs = Array.from(codes, (code) => `\\u${code.toString(16).padStart(4, '0')}`);
    return new RegExp(`[${signs.join('')}]`, 'g');
  }

  #createTrie(): LiteralTrie<OpenerMatch> {
    const trie = new LiteralTrie<OpenerMatch>();
    for (const format of this.#formats)
      for (const opener of format.openers) trie.add(opener, { format, opener });
    return trie;
  }

  #addBare(match: OpenerMatch, character: string): void {
    const code = character.charCodeAt(0);
    const known = this.#bare.get(code);
    if (known) known.push(match);
    else this.#bare.set(code, [match]);
  }
}
