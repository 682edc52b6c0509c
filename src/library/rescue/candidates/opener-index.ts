// Index of the formats that may begin at a place, and of the characters at which anything may begin. Builds the regular
// expressions for these places, in all formats and with the names of the offered tools. Independent of single formats.
import type { RescueFormat } from '../core/rescue-format';
import { LiteralTrie } from '../text/literal-trie';
import { FirstPrefilter, groupByFirst, Prefilter, toLiteralSource, toPattern } from '../text/prefilter';
import type { NamePatterns, PatternSources, PlaceSearch, StartSource } from '../text/prefilter';

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

/** Text that begins with this many characters of an opener is hardly ever anything else. */
const LONGEST_HEAD = 4;
/** Three of these characters make a fence. */
const FENCE_SIGNS = '`~';
/** Total length of all names, in UTF-16 code units, above which only two characters of each name are compared. */
const MAX_CHARACTERS = 2048;

/** Number of places that are looked at one by one before the pattern for everything is created. */
const MAX_PLACES = 4096;

/**
 * The patterns for the names of some tools. Each is created at its first use, because creating all of them takes
 * milliseconds.
 */
export class StartExpressions {
  readonly #formats: readonly RescueFormat[];
  readonly #literals: readonly string[];
  readonly #names: readonly string[];
  /** By first character; the second ones for texts that may grow. */
  readonly #byFirst = new Map<string, RegExp>();
  readonly #growingByFirst = new Map<string, RegExp>();
  #whole: RegExp | undefined;
  #places = 0;

  /** @param literals further strings at which the walk has to stop */
  constructor(formats: readonly RescueFormat[], literals: readonly string[], names: readonly string[]) {
    this.#formats = formats;
    this.#literals = literals;
    this.#names = names;
  }

  /** Finds everything that a call may begin with. */
  get whole(): RegExp {
    return (this.#whole ??= toPattern(this.#toSources(() => true)));
  }

  /** Whether so many places were looked at one by one that the pattern for everything would have taken less time. */
  get isWorthwhile(): boolean {
    return this.#places > MAX_PLACES;
  }

  /** Matches, only at its `lastIndex`, what a call may begin with if that begins with this character. */
  readonly of = (first: string): RegExp => {
    this.#places += 1;
    return this.#find(this.#byFirst, first, false);
  };

  /** The same, but also matches what a call may begin with once more text follows. */
  readonly ofGrowing = (first: string): RegExp => this.#find(this.#growingByFirst, first, true);

  #find(patterns: Map<string, RegExp>, first: string, mayGrow: boolean): RegExp {
    const known = patterns.get(first);
    if (known) return known;
    const sources = this.#toSources((text) => text.startsWith(first));
    const pattern = toPattern(sources, { flag: 'y', mayGrow });
    patterns.set(first, pattern);
    return pattern;
  }

  #toSources(isWanted: (text: string) => boolean): PatternSources {
    const openers = [...this.#literals, ...this.#formats.flatMap((format) => format.openers)];
    return toStartSources(this.#formats, openers.filter(isWanted), this.#names, isWanted);
  }
}

function toStartSources(
  formats: readonly RescueFormat[],
  openers: readonly string[],
  names: readonly string[],
  isWanted: (first: string) => boolean,
): PatternSources {
  const sources = new Map<string, StartSource[]>();
  const heads = new Set(openers.map((opener) => opener.slice(0, LONGEST_HEAD).toLowerCase()));
  for (const [first, rests] of groupByFirst(heads)) {
    const source = toLiteralSource(rests, Infinity);
    // No fence begins inside a run of these characters.
    sources.set(first, [FENCE_SIGNS.includes(first) ? `${source}(?<!${first.repeat(4)})` : source]);
  }
  const namePatterns = toNamePatterns(names);
  for (const { firstCharacters = '', startPattern = '' } of formats) {
    for (const first of firstCharacters) {
      if (!isWanted(first)) continue;
      const source = typeof startPattern === 'function' ? startPattern(first, namePatterns) : startPattern;
      sources.set(first, [...(sources.get(first) ?? []), source]);
    }
  }
  return sources;
}

function toNamePatterns(names: readonly string[]): NamePatterns {
  const known = names.filter((name) => name !== '');
  if (known.length === 0) return { end: NEVER, start: NEVER };
  const isMany = known.reduce((sum, { length }) => sum + length, 0) > MAX_CHARACTERS;
  const ends = new Set(known.map((name) => (isMany ? name.slice(-2) : name)));
  return {
    end: `(?:${[...ends].map((end) => toLiteralSource([end], Infinity)).join('|')})`,
    start: `${PREFIX}${toLiteralSource(known, isMany ? 2 : Infinity)}`,
  };
}

const NEVER = '(?!)';
/** Prefix of a name, such as `functions.`. */
const PREFIX = '(?:[A-Za-z_.]{4,20}?[.:])?';
