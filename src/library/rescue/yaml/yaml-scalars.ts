// Reads scalars of YAML: the words and numbers of its core schema, quoted text, and block text. Independent of structure.
import { decodeEscapes } from '../text/unescape';
import type { EscapeDialect } from '../text/unescape';
import type { YamlLines } from './yaml-lines';

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

/** Undefined when the quote at `at` is not closed before `to`. */
export function readQuoted(text: string, at: number, to: number): QuotedReading | undefined {
  return text.charAt(at) === '"' ? readDouble(text, at, to) : readSingle(text, at, to);
}

function readSingle(text: string, at: number, to: number): QuotedReading | undefined {
  const pieces: string[] = [];
  let from = at + 1;
  for (;;) {
    const quote = text.indexOf("'", from);
    if (quote === -1 || quote >= to) return undefined;
    pieces.push(text.slice(from, quote));
    if (text.charAt(quote + 1) !== "'") return { value: foldBreaks(pieces.join('')), end: quote + 1 };
    pieces.push("'");
    from = quote + 2;
  }
}

function readDouble(text: string, at: number, to: number): QuotedReading | undefined {
  let end = at + 1;
  while (end < to && text.charAt(end) !== '"') end += text.charAt(end) === '\\' ? 2 : 1;
  if (end >= to) return undefined;
  // Line breaks are folded before escapes are read, because escaped line breaks are meant.
  return { value: decodeEscapes(foldBreaks(text.slice(at + 1, end)), ESCAPES), end: end + 1 };
}

/** Folds line breaks: a single one becomes a space, and of several one is dropped. */
export function foldBreaks(body: string): string {
  if (!body.includes('\n')) return body;
  const lines = body
    .split('\n')
    .map((line, index, all) => trimEdges(line, index > 0, index < all.length - 1));
  return foldLines(lines);
}

function trimEdges(line: string, atStart: boolean, atEnd: boolean): string {
  const trimmed = atStart ? line.trimStart() : line;
  return atEnd ? trimmed.trimEnd() : trimmed;
}

export function foldLines(lines: readonly string[]): string {
  const pieces: string[] = [];
  let breaks = 0;
  for (const [index, line] of lines.entries()) {
    if (index > 0) breaks += 1;
    if (line === '' && index < lines.length - 1) continue;
    if (breaks > 0) pieces.push(breaks === 1 ? ' ' : '\n'.repeat(breaks - 1));
    pieces.push(line);
    breaks = 0;
  }
  return pieces.join('');
}

const HEADER = /^([|>])([+-]?)([1-9]?)([+-]?)[ \t]{0,16}(?:#.{0,200})?$/;

/** Text after `|` or `>`; undefined when `header` is no such header. The line of the header must be the current line. */
export function readBlockText(lines: YamlLines, header: string, parentIndent: number): string | undefined {
  const [, style, first, digit, last] = HEADER.exec(header) ?? [];
  if (style === undefined) return undefined;
  lines.advance();
  const indent = digit === '' || digit === undefined ? undefined : Math.max(parentIndent, 0) + Number(digit);
  const body = collectBlock(lines, parentIndent, indent);
  let length = body.length;
  while (length > 0 && body[length - 1] === '') length -= 1;
  const content = body.slice(0, length);
  const chomp = first === '' ? last : first;
  const text = style === '|' ? content.join('\n') : foldBlock(content);
  if (chomp === '-' || length === 0) return chomp === '+' ? '\n'.repeat(body.length) : text;
  return chomp === '+' ? text + '\n'.repeat(body.length - length + 1) : `${text}\n`;
}

function collectBlock(lines: YamlLines, parentIndent: number, given: number | undefined): string[] {
  const body: string[] = [];
  let indent = given;
  for (let line = lines.raw; line; line = lines.raw) {
    if (!line.isBlank) {
      indent ??= line.indent;
      if (line.indent < indent || line.indent <= parentIndent) break;
    }
    body.push(lines.text.slice(Math.min(line.lineStart + (indent ?? line.indent), line.end), line.end));
    lines.advance();
  }
  return body;
}

/** Lines are joined with spaces, except at blank lines and at lines with more indentation. */
function foldBlock(lines: readonly string[]): string {
  const pieces: string[] = [];
  let wasDeep = true;
  let breaks = 0;
  for (const line of lines) {
    const isDeep = line.startsWith(' ') || line.startsWith('\t');
    if (line === '') breaks += 1;
    else {
      const joint =
        breaks > 0 ? '\n'.repeat(wasDeep || isDeep ? breaks + 1 : breaks) : wasDeep || isDeep ? '\n' : ' ';
      pieces.push(pieces.length === 0 ? '\n'.repeat(breaks) : joint, line);
      wasDeep = isDeep;
      breaks = 0;
    }
  }
  return pieces.join('');
}
