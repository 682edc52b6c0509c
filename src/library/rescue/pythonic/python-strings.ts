// Reads strings as Python writes them: single, double and triple quotes, the raw prefix, escapes. Never evaluates anything,
// and never closes a string that has no end.
import type { TextSource } from '../core/rescue-context';
import type { RepairLog } from '../core/repair-log';
import { closes, isQuote, noteQuotes, STYLES } from '../json/quotes';
import type { QuoteStyle } from '../json/quotes';
import type { StringReading } from '../json/strings';
import { decodeEscapes, isWindowsPath } from '../text/unescape';
import type { EscapeDialect } from '../text/unescape';
import { findPythonEnd, isApostrophe } from './python-quote';
import type { PythonPlace } from './python-quote';

const ESCAPES: EscapeDialect = {
  signs: {
    '\n': '',
    '\\': '\\',
    "'": "'",
    '"': '"',
    a: '\x07',
    b: '\b',
    f: '\f',
    n: '\n',
    r: '\r',
    t: '\t',
    v: '\v',
  },
  hasOctal: true,
};

/**
 * The prefix of the string at `at`: '', `r`, or letters that make it a string which is not read. Undefined when there is no
 * string.
 */
export function findStringPrefix(text: string, at: number): string | undefined {
  let end = at;
  while (end - at < 2 && 'rRbBfFuU'.includes(text.charAt(end) || ' ')) end += 1;
  return isQuote(text.charAt(end)) ? text.slice(at, end) : undefined;
}

/** Reads the string at `at`, whose prefix must be '', `r` or `u`. `malformed` when it is not clear which quote closes it. */
export function readPythonString(
  source: TextSource,
  at: number,
  log: RepairLog,
  place: PythonPlace = 'value',
): StringReading | 'truncated' | 'malformed' {
  const { text } = source;
  const prefix = findStringPrefix(text, at) ?? '';
  const isRaw = prefix.toLowerCase() === 'r';
  const start = at + prefix.length;
  const quote = text.charAt(start);
  const style = STYLES[quote];
  if (!style) return 'malformed';
  const isTyped = style.repair !== 'smart-quotes';
  const width = isTyped && text.startsWith(quote.repeat(3), start) ? 3 : 1;
  const end = findEnd(source, start + width, { style, width, place }, log);
  if (end === undefined) return 'malformed';
  if (end === -1) return 'truncated';
  if (!isTyped) log.add('smart-quotes', at);
  const body = text.slice(start + width, end);
  if (width === 1 && body.includes('\n') && !isRaw) log.add('control-char', at);
  if (isRaw || !body.includes('\\')) return { value: body, end: end + width };
  if (!isWindowsPath(body)) return { value: decodeEscapes(body, ESCAPES), end: end + width };
  log.add('bad-escape', start + width, 'the backslashes of a path are its own');
  return { value: body, end: end + width };
}

function findEnd(
  source: TextSource,
  from: number,
  { style, width, place }: { style: QuoteStyle; width: number; place: PythonPlace },
  log: RepairLog,
): number | undefined {
  const { text } = source;
  const closer = String.fromCharCode(style.close).repeat(width);
  const memo = `python ${closer}`;
  if (source.isUnclosed(memo, from)) return -1;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 92) at += 1;
    else if (closes(style, code) && (width === 1 || text.startsWith(closer, at))) {
      if (width === 1 && isApostrophe(text, at)) {
        log.add('bad-escape', at, 'an apostrophe inside the text was not escaped');
        continue;
      }
      source.meter.spend(from, at);
      const end = width === 3 ? at : findPythonEnd(source, from, at, style, place);
      if (end !== undefined && end !== at) noteQuotes(text, { from: at, to: end }, style, log);
      return end;
    }
  }
  source.meter.spend(from, text.length);
  source.noteEndless(memo, from);
  return -1;
}
