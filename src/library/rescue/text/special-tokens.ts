// Special tokens as tokenizers and servers garble them: other bars, other separators, backslashes. Knows no format.

export interface SpecialToken {
  start: number;
  end: number;
  /** Lower case, words joined by `_`. */
  name: string;
}

const BARS = '|｜‖';
const LONGEST = 64;
// a text has few different tokens, and repeats them
const MOST_REMEMBERED = 256;
const REMEMBERED = new Map<string, string>();

/** `<｜a▁token｜>`, `<|a_token|>` and `<｜a token｜>` are one: `a_token`. */
export function normalizeToken(token: string): string {
  const known = REMEMBERED.get(token);
  if (known !== undefined) return known;
  const name = toName(token);
  if (REMEMBERED.size < MOST_REMEMBERED && token.length <= LONGEST + 1) REMEMBERED.set(token, name);
  return name;
}

function toName(token: string): string {
  let name = '';
  for (const character of token) {
    if (character === '▁' || character === '_' || character === ' ') name += '_';
    else if (!isBar(character) && !'<>\\'.includes(character)) name += character.toLowerCase();
  }
  return name;
}

/** The token that stands at `at`: `<`, a bar, words, a bar, `>`. One bar may be missing, or be several. */
export function readSpecialToken(text: string, at: number): SpecialToken | null {
  if (text.charCodeAt(at) !== 60) return null;
  const limit = Math.min(text.length, at + LONGEST);
  let end = at + 1;
  while (end < limit && !isTokenEnd(text.charCodeAt(end))) end += 1;
  if (text.charAt(end) !== '>') return null;
  if (!isBar(text.charAt(at + 1)) && !isBar(text.charAt(end - 1))) return null;
  return { start: at, end: end + 1, name: normalizeToken(text.slice(at, end + 1)) };
}

/** `<`, `>`, a line break */
const isTokenEnd = (code: number): boolean => code === 60 || code === 62 || code === 10;

export const isBar = (character: string): boolean => character !== '' && BARS.includes(character);
