// Reads special tokens in the forms to which tokenizers and servers garble them: other bars, other separators, backslashes.
// Independent of formats.

export interface SpecialToken {
  start: number;
  end: number;
  /** In lower case, the words joined by `_`. */
  name: string;
}

const BARS = '|｜‖';
const LONGEST = 64;
// A text has few different tokens and repeats them.
const MAX_REMEMBERED = 256;
const REMEMBERED = new Map<string, string>();

/** The name of a token in any form: `<｜a▁token｜>`, `<|a_token|>` and `<｜a token｜>` are all `a_token`. */
export function normalizeToken(token: string): string {
  const known = REMEMBERED.get(token);
  if (known !== undefined) return known;
  const name = toName(token);
  if (REMEMBERED.size < MAX_REMEMBERED && token.length <= LONGEST + 1) REMEMBERED.set(token, name);
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

/**
 * The token at `at`: `<`, a bar, words, a bar, `>`. One bar may be missing, and bars may be doubled. Null when there is
 * none.
 */
export function readSpecialToken(text: string, at: number): SpecialToken | null {
  if (text.charCodeAt(at) !== 60) return null;
  const limit = Math.min(text.length, at + LONGEST);
  let end = at + 1;
  while (end < limit && !isTokenEnd(text.charCodeAt(end))) end += 1;
  if (text.charAt(end) !== '>') return null;
  if (!isBar(text.charAt(at + 1)) && !isBar(text.charAt(end - 1))) return null;
  return { start: at, end: end + 1, name: normalizeToken(text.slice(at, end + 1)) };
}

/** `<`, `>` or a line break. */
const isTokenEnd = (code: number): boolean => code === 60 || code === 62 || code === 10;

export const isBar = (character: string): boolean => character !== '' && BARS.includes(character);
