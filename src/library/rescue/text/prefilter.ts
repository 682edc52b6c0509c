// Finds the offsets of a text at which a look is worthwhile: one regular expression for all that may begin there, so that
// the engine goes over the text once. Knows no format.

/** Goes through one text from left to right. */
export class Prefilter {
  readonly #text: string;
  readonly #pattern: RegExp;
  /** The last match. */
  #at = -1;

  /** @param pattern With the flag `g`; it may be shared, as no state of it counts. */
  constructor(text: string, pattern: RegExp) {
    this.#text = text;
    this.#pattern = pattern;
  }

  /** The next match at or after `from`, which must never decrease; the text's length when there is none. */
  next(from: number): number {
    if (this.#at >= from) return this.#at;
    this.#pattern.lastIndex = from;
    this.#at = this.#pattern.exec(this.#text)?.index ?? this.#text.length;
    return this.#at;
  }
}

/** Sources that match the names of the offered tools. */
export interface NamePatterns {
  /** A name, perhaps only its end. */
  end: string;
  /** A name with or without a prefix, perhaps only its beginning. */
  start: string;
}

/**
 * What comes after the first character; what comes before it in a lookbehind, which ends with the character itself. None
 * of them may match a long stretch in more than one way.
 */
export type StartPattern = string | ((first: string, names: NamePatterns) => string);

/** By the character that it begins with: what may follow, and what may come before it, as sources. */
export type PatternSources = ReadonlyMap<string, readonly string[]>;

/** What matches any of them. */
export function toPattern(sources: PatternSources): RegExp {
  const parts = [...sources].map(([first, rest]) => {
    const [one = ''] = rest;
    return foldCharacter(first) + (rest.length === 1 ? one : `(?:${[...new Set(rest)].join('|')})`);
  });
  return new RegExp(parts.join('|') || '(?!)', 'g');
}

/** The source of what matches any of the literals in either case, by no more than their first `depth` characters. */
export function toLiteralSource(literals: Iterable<string>, depth: number): string {
  if (depth === 0) return '';
  const rests = groupByFirst(literals);
  if (rests.has('')) return '';
  const parts = [...rests].map(([first, rest]) => foldCharacter(first) + toLiteralSource(rest, depth - 1));
  return parts.length === 1 ? (parts[0] ?? '') : `(?:${parts.join('|')})`;
}

/** What comes after the first character, by that in lower case. */
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

/** Either case of a letter; a sign as itself. */
function foldCharacter(character: string): string {
  const lower = character.toLowerCase();
  const upper = character.toUpperCase();
  if (lower !== upper && lower.length === 1 && upper.length === 1) return `[${lower}${upper}]`;
  return /[\w\u0080-\uffff]/.test(character) ? character : `\\${character}`;
}
