// Reads strings as Python writes them: single, double and triple quotes, the raw prefix, escapes. Never evaluates anything,
// and never closes a string that has no end.
import type { TextSource } from '../core/rescue-context';
import type { RepairLog } from '../core/repair-log';
import type { StringReading } from '../json/strings';
import { decodeEscapes, isWindowsPath } from '../text/unescape';
import type { EscapeDialect } from '../text/unescape';
import { findPythonEnd } from './python-quote';
import type { PythonPlace } from './python-quote';

const CLOSERS: Readonly<Record<string, readonly string[]>> = {
  '"': ['"'],
  "'": ["'"],
  '“': ['”', '“'],
  '”': ['”', '“'],
  '‘': ['’', '‘'],
};

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

interface PythonQuote {
  /** Literals that close the string; three characters for triple quotes. */
  closers: readonly string[];
  bodyStart: number;
  isRaw: boolean;
  isTyped: boolean;
}

/**
 * The prefix of the string at `at`: '', `r`, or letters that make it a string which is not read. Undefined when there is no
 * string.
 */
export function findStringPrefix(text: string, at: number): string | undefined {
  let end = at;
  while (end - at < 2 && 'rRbBfFuU'.includes(text.charAt(end) || ' ')) end += 1;
  return Object.hasOwn(CLOSERS, text.charAt(end)) ? text.slice(at, end) : undefined;
}

/** Undefined when the string at `at` is not closed before the end of the text. Its prefix must be '' or `r`. */
export function readPythonString(
  source: TextSource,
  at: number,
  log: RepairLog,
  place: PythonPlace = 'value',
): StringReading | undefined {
  const quote = readQuote(source.text, at);
  const end = findEnd(source, quote, log, place);
  if (end === -1) return undefined;
  if (!quote.isTyped) log.add('smart-quotes', at);
  const body = source.text.slice(quote.bodyStart, end);
  const width = quote.closers[0]?.length ?? 1;
  if (width === 1 && body.includes('\n') && !quote.isRaw) log.add('control-char', at);
  if (quote.isRaw || !body.includes('\\')) return { value: body, end: end + width };
  if (!isWindowsPath(body)) return { value: decodeEscapes(body, ESCAPES), end: end + width };
  log.add('bad-escape', quote.bodyStart, 'the backslashes of a path are its own');
  return { value: body, end: end + width };
}

function readQuote(text: string, at: number): PythonQuote {
  const prefix = findStringPrefix(text, at) ?? '';
  const start = at + prefix.length;
  const character = text.charAt(start);
  const isTyped = character === '"' || character === "'";
  const isTriple = isTyped && text.startsWith(character.repeat(3), start);
  return {
    closers: isTriple ? [character.repeat(3)] : (CLOSERS[character] ?? []),
    bodyStart: start + (isTriple ? 3 : 1),
    isRaw: prefix !== '',
    isTyped,
  };
}

function findEnd(
  source: TextSource,
  { closers, bodyStart }: PythonQuote,
  log: RepairLog,
  place: PythonPlace,
): number {
  const { text } = source;
  const memo = `python ${closers.join('')}`;
  if (source.isUnclosed(memo, bodyStart)) return -1;
  for (let at = bodyStart; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\\') at += 1;
    else if (closers.some((closer) => closer.charAt(0) === character && text.startsWith(closer, at))) {
      if (closers[0] === "'" && isApostrophe(text, at)) {
        log.add('bad-escape', at, 'an apostrophe inside the text was not escaped');
        continue;
      }
      source.meter.spend(bodyStart, at);
      const end = closers[0]?.length === 3 ? at : findPythonEnd(source, at, closers, place);
      if (end !== at) log.add('bad-escape', at, 'a quote inside the text was not escaped');
      return end;
    }
  }
  source.meter.spend(bodyStart, text.length);
  source.noteEndless(memo, bodyStart);
  return -1;
}

/** Between two letters, an apostrophe is part of a word, because no letter can follow a literal. */
const isApostrophe = (text: string, at: number): boolean =>
  isLetter(text.charAt(at - 1)) && isLetter(text.charAt(at + 1));

const isLetter = (character: string): boolean => /^\p{L}$/u.test(character);
