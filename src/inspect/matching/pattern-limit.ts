// Estimates on how long a text a regular expression can be tried before its backtracking takes too long. The number of steps
// is read from the source of the pattern and is rather too high than too low. Independent of schemas.

/** In UTF-16 code units, the longest first. No pattern is tried on longer texts. */
const LENGTHS = [1_000, 500, 250, 120, 60, 40] as const;
const MAX_PATTERN = 1_000;
/** Maximum number of steps of one trial, about a tenth of a second on a slow machine. */
export const MAX_TRIAL_STEPS = 30_000_000;

const GROUP_START = /\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?/y;
const CLASS = /\[(?:\\[^]|[^\]\\])*\]/y;
const ESCAPE = /\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|[pP]\{[^}]*\}|k<[^>]*>|c[a-z]|\d+|[^])/iy;
const QUANTIFIER = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y;
const TAKES_NOTHING = /^(?:\\[bB\d]|\\k<|[\^$]$)/;
const LITERAL = /^(?:\\([\^$\\.*+?()[\]{}|/-])|([^\\^$.*+?()[\]{}|\uD800-\uDFFF]))$/;

/** What a part of a pattern can match from one position on. */
interface PatternPart {
  /** Number of ways in which it can match; each is tried when the rest of the pattern fails. */
  ways: number;
  /** Minimum number of characters that it consumes. */
  least: number;
  /** Number of steps of one way. */
  steps: number;
  /** Number of its parts that can match in more than one way. */
  choices: number;
  /** Sources of the atoms that consume characters. */
  atoms: readonly string[];
  /** The literal characters that it begins and ends with; undefined when they are not certain. */
  first: string | undefined;
  last: string | undefined;
}

const NOTHING: PatternPart = {
  ways: 1,
  least: 0,
  steps: 0,
  choices: 0,
  atoms: [],
  first: undefined,
  last: undefined,
};

/**
 * @param pattern Valid with the flag `u`.
 * @returns maximum length of a text to try the pattern on, in UTF-16 code units; undefined when hardly any text is safe
 */
export function patternLimit(pattern: string): number | undefined {
  if (pattern.length > MAX_PATTERN) return undefined;
  return LENGTHS.find((length) => estimateSteps(pattern, length) <= MAX_TRIAL_STEPS);
}

/** Number of steps of one trial on a text of this length, rather too high than too low. */
export function estimateSteps(pattern: string, length: number): number {
  const reader = new PatternReader(pattern, length);
  const { ways, steps } = reader.read();
  // Without an anchor the pattern is tried from every character.
  const starts = pattern.startsWith('^') && !reader.hasAlternatives ? 1 : length;
  return starts * ways * (1 + steps);
}

class PatternReader {
  /** Whether the part that was read last has alternatives. */
  hasAlternatives = false;
  readonly #pattern: string;
  readonly #length: number;
  #at = 0;

  constructor(pattern: string, length: number) {
    this.#pattern = pattern;
    this.#length = length;
  }

  /** Reads up to the end of the group or of the pattern. */
  read(): PatternPart {
    const branches = [this.#readBranch()];
    while (this.#pattern[this.#at] === '|') {
      this.#at += 1;
      branches.push(this.#readBranch());
    }
    this.hasAlternatives = branches.length > 1;
    return branches.reduce(either);
  }

  #readBranch(): PatternPart {
    let branch = NOTHING;
    const atoms: string[] = [];
    while (this.#at < this.#pattern.length && !'|)'.includes(this.#pattern.charAt(this.#at))) {
      const part = this.#readRepeated(this.#readAtom());
      atoms.push(...part.atoms);
      branch = { ...inOrder(branch, part), atoms };
    }
    return branch;
  }

  #readAtom(): PatternPart {
    const start = this.#take(GROUP_START)?.[0];
    if (start !== undefined) {
      const inner = this.read();
      this.#at += 1; // skips the closing parenthesis
      const isLookaround = /^\(\?<?[=!]/.test(start);
      return isLookaround ? { ...inner, least: 0, first: undefined, last: undefined } : inner;
    }
    const text = this.#take(CLASS)?.[0] ?? this.#take(ESCAPE)?.[0] ?? this.#pattern.charAt(this.#at++);
    if (TAKES_NOTHING.test(text)) return { ...NOTHING, steps: 1 };
    const [, escaped, plain] = LITERAL.exec(text) ?? [];
    const literal = escaped ?? plain;
    return { ...NOTHING, least: 1, steps: 1, atoms: [text], first: literal, last: literal };
  }

  #readRepeated(part: PatternPart): PatternPart {
    const quantifier = this.#take(QUANTIFIER);
    if (!quantifier) return part;
    const [text, least, comma, most] = quantifier;
    const min = least === undefined ? Number(text.startsWith('+')) : Number(least);
    const max = text.startsWith('?') ? 1 : least !== undefined && comma === undefined ? min : toMost(most);
    return this.#repeat(part, min, max);
  }

  #repeat(part: PatternPart, min: number, max: number): PatternPart {
    const { ways, least, steps, choices, atoms } = part;
    // A part that consumes nothing is repeated at most once per position.
    const most = Math.min(max, Math.floor(this.#length / Math.max(1, least)));
    const counts = Math.max(1, most - min + 1);
    const innerWays = ways === 1 || isDelimited(part) ? ways : ways ** most;
    return {
      ways: counts * innerWays,
      least: Math.min(least * min, this.#length),
      steps: steps * Math.max(1, Math.min(min, most)),
      choices: choices === 0 ? Number(counts > 1) : choices + 1,
      atoms,
      first: undefined,
      last: undefined,
    };
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#pattern) ?? undefined;
    if (found) this.#at += found[0].length;
    return found;
  }
}

/**
 * Whether each repetition begins or ends with a character that nothing else in it matches, as in `(-[a-z]+)*`. The text then
 * determines where each repetition is, and only the last one can be tried in several ways.
 */
function isDelimited({ first, last, choices, atoms }: PatternPart): boolean {
  if (choices > 1) return false;
  const isOnlyOnce = (character: string | undefined): boolean =>
    character !== undefined &&
    atoms.filter((atom) => new RegExp(`^${atom}$`, 'u').test(character)).length === 1;
  return isOnlyOnce(first) || isOnlyOnce(last);
}

const toMost = (digits: string | undefined): number =>
  digits === undefined || digits === '' ? Infinity : Number(digits);

const inOrder = (one: PatternPart, other: PatternPart): PatternPart => ({
  ways: one.ways * other.ways,
  least: one.least + other.least,
  steps: one.steps + other.steps,
  choices: one.choices + other.choices,
  atoms: other.atoms,
  first: one === NOTHING ? other.first : one.first,
  last: other.last,
});

const either = (one: PatternPart, other: PatternPart): PatternPart => ({
  ways: one.ways + other.ways,
  least: Math.min(one.least, other.least),
  steps: Math.max(one.steps, other.steps),
  // Alternatives may match the same text, so they count as two choices.
  choices: one.choices + other.choices + 2,
  atoms: [...one.atoms, ...other.atoms],
  first: undefined,
  last: undefined,
});
