// Splits YAML into lines with their indentation, with a cursor on the current line, and recognises what a line is. Does not
// read values.
import { readQuoted } from './yaml-scalars';

export interface YamlLine {
  /** Offset of the first character that is not a space or tab. */
  start: number;
  /** Offset of the end, without the line break. */
  end: number;
  /** Number of columns before `start`. A line inside another (`- key: value`) has the column of its content. */
  indent: number;
  /** Offset of the beginning of the line itself. */
  lineStart: number;
  isBlank: boolean;
  hasTab: boolean;
}

export class YamlLines {
  readonly text: string;
  readonly #lines: YamlLine[] = [];
  #index = 0;

  constructor(text: string, from: number) {
    this.text = text;
    for (let at = from; at < text.length;) {
      const next = text.indexOf('\n', at);
      const end = next === -1 ? text.length : next;
      this.#lines.push(toLine(text, at, end));
      at = end + 1;
    }
  }

  /** The next line to be read; skips blank lines and comments. */
  get current(): YamlLine | undefined {
    while (this.#isSilent(this.raw)) this.#index += 1;
    return this.raw;
  }

  /** The next line, even if it is blank or a comment; for text in which blank lines count. */
  get raw(): YamlLine | undefined {
    return this.#lines[this.#index];
  }

  advance(): void {
    this.#index += 1;
  }

  /** Makes the rest of the line a line of its own, whose indentation is the column of its start. */
  enter(line: YamlLine, start: number): void {
    this.#lines[this.#index] = { ...line, start, indent: start - line.lineStart };
  }

  /** Continues after `at`, the end of a value of several lines. The rest of its line is still to be read. */
  moveTo(at: number): void {
    while ((this.raw?.end ?? Infinity) < at) this.#index += 1;
  }

  #isSilent(line: YamlLine | undefined): boolean {
    return line !== undefined && (line.isBlank || this.text.charAt(line.start) === '#');
  }
}

function toLine(text: string, lineStart: number, lineEnd: number): YamlLine {
  const end = text.charAt(lineEnd - 1) === '\r' && lineEnd > lineStart ? lineEnd - 1 : lineEnd;
  let start = lineStart;
  while (start < end && text.charAt(start) === ' ') start += 1;
  const hasTab = text.charAt(start) === '\t';
  if (hasTab) start = skipBlanks(text, start, end);
  return { start, end, indent: start - lineStart, lineStart, isBlank: start >= end, hasTab };
}

/** Skips spaces and tabs. */
export function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && ' \t'.includes(text.charAt(at))) at += 1;
  return at;
}

/** Whether the line begins or ends a document. */
export function isMark(text: string, { start, end, indent }: YamlLine): boolean {
  const mark = text.slice(start, Math.min(end, start + 8)).trimEnd();
  return indent === 0 && (mark === '---' || mark === '...');
}

/** Whether the line is an entry of a list: `- item`. */
export const isEntry = (text: string, { start, end }: YamlLine): boolean =>
  text.charAt(start) === '-' && (start + 1 >= end || text.charAt(start + 1) === ' ');

export interface YamlKey {
  name: string;
  /** Offset of the value on the same line, after spaces and tabs; the end of the line when there is none. */
  valueStart: number;
}

/** A key without quotes and its colon: it begins with no indicator, and holds neither a comment nor a colon before a blank. */
const PLAIN_KEY = /^[^[\]{},#&*!|>@`"'%?](?:[^: ]|:(?![ \t]|$)| (?!#)){0,254}:(?=[ \t]|$)/;
const LONGEST_QUOTED_KEY = 256;

/** The key in `key: value`, quoted or not; undefined when the line is something else. */
export function findKey(text: string, { start, end }: YamlLine): YamlKey | undefined {
  if (`"'`.includes(text.charAt(start))) return findQuotedKey(text, start, end);
  const [written] = PLAIN_KEY.exec(text.slice(start, end)) ?? [];
  if (written === undefined) return undefined;
  return { name: written.slice(0, -1).trim(), valueStart: skipBlanks(text, start + written.length, end) };
}

function findQuotedKey(text: string, start: number, end: number): YamlKey | undefined {
  const quoted = readQuoted(text.slice(0, Math.min(end, start + LONGEST_QUOTED_KEY)), start);
  const colon = quoted ? skipBlanks(text, quoted.end, end) : end;
  if (!quoted || !/^:(?:[ \t]|$)/.test(text.slice(colon, Math.min(end, colon + 2)))) return undefined;
  return { name: quoted.value, valueStart: skipBlanks(text, colon + 1, end) };
}

/** The offset at which a comment begins after a value without quotes, or the end of the line. */
export function findPlainEnd(text: string, start: number, end: number): number {
  const blank = text.slice(start, end).search(/[ \t]#/);
  return blank === -1 ? end : start + blank + 1;
}
