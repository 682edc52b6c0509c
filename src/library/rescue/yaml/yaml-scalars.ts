// Reads scalars of YAML: the words and numbers of its core schema, and quoted text. Independent of structure.
import { decodeEscapes } from '../text/unescape';
import type { EscapeDialect } from '../text/unescape';

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ...['null', 'Null', 'NULL', '~', ''].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);

const INTEGER = /^(?:[-+]?\d{1,400}|0o[0-7]{1,64}|0x[\da-fA-F]{1,64})$/;
const FLOAT = /^[-+]?(?:\.\d{1,400}|\d{1,400}(?:\.\d{0,400})?)(?:[eE][-+]?\d{1,8})?$/;

/**
 * The value of an unquoted scalar. `yes` and `on` are text in the core schema. Infinities are text here, because JSON has
 * none.
 */
export function resolvePlain(text: string): unknown {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (!INTEGER.test(text) && !FLOAT.test(text)) return text;
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

export interface QuotedReading {
  value: string;
  /** Offset after the closing quote. */
  end: number;
}

const ESCAPES: EscapeDialect = {
  signs: {
    '0': '\0',
    a: '\x07',
    b: '\b',
    t: '\t',
    '\t': '\t',
    n: '\n',
    v: '\v',
    f: '\f',
    r: '\r',
    e: '\x1b',
    ' ': ' ',
    '"': '"',
    '/': '/',
    '\\': '\\',
    N: '\x85',
    _: '\xa0',
  },
  hasOctal: false,
};

/** Undefined when the quote at `at` is not closed. */
export function readQuoted(text: string, at: number): QuotedReading | undefined {
  const quote = text.charAt(at);
  let end = at + 1;
  while (end < text.length) {
    const character = text.charAt(end);
    const isDoubled = character === "'" && quote === "'" && text.charAt(end + 1) === "'";
    if (character === quote && !isDoubled) break;
    end += isDoubled || (character === '\\' && quote === '"') ? 2 : 1;
  }
  if (end >= text.length) return undefined;
  // Line breaks are folded before escapes are read, because escaped line breaks are meant.
  const body = foldBreaks(text.slice(at + 1, end));
  return { value: quote === '"' ? decodeEscapes(body, ESCAPES) : body.replaceAll("''", "'"), end: end + 1 };
}

/** Folds line breaks: a single one becomes a space, and of several one is dropped. */
export function foldBreaks(body: string): string {
  if (!body.includes('\n')) return body;
  const lines = body.split('\n');
  const last = lines.length - 1;
  return foldLines(
    lines.map((line, index) => {
      const trimmed = index > 0 ? line.trimStart() : line;
      return index < last ? trimmed.trimEnd() : trimmed;
    }),
  );
}

/**
 * Joins lines with a space, or with a line break for each empty line between them. A line break beside a line that is deep,
 * such as one with more indentation in block text, is kept besides.
 */
export function foldLines(lines: readonly string[], isDeep: (line: string) => boolean = () => false): string {
  const pieces = lines.slice(0, 1);
  let wasDeep = isDeep(pieces[0] ?? '');
  let empty = 0;
  for (let index = 1; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (line === '' && index < lines.length - 1) {
      empty += 1;
      continue;
    }
    const breaks = wasDeep || isDeep(line) ? empty + 1 : empty;
    pieces.push(breaks === 0 ? ' ' : '\n'.repeat(breaks), line);
    wasDeep = isDeep(line);
    empty = 0;
  }
  return pieces.join('');
}
