// Strings of damaged JSON: single, typographic and unescaped quotes, raw line breaks, escapes that are none.
// A string that does not close is never closed here.
import type { TextSource } from '../rescue-context';
import { skipWhite } from './blank';
import type { RepairLog } from './repair-log';

interface QuoteStyle {
  close: number;
  /** Closes as well. */
  open: number;
  repair?: string;
}

const DOUBLE = { close: 0x201d, open: 0x201c, repair: 'smart-quotes' };
const STYLES: Readonly<Record<string, QuoteStyle>> = {
  '"': { close: 34, open: 34 },
  "'": { close: 39, open: 39, repair: 'single-quotes' },
  '“': DOUBLE,
  '”': DOUBLE,
  '„': { close: 0x201c, open: 0x201d, repair: 'smart-quotes' },
  '‘': { close: 0x2019, open: 0x2018, repair: 'smart-quotes' },
};

const closes = ({ close, open }: QuoteStyle, code: number): boolean => code === close || code === open;

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

export const LONGEST_KEY = 256;
const LONGEST_KEY_AHEAD = 64;

export const isQuote = (character: string): boolean => Object.hasOwn(STYLES, character);

export interface StringReading {
  value: string;
  end: number;
}

/** `key`: ends at the first quote, on one line. `value`: a quote ends it only where JSON goes on. `root`: first quote. */
export type StringRole = 'key' | 'value' | 'root';

/** Undefined when the string does not close before the end of the text (or of the line, for a key). */
export function readString(
  source: TextSource,
  at: number,
  role: StringRole,
  log: RepairLog,
): StringReading | undefined {
  const style = STYLES[source.text.charAt(at)];
  if (!style) return undefined;
  const end = findEnd(source, at + 1, style, role);
  if (end === -1) return undefined;
  if (style.repair) log.add(style.repair, at);
  return { value: decode(source.text, at + 1, end, style, log), end: end + 1 };
}

function findEnd(source: TextSource, from: number, style: QuoteStyle, role: StringRole): number {
  const { text } = source;
  const memo = `${style.close}${role}`;
  const limit = role === 'key' ? Math.min(text.length, from + LONGEST_KEY) : text.length;
  if (role !== 'key' && from >= (source.unclosedFrom.get(memo) ?? Infinity)) {
    source.meter.hasReadEnd = true;
    return -1;
  }
  for (let at = from; at < limit; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 92) at += 1;
    else if (closes(style, code) && (role !== 'value' || closesValue(text, at + 1))) {
      source.meter.spend(from, at);
      return at;
    } else if (code === 10 && role === 'key') return -1;
  }
  source.meter.spend(from, limit);
  if (role !== 'key') source.unclosedFrom.set(memo, from);
  return -1;
}

/** An inner quote that nobody escaped is text; one after which JSON goes on is the end. */
function closesValue(text: string, after: number): boolean {
  const next = skipWhite(text, after);
  const character = text.charAt(next);
  if (character === '' || ',:}]'.includes(character)) return true;
  if (character === '/') return text.charAt(next + 1) === '/' || text.charAt(next + 1) === '*';
  return isQuote(character) && isKeyAhead(text, next);
}

/** Does `"key":` stand here? */
export function isKeyAhead(text: string, at: number): boolean {
  const style = STYLES[text.charAt(at)];
  if (!style) return false;
  const limit = Math.min(text.length, at + LONGEST_KEY_AHEAD);
  for (let next = at + 1; next < limit; next += 1) {
    const code = text.charCodeAt(next);
    if (code === 10) return false;
    if (closes(style, code)) return text.charCodeAt(skipWhite(text, next + 1)) === 58;
  }
  return false;
}

function decode(text: string, from: number, to: number, style: QuoteStyle, log: RepairLog): string {
  const pieces: string[] = [];
  let pieceStart = from;
  const seen = { control: false, quote: false, escape: false };
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 32 && !seen.control) {
      seen.control = true;
      log.add('control-char', at);
    } else if (code === 92) {
      const escape = readEscape(text, at);
      if (!escape.isJson && !seen.escape) {
        seen.escape = true;
        log.add('bad-escape', at);
      }
      pieces.push(text.slice(pieceStart, at), escape.value);
      pieceStart = at + escape.length;
      at = pieceStart - 1;
    } else if (!seen.quote && closes(style, code)) {
      seen.quote = true;
      log.add('bad-escape', at, 'a quote inside the text was not escaped');
    }
  }
  pieces.push(text.slice(pieceStart, to));
  return pieces.join('');
}

interface Escape {
  value: string;
  length: number;
  isJson: boolean;
}

/** What is no escape stays as it is written, backslash and all: `\d` and `C:\work` are meant. */
function readEscape(text: string, at: number): Escape {
  const character = text.charAt(at + 1);
  const known = Object.hasOwn(ESCAPES, character) ? ESCAPES[character] : undefined;
  if (known !== undefined) return { value: known, length: 2, isJson: true };
  if (character === "'") return { value: "'", length: 2, isJson: false };
  const digits = character === 'u' ? text.slice(at + 2, at + 6) : '';
  if (/^[0-9a-fA-F]{4}$/.test(digits)) {
    return { value: String.fromCharCode(Number.parseInt(digits, 16)), length: 6, isJson: true };
  }
  return { value: text.slice(at, at + 2), length: 2, isJson: false };
}
