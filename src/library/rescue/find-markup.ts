// The tokens of tool-call and reasoning markup that stand in a text: what a template that fits its model takes out. Names no
// format; a token in code is about markup and is none.
import { isToken } from './core/dialect';
import { DIALECTS } from './formats/dialects';

/** A token of markup that stands in a text. Offsets in UTF-16 units, the end exclusive. */
export interface FoundMarkup {
  /** As it stands in the text. */
  token: string;
  start: number;
  end: number;
  /** Whether it delimits reasoning; else it is of a call, or of a turn. */
  isReasoning: boolean;
}

const MOST_FOUND = 50;
/** UTF-16 units that are looked through. */
const MOST_READ = 200_000;
/** Any other control token, such as `<|eot|>`: models have many, and no answer contains one. */
const CONTROL_TOKEN = /<[|｜][\w▁:-]{1,32}[|｜]>/y;

let starts: RegExp | undefined;
let tokens: readonly string[] | undefined;

/** In text order, none inside of another; the first fifty. Linear in the text. */
export function findMarkup(text: string): FoundMarkup[] {
  const { reasoning } = DIALECTS.regions;
  tokens ??= [...new Set([...DIALECTS.openers, ...DIALECTS.closers.filter(isToken)])].toSorted(
    (one, other) => other.length - one.length,
  );
  starts ??= toStarts([...tokens, ...reasoning.literals]);
  const read = text.slice(0, MOST_READ);
  const folded = read.toLowerCase();
  const found: FoundMarkup[] = [];
  const code = new CodeParts(read);
  starts.lastIndex = 0;
  for (let match = starts.exec(read); match && found.length < MOST_FOUND; match = starts.exec(read)) {
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

/** Any of the characters that a token begins with. */
function toStarts(literals: readonly string[]): RegExp {
  const firsts = new Set(['<', ...literals.map((literal) => literal.charAt(0))]);
  const escaped = [...firsts].map((first) => first.replace(/[\\\]^-]/g, String.raw`\$&`));
  return new RegExp(`[${escaped.join('')}]`, 'g');
}

/** Asked for places in their order. */
class CodeParts {
  readonly #text: string;
  #at = 0;
  #isOpen = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** Between backticks, single ones or fences: an odd number of runs stands before it. */
  has(place: number): boolean {
    while (this.#at < place) {
      if (this.#text.charAt(this.#at) !== '`') {
        this.#at += 1;
        continue;
      }
      const start = this.#at;
      while (this.#text.charAt(this.#at) === '`') this.#at += 1;
      // a run that nobody closes opens nothing
      const isClosed = this.#isOpen || this.#text.includes(this.#text.slice(start, this.#at), this.#at);
      if (isClosed) this.#isOpen = !this.#isOpen;
    }
    return this.#isOpen;
  }
}
