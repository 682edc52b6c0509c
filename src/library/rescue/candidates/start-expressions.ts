// Builds the regular expressions for everything that a call may begin with, in all formats and with the names of the offered
// tools. Independent of single formats.
import { groupByFirst, toLiteralSource, toPattern } from '../text/prefilter';
import type { RescueFormat } from '../core/rescue-format';
import type { NamePatterns, PatternSources, StartSource } from '../text/prefilter';

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
