// Finds the tokens of tool-call and reasoning markup in a text, which a template that fits its model would have removed. A
// token inside code is only mentioned there and does not count. Independent of particular formats.
import { isToken } from './core/dialect';
import { DIALECTS } from './formats/dialects';

/** A token of markup in a text. Offsets are UTF-16 code units; `end` is exclusive. */
export interface FoundMarkup {
  /** The token as it is in the text. */
  token: string;
  start: number;
  end: number;
  /** True for a token that delimits reasoning; false for one of a call or a turn. */
  isReasoning: boolean;
}

const MAX_FOUND = 50;
/** How much of the text is searched, in UTF-16 code units. */
const MAX_READ = 200_000;
/** Any other control token, such as `<|eot|>`. Models have many of them, and no answer contains one. */
const CONTROL_TOKEN = /<[|｜][\w▁:-]{1,32}[|｜]>/y;

let starts: RegExp | undefined;
let tokens: readonly string[] | undefined;

/**
 * The first 50 tokens, in the order of the text, without overlaps. Searches the first 200,000 UTF-16 code units. Linear in
 * the text, and never throws.
 */
export function findMarkup(text: string): FoundMarkup[] {
  // Callers without type checks may pass anything, and handling a reply must not fail.
  if (typeof text !== 'string') return [];
  const { reasoning } = DIALECTS.regions;
  tokens ??= [
    ...new Set([...DIALECTS.openers.tokens, ...[...DIALECTS.closers.tokens].filter(isToken)]),
  ].toSorted((one, other) => other.length - one.length);
  starts ??= toStarts([...tokens, ...reasoning.literals]);
  const read = text.slice(0, MAX_READ);
  const folded = read.toLowerCase();
  const found: FoundMarkup[] = [];
  const code = new CodeParts(read);
  starts.lastIndex = 0;
  for (let match = starts.exec(read); match && found.length < MAX_FOUND; match = starts.exec(read)) {
    const start = match.index;
    const thought = reasoning.find(read, start)?.literal;
    const token = thought ?? findToken(read, folded, start);
    if (token === undefined || code.has(start)) continue;
    const end = start + token.length;
    found.push({ token: read.slice(start, end), start, end, isReasoning: thought !== undefined });
    starts.lastIndex = end;
  }
  return found;
}

function findToken(text: string, folded: string, start: number): string | undefined {
  const known = tokens?.find((token) => folded.startsWith(token, start));
  if (known !== undefined) return known;
  CONTROL_TOKEN.lastIndex = start;
  return CONTROL_TOKEN.exec(text)?.[0];
}

/** Matches any character with which a token begins. */
function toStarts(literals: readonly string[]): RegExp {
  const firsts = new Set(['<', ...literals.map((literal) => literal.charAt(0))]);
  const escaped = [...firsts].map((first) => first.replace(/[\\\]^-]/g, String.raw`\$&`));
  return new RegExp(`[${escaped.join('')}]`, 'g');
}

/** Tells whether an offset is inside code. Offsets have to be asked for in increasing order. */
class CodeParts {
  readonly #text: string;
  #at = 0;
  #isOpen = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether the offset is between backticks, single ones or fences: an odd number of runs precedes it. */
  has(place: number): boolean {
    while (this.#at < place) {
      if (this.#text.charAt(this.#at) !== '`') {
        this.#at += 1;
        continue;
      }
      const start = this.#at;
      while (this.#text.charAt(this.#at) === '`') this.#at += 1;
      // A run of backticks that is never closed opens nothing.
      const isClosed = this.#isOpen || this.#text.includes(this.#text.slice(start, this.#at), this.#at);
      if (isClosed) this.#isOpen = !this.#isOpen;
    }
    return this.#isOpen;
  }
}
