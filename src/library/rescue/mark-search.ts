// Where in a text something may begin that has a known first character. A search for one character is many times as fast
// as one for patterns, and the characters around it rule out nearly all that is found.

/** Which names may end or begin at a place. */
export interface NameEdges {
  mayEnd(text: string, end: number): boolean;
  mayStart(text: string, start: number): boolean;
}

/** What may begin at a character. Only ASCII is told apart: all others, and the text's ends, may stand anywhere. */
export interface Mark {
  /** One of these stands directly before it; in either case. @default any */
  before?: string | undefined;
  /** One of these stands directly after it, or after the needle of the rule. @default any */
  after?: string | undefined;
  /** One of these stands after that. @default any */
  second?: string | undefined;
  /** Looks at the place itself. It must be cheap, and may hold in too many places. @default always */
  isAt?: ((text: string, at: number, names: NameEdges) => boolean) | undefined;
}

const ASCII = 128;
/** Of a longer run of one character only the last so many begin anything. */
const LONGEST_RUN = 3;

/** All the marks that begin with one character. */
export class MarkRule {
  /** What to search for: the character, and what follows it in every one of the marks. */
  readonly needle: string;
  /** By bit. */
  readonly #tests: readonly NonNullable<Mark['isAt']>[];
  /** By character code; a bit for each mark. */
  readonly #before = new Uint32Array(ASCII + 1);
  readonly #after = new Uint32Array(ASCII + 1);
  readonly #second = new Uint32Array(ASCII + 1);

  constructor(needle: string, marks: readonly Mark[]) {
    this.needle = needle;
    const distinct = [...new Set(marks)];
    this.#tests = distinct.map(({ isAt = ALWAYS }) => isAt);
    for (const [index, { before, after, second }] of distinct.entries()) {
      addBit(this.#before, before, 1 << index);
      addBit(this.#after, after, 1 << index);
      addBit(this.#second, second, 1 << index);
    }
  }

  /** The first place from `from` where one of the marks may be; the text's length when there is none. */
  find(text: string, from: number, names: NameEdges): number {
    const { needle } = this;
    let last = -2;
    let at = text.indexOf(needle, from);
    while (at !== -1) {
      if (at === last + 1) at = skipRun(text, at);
      const bits = this.#before[codeAt(text, at - 1)] ?? 0;
      if (bits !== 0 && this.#isAt(text, at, names, bits)) return at;
      last = at;
      at = text.indexOf(needle, at + 1);
    }
    return text.length;
  }

  #isAt(text: string, at: number, names: NameEdges, bits: number): boolean {
    const next = at + this.needle.length;
    let rest = bits & (this.#after[codeAt(text, next)] ?? 0);
    if (rest === 0) return false;
    rest &= this.#second[codeAt(text, next + 1)] ?? 0;
    for (; rest !== 0; rest &= rest - 1)
      if (this.#tests[31 - Math.clz32(rest & -rest)]?.(text, at, names)) return true;
    return false;
  }
}

const ALWAYS = (): boolean => true;

/** Beyond its ends a text has no codes, and asking for them is slow. */
const codeAt = (text: string, at: number): number =>
  at >= 0 && at < text.length ? Math.min(text.charCodeAt(at), ASCII) : ASCII;

function addBit(table: Uint32Array, characters: string | undefined, bit: number): void {
  const folded = characters?.toLowerCase();
  for (let code = 0; code <= ASCII; code += 1) {
    const isIn = code === ASCII || folded?.includes(String.fromCharCode(code).toLowerCase()) !== false;
    if (isIn) table[code] = (table[code] ?? 0) | bit;
  }
}

/** From the inside of a run to where something may begin again. */
function skipRun(text: string, at: number): number {
  const code = text.charCodeAt(at);
  let end = at + 1;
  while (end < text.length && text.charCodeAt(end) === code) end += 1;
  return Math.max(at, end - LONGEST_RUN);
}

interface Cursor {
  rule: MarkRule;
  /** The next mark of the rule; before the place that is asked for, it is not known. */
  at: number;
}

const NO_NAMES: NameEdges = { mayEnd: () => true, mayStart: () => true };

/** The marks of one text, from left to right. */
export class MarkSearch {
  readonly #text: string;
  readonly #names: NameEdges;
  readonly #cursors: Cursor[];

  constructor(text: string, rules: readonly MarkRule[], names: NameEdges = NO_NAMES) {
    this.#text = text;
    this.#names = names;
    this.#cursors = rules.map((rule) => ({ rule, at: -1 }));
  }

  /** The next mark from `from`, which never lies before one that was asked for; the text's length when there is none. */
  next(from: number): number {
    let next = this.#text.length;
    for (const cursor of this.#cursors) {
      if (cursor.at < from) cursor.at = cursor.rule.find(this.#text, from, this.#names);
      if (cursor.at < next) next = cursor.at;
    }
    return next;
  }
}
