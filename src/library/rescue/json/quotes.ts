// Defines the quotes of strings in damaged JSON, and recognises a quoted key. Independent of values.
import type { RepairLog } from '../core/repair-log';
import { skipWhite } from '../text/white-space';

export interface QuoteStyle {
  close: number;
  /** Code of the opening quote, which closes a string too. */
  open: number;
  repair?: string;
}

const DOUBLE = { close: 0x201d, open: 0x201c, repair: 'smart-quotes' };
export const STYLES: Readonly<Record<string, QuoteStyle>> = {
  '"': { close: 34, open: 34 },
  "'": { close: 39, open: 39, repair: 'single-quotes' },
  '“': DOUBLE,
  '”': DOUBLE,
  '„': { close: 0x201c, open: 0x201d, repair: 'smart-quotes' },
  '‘': { close: 0x2019, open: 0x2018, repair: 'smart-quotes' },
};

export const closes = ({ close, open }: QuoteStyle, code: number): boolean => code === close || code === open;

/** Notes each unescaped quote of a string that is read as text. @param range From the first of them to the end of the string. */
export function noteQuotes(
  text: string,
  { from, to }: { from: number; to: number },
  style: QuoteStyle,
  log: RepairLog,
): void {
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 92) at += 1;
    else if (closes(style, code)) log.add('bad-escape', at, 'a quote inside the text was not escaped');
  }
}

export const LONGEST_KEY = 256;
const LONGEST_KEY_AHEAD = 64;

export const isQuote = (character: string): boolean => Object.hasOwn(STYLES, character);

/** Whether a quoted key with its colon, `"key":`, is at `at`. @param signs Any of them may stand in place of the colon. */
export function isKeyAhead(text: string, at: number, longest = LONGEST_KEY_AHEAD, signs = ':'): boolean {
  const style = STYLES[text.charAt(at)];
  if (!style) return false;
  const limit = Math.min(text.length, at + longest);
  for (let next = at + 1; next < limit; next += 1) {
    const code = text.charCodeAt(next);
    if (code === 10) return false;
    if (code === 92) next += 1;
    else if (closes(style, code)) return signs.includes(text.charAt(skipWhite(text, next + 1)) || ' ');
  }
  return false;
}
