// Reads numbers, literals and bare words of damaged JSON.
const LONGEST_WORD = 128;
const LONGEST_NUMBER = 400;
const NUMBER = /^[+-]?(?:\d{1,400}\.?\d{0,400}|\.\d{1,400})(?:[eE][+-]?\d{1,400})?$/;

/** Literals by their spelling. Those of Python are recorded as repairs. */
const LITERALS: ReadonlyMap<string, { value: boolean | null; isJson: boolean }> = new Map([
  ['true', { value: true, isJson: true }],
  ['false', { value: false, isJson: true }],
  ['null', { value: null, isJson: true }],
  ['True', { value: true, isJson: false }],
  ['False', { value: false, isJson: false }],
  ['None', { value: null, isJson: false }],
]);

export const findLiteral = (word: string): { value: boolean | null; isJson: boolean } | undefined =>
  LITERALS.get(word);

/** Characters of unquoted keys and bare words. */
export const isWordCode = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  code === 95 ||
  code === 36 ||
  (code >= 48 && code <= 57) ||
  code === 45 ||
  code > 0xbf;

/** The end of the identifier at `at`, which may not begin with a digit or a dash; `at` itself when there is none. */
export function findWordEnd(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (!isWordCode(first) || first === 45 || (first >= 48 && first <= 57) || isTypographic(first)) return at;
  let end = at + 1;
  const limit = Math.min(text.length, at + LONGEST_WORD);
  while (end < limit && isWordCode(text.charCodeAt(end)) && !isTypographic(text.charCodeAt(end))) end += 1;
  return end;
}

// Curly quotes and full-width forms delimit other things.
const isTypographic = (code: number): boolean => (code >= 0x2000 && code <= 0x206f) || code >= 0xff00;

export const startsNumber = (code: number): boolean =>
  (code >= 48 && code <= 57) || code === 45 || code === 43 || code === 46;

/** The end of the run of characters that may be part of a number. */
export function findNumberEnd(text: string, at: number): number {
  let end = at;
  const limit = Math.min(text.length, at + LONGEST_NUMBER + 1);
  while (end < limit && '0123456789+-.eE'.includes(text.charAt(end))) end += 1;
  return end;
}

/** Undefined when the text is no number, or has a leading zero and so may be a code. */
export function toNumber(text: string): number | undefined {
  if (text.length > LONGEST_NUMBER || !NUMBER.test(text) || /^[+-]?0\d/.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
