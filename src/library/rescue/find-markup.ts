// Finds the tokens of tool-call and reasoning markup in a text, which a template that fits its model would have removed. A
// token inside code is only mentioned there and does not count. Independent of particular formats.
import { isToken } from './core/dialect';
import { DIALECTS } from './formats/dialects';
import { findStrippedReasoning } from './regions/reasoning-tags';

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
/** A tag with escaped brackets, which some clients and relays make of the model's; at most 100 characters behind its name. */
const ESCAPED_TAG = /&lt;(\/?[\w:-]{1,40})[^<>&\n]{0,100}&gt;/y;
/**
 * Any other control token, such as `<|eot|>`, or a tag that begins with one, such as `<｜mark｜call name="bash">`. Models have
 * many of them, and no answer contains one.
 */
const CONTROL_TOKEN = /<[|｜][\w▁:-]{1,32}[|｜]>|<\/?｜[\w▁:-]{1,32}｜\w[^<>\n]{0,100}>/y;

let starts: RegExp | undefined;
let tokens: readonly string[] | undefined;

/**
 * The first 50 tokens, in the order of the text, without overlaps. Searches the first 200,000 UTF-16 code units. Linear in
 * the text, and never throws.
 */
export function findMarkup(text: string): FoundMarkup[] {
  // Callers without type checks may pass anything, and handling a reply must not fail.
  if (typeof text !== 'string') return [];
  const { reasoning, stripped } = DIALECTS.regions;
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
  const words = findStrippedWords(read, stripped);
  if (words.length === 0) return found;
  return [...words, ...found].toSorted((one, other) => one.start - other.start).slice(0, MAX_FOUND);
}

/** The words around reasoning that are left of tokens which were removed on the way, such as `analysis` at the start. */
function findStrippedWords(text: string, forms: typeof DIALECTS.regions.stripped): FoundMarkup[] {
  const span = findStrippedReasoning(text, forms);
  if (!span) return [];
  const places = [
    [0, span.bodyStart],
    [span.bodyEnd, span.end],
  ] as const;
  return places
    .filter(([start, end]) => start < end)
    .map(([start, end]) => ({ token: text.slice(start, end), start, end, isReasoning: true }));
}

function findToken(text: string, folded: string, start: number): string | undefined {
  const known = tokens?.find((token) => folded.startsWith(token, start));
  if (known !== undefined) return known;
  CONTROL_TOKEN.lastIndex = start;
  return CONTROL_TOKEN.exec(text)?.[0] ?? findEscapedTag(text, start);
}

/** Only of a tag that a call has: other escaped tags are a text about a page. */
function findEscapedTag(text: string, start: number): string | undefined {
  ESCAPED_TAG.lastIndex = start;
  const [tag, name = ''] = ESCAPED_TAG.exec(text) ?? [];
  const plain = `<${name.toLowerCase()}`;
  return tokens?.some((token) => token === plain || token === `${plain}>`) ? tag : undefined;
}

/** Matches any character with which a token begins. */
function toStarts(literals: readonly string[]): RegExp {
  const firsts = new Set(['<', '&', ...literals.map((literal) => literal.charAt(0))]);
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
