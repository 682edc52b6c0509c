// Finds the offsets of a text at which parsing is worthwhile: one regular expression for everything that may begin there, so
// that the engine reads the text once. Independent of formats.

/** A search through one text from left to right. */
export interface PlaceSearch {
  /** The next place at or after `from`, which must never decrease; the length of the text when there is none. */
  next: (from: number) => number;
}

export class Prefilter implements PlaceSearch {
  readonly #text: string;
  readonly #pattern: RegExp;
  /** Offset of the last match. */
  #at = -1;

  /** @param pattern Has the flag `g`. May be shared, because none of its state is used. */
  constructor(text: string, pattern: RegExp) {
    this.#text = text;
    this.#pattern = pattern;
  }

  next(from: number): number {
    if (this.#at >= from) return this.#at;
    this.#pattern.lastIndex = from;
    this.#at = this.#pattern.exec(this.#text)?.index ?? this.#text.length;
    return this.#at;
  }
}

/**
 * Finds the same places with a pattern for each first character, so that only those for the characters of the text have to
 * be compiled. It takes longer for each character that is found.
 */
export class FirstPrefilter implements PlaceSearch {
  readonly #text: string;
  readonly #firsts: Prefilter;
  readonly #patternOf: (first: string) => RegExp;

  /**
   * @param firsts Matches all first characters. Has the flag `g`.
   * @param patternOf Returns the pattern for what begins with a character. Has the flag `y`.
   */
  constructor(text: string, firsts: RegExp, patternOf: (first: string) => RegExp) {
    this.#text = text;
    this.#firsts = new Prefilter(text, firsts);
    this.#patternOf = patternOf;
  }

  next(from: number): number {
    let at = this.#firsts.next(from);
    while (at < this.#text.length) {
      const pattern = this.#patternOf(this.#text.charAt(at));
      pattern.lastIndex = at;
      if (pattern.test(this.#text)) return at;
      at = this.#firsts.next(at + 1);
    }
    return at;
  }
}

/** Regular expression sources that match the names of the offered tools. */
export interface NamePatterns {
  /** A name, or only its end. */
  end: string;
  /** A name with or without a prefix, or only its beginning. */
  start: string;
}

/**
 * The source for what follows the first character, directly or after blanks, or for what is directly before it. A
 * lookbehind in the first, which ends with that character itself, tests what precedes, too. None may match a long part of
 * the text in more than one way.
 */
export type StartSource = string | { afterBlanks: string } | { before: string };

/** The same characters as in `isBlank`. */
export const BLANK = '[\\t-\\r \\u00a0\\u200b\\ufeff]';

export type StartPattern = StartSource | ((first: string, names: NamePatterns) => StartSource);

/** Sources by first character. */
export type PatternSources = ReadonlyMap<string, readonly StartSource[]>;

interface PatternOptions {
  /** With `y`, the pattern matches only at its `lastIndex`. @default 'g' */
  flag?: 'g' | 'y';
  /** Whether the pattern also matches where the text ends too early to tell, because more text may follow. @default false */
  mayGrow?: boolean;
}

/** A regular expression that matches any of the sources. */
export function toPattern(
  sources: PatternSources,
  { flag = 'g', mayGrow = false }: PatternOptions = {},
): RegExp {
  const toAfter = mayGrow ? toOpenEnded : (source: string): string => source;
  const parts = [...sources].map(([first, rest]) => {
    const character = foldCharacter(first);
    const after: string[] = [];
    const afterBlanks: string[] = [];
    const before: string[] = [];
    for (const source of rest) {
      if (typeof source === 'string') after.push(toAfter(source));
      else if ('before' in source) before.push(source.before);
      else afterBlanks.push(source.afterBlanks);
    }
    // What several sources begin with is matched once for all of them.
    if (afterBlanks.length > 0) after.push(toAfter(`${BLANK}*?${toAlternatives(afterBlanks)}`));
    if (before.length > 0) after.push(`(?<=${toAlternatives(before)}${character})`);
    return character + toAlternatives(after);
  });
  return new RegExp(parts.join('|') || '(?!)', flag);
}

/** An operator; or else what tests a character: a lookbehind without groups, an escape, a class, or the character itself. */
const PART =
  /\(\?[:!]|\{\d+(?:,\d*)?\}|[)|?*+^$]|(\(\?<[=!][^()]*\)|\\u[\da-f]{4}|\\.|\[(?:\\.|[^\]\\])*\]|.)/g;

/** The source with the end of the text as an alternative to each character. */
const toOpenEnded = (source: string): string =>
  source.replaceAll(PART, (part, test?: string) => (test === undefined ? part : `(?:${part}|$)`));

function toAlternatives(sources: readonly string[]): string {
  const [one = '', ...others] = new Set(sources);
  return others.length === 0 ? one : `(?:${[one, ...others].join('|')})`;
}

/** A source that matches the first `depth` characters of any of the literals, in either case. */
export function toLiteralSource(literals: Iterable<string>, depth: number): string {
  if (depth === 0) return '';
  const rests = groupByFirst(literals);
  if (rests.has('')) return '';
  const parts = [...rests].map(([first, rest]) => foldCharacter(first) + toLiteralSource(rest, depth - 1));
  return parts.length === 1 ? (parts[0] ?? '') : `(?:${parts.join('|')})`;
}

/** The literals without their first character, by that character in lower case. */
export function groupByFirst(literals: Iterable<string>): Map<string, string[]> {
  const rests = new Map<string, string[]>();
  for (const literal of literals) {
    const first = literal.charAt(0).toLowerCase();
    const known = rests.get(first);
    if (known) known.push(literal.slice(1));
    else rests.set(first, [literal.slice(1)]);
  }
  return rests;
}

/** The source for a letter in either case, or for another character as itself. */
function foldCharacter(character: string): string {
  const lower = character.toLowerCase();
  const upper = character.toUpperCase();
  if (lower !== upper && lower.length === 1 && upper.length === 1) return `[${lower}${upper}]`;
  return /[\w\u0080-\uffff]/.test(character) ? character : `\\${character}`;
}
