// Reads numbers, literals and bare words of damaged JSON.
import { findMatchEnd } from './match-end';

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

/** An unquoted key or a bare word. Curly quotes and full-width forms delimit other things. */
const WORD = /[A-Za-z_$\u00c0-\u1fff\u2070-\ufeff][\w$\-\u00c0-\u1fff\u2070-\ufeff]{0,127}/y;

/** The end of the identifier at `at`, which may not begin with a digit or a dash; `at` itself when there is none. */
export const findWordEnd = (text: string, at: number): number => findMatchEnd(WORD, text, at);

export const startsNumber = (code: number): boolean =>
  (code >= 48 && code <= 57) || code === 45 || code === 43 || code === 46;

const NUMBER_RUN = /[\d+\-.eE]{0,401}/y;

/** The end of the run of characters that may be part of a number. */
export const findNumberEnd = (text: string, at: number): number => findMatchEnd(NUMBER_RUN, text, at);

/** Undefined when the text is no number, or has a leading zero and so may be a code. */
export function toNumber(text: string): number | undefined {
  if (text.length > LONGEST_NUMBER || !NUMBER.test(text) || /^[+-]?0\d/.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
