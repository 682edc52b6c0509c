// Reads the YAML in which calls are written: block mappings and lists, scalars of the core schema, flow collections, several
// documents. Anchors, aliases and tags are not supported, so values cannot grow; anything unknown is a failure with its
// offset.
import { setOwn } from '../../util/json';
import type { RescueRepair } from '../../../types';
import type { JsonRecord } from '../../util/json';
import type { ReadFailure } from '../core/json-reading';
import type { Span } from '../text/cut-text';
import { describeFailure, toCutRefusal } from '../core/refusals';
import { RepairLog } from '../core/repair-log';
import type { Refusal } from '../core/rescue-format';
import type { TextSource } from '../core/rescue-context';
import { DEEPEST } from '../json/strict-end';
import { readFlow } from './yaml-flow';
import { findKey, findPlainEnd, isEntry, isMark, skipBlanks, YamlLines } from './yaml-lines';
import type { YamlLine } from './yaml-lines';
import { foldLines, readQuoted, resolvePlain } from './yaml-scalars';
import { findProperties, findTypes } from '../schema/schema-types';

export interface YamlReading {
  /** The value of each document; the last one may be incomplete. */
  documents: { value: unknown; start: number; end: number }[];
  /** The offsets of each mapping. */
  spans: ReadonlyMap<object, Span>;
  /** The source text of scalars that are not text, by mapping and key. */
  sources: ReadonlyMap<object, ReadonlyMap<string, string>>;
  repairs: readonly RescueRepair[];
  failure?: ReadFailure | undefined;
}

/** Why the call is not made. @param failure Undefined when nothing closes the YAML, so that its last value may be cut. */
export const describeYaml = (failure: YamlReading['failure'], name: string | undefined): Refusal =>
  failure ? describeFailure(failure, name, { language: 'YAML' }) : toCutRefusal(name, 'inside its YAML');

/** Reads the part of the text from `from` to `to`. */
export function readYaml(source: TextSource, from: number, to: number): YamlReading {
  source.meter.spend(from, to);
  return new YamlReader(source.text.slice(0, to), from).read();
}

class YamlReader {
  readonly #text: string;
  readonly #lines: YamlLines;
  readonly #log = new RepairLog();
  readonly #spans = new Map<object, Span>();
  readonly #sources = new Map<object, Map<string, string>>();
  #failure: YamlReading['failure'];
  #depth = 0;
  /** Offset after the last value. */
  #end: number;
  /** The source text of the last scalar, if it was not quoted. */
  #plain: string | undefined;

  constructor(text: string, from: number) {
    this.#text = text;
    this.#end = from;
    this.#lines = new YamlLines(text, from);
  }

  read(): YamlReading {
    const documents: YamlReading['documents'] = [];
    for (let line = this.#nextDocument(); line && !this.#failure; line = this.#nextDocument()) {
      this.#end = line.start;
      documents.push({ value: this.#readNode(line), start: line.start, end: this.#end });
      const rest = this.#lines.current;
      if (rest && !isMark(this.#text, rest)) this.#fail(rest.start);
    }
    const spans: ReadonlyMap<object, Span> = this.#spans;
    return { documents, spans, sources: this.#sources, repairs: this.#log.repairs, failure: this.#failure };
  }

  #nextDocument(): YamlLine | undefined {
    while (this.#lines.current && isMark(this.#text, this.#lines.current)) this.#lines.advance();
    return this.#lines.current;
  }

  /** Reads the value at the current line and below. After a failure, it is what was read so far. */
  #readNode(line: YamlLine): unknown {
    if (line.hasTab) return this.#fail(line.start);
    if (this.#depth >= DEEPEST) return this.#fail(line.start, 'too-deep');
    this.#depth += 1;
    const value = this.#readLevel(line);
    this.#depth -= 1;
    return value;
  }

  #readLevel(line: YamlLine): unknown {
    if (isEntry(this.#text, line)) return this.#readList(line.indent);
    return findKey(this.#text, line)
      ? this.#readMapping(line)
      : this.#readValue(line, line.start, line.indent - 1);
  }

  #readList(indent: number): unknown[] {
    const items: unknown[] = [];
    for (let line = this.#lines.current; line && !this.#failure; line = this.#lines.current) {
      if (line.indent !== indent || !isEntry(this.#text, line)) break;
      const start = skipBlanks(this.#text, line.start + 1, line.end);
      const isInline = start < line.end && this.#text.charAt(start) !== '#';
      if (isInline) this.#lines.enter(line, start);
      else this.#lines.advance();
      const child = this.#lines.current;
      items.push(child && (isInline || child.indent > indent) ? this.#readNode(child) : null);
    }
    return items;
  }

  #readMapping({ start, indent }: YamlLine): JsonRecord {
    const record: JsonRecord = {};
    for (let line = this.#lines.current; line && !this.#failure; line = this.#lines.current) {
      if (line.indent < indent || isMark(this.#text, line)) break;
      const key = line.indent === indent && !line.hasTab ? findKey(this.#text, line) : undefined;
      // A repeated key is not valid YAML, and nothing tells which one is meant.
      if (!key || Object.hasOwn(record, key.name)) this.#fail(line.start);
      else this.#readMember(record, key.name, line, key.valueStart);
    }
    this.#spans.set(record, { start, end: this.#end });
    return record;
  }

  #readMember(record: JsonRecord, key: string, line: YamlLine, start: number): void {
    this.#plain = undefined;
    const isInline = start < line.end && this.#text.charAt(start) !== '#';
    const value = isInline ? this.#readValue(line, start, line.indent) : this.#readBelow(line);
    setOwn(record, key, value);
    if (this.#plain === undefined || typeof value === 'string' || typeof value === 'object') return;
    const sources = this.#sources.get(record) ?? new Map<string, string>();
    this.#sources.set(record, sources.set(key, this.#plain));
  }

  /** Reads the value below a key. */
  #readBelow(line: YamlLine): unknown {
    this.#end = line.end;
    this.#lines.advance();
    const child = this.#lines.current;
    if (!child || isMark(this.#text, child)) return null;
    // A list may have the same indentation as its key.
    const isList = child.indent === line.indent && isEntry(this.#text, child);
    return child.indent > line.indent || isList ? this.#readNode(child) : null;
  }

  /** Reads a value that begins at `start` on the line. */
  #readValue(line: YamlLine, start: number, parentIndent: number): unknown {
    const character = this.#text.charAt(start);
    if (`"'`.includes(character)) return this.#readQuotedValue(start);
    if ('[{'.includes(character)) return this.#readFlowValue(start);
    if ('&!'.includes(character)) return this.#fail(start);
    const header = this.#text.slice(start, line.end);
    const text = '|>'.includes(character) ? readBlockText(this.#lines, header, parentIndent) : undefined;
    if (text === undefined) return this.#readPlain(start, parentIndent);
    this.#end = this.#lines.raw?.lineStart ?? this.#text.length;
    return text;
  }

  #readQuotedValue(start: number): unknown {
    const reading = readQuoted(this.#text, start);
    if (!reading) return this.#fail(start);
    return this.#endLine(reading.end) ? reading.value : this.#fail(reading.end);
  }

  #readFlowValue(start: number): unknown {
    const { value, end, failure } = readFlow(this.#text, start);
    if (failure) return this.#fail(failure.at, failure.reason);
    return this.#endLine(end) ? value : this.#fail(end);
  }

  /** Whether only a comment follows on the line. */
  #endLine(at: number): boolean {
    this.#end = at;
    this.#lines.moveTo(at);
    const lineEnd = this.#lines.raw?.end ?? at;
    this.#lines.advance();
    const next = skipBlanks(this.#text, at, lineEnd);
    return next >= lineEnd || (this.#text.charAt(next) === '#' && next > at);
  }

  /** Reads text without quotes, and the lines below with more indentation. */
  #readPlain(start: number, parentIndent: number): unknown {
    const parts: string[] = [];
    const isStrange = '*@`%|>?'.includes(this.#text.charAt(start));
    for (let line = this.#lines.raw, at = start; line; line = this.#lines.raw, at = line?.start ?? at) {
      const isFirst = parts.length === 0;
      if (!isFirst && !line.isBlank && (line.indent <= parentIndent || isMark(this.#text, line))) break;
      if (!isFirst && (line.hasTab || findKey(this.#text, line))) return this.#fail(line.start);
      const end = findPlainEnd(this.#text, at, line.end);
      parts.push(this.#text.slice(at, end).trim());
      if (parts.at(-1) !== '') this.#end = end;
      this.#lines.advance();
    }
    while (parts.at(-1) === '') parts.pop();
    const text = foldLines(parts);
    if (isStrange || / ?: /.test(text)) this.#log.add('unquoted-string', start);
    this.#plain = text;
    return parts.length > 1 || isStrange ? text : resolvePlain(text);
  }

  #fail(at: number, reason?: ReadFailure['reason']): undefined {
    this.#failure ??= { reason: reason === 'too-deep' ? reason : 'malformed', at, inside: 'its line' };
  }
}

const HEADER = /^([|>])([+-]?)([1-9]?)([+-]?)[ \t]{0,16}(?:#.{0,200})?$/;

/** Undefined when `header` is no header of such text. Its line must be the current line. */
function readBlockText(lines: YamlLines, header: string, parentIndent: number): string | undefined {
  const [, style, first = '', digit = '', last = ''] = HEADER.exec(header) ?? [];
  if (style === undefined) return undefined;
  lines.advance();
  const indent = digit === '' ? undefined : Math.max(parentIndent, 0) + Number(digit);
  const body = readLines(lines, parentIndent, indent);
  const length = body.findLastIndex((line) => line !== '') + 1;
  const content = body.slice(0, length);
  // Line breaks around an indented line stay, like those before the first line.
  const text = style === '|' ? content.join('\n') : foldLines(content, (line) => /^(?:[ \t]|$)/.test(line));
  const end = length === 0 ? '' : '\n';
  const chomping = first === '' ? last : first;
  if (chomping === '-') return text;
  return text + end + (chomping === '+' ? '\n'.repeat(body.length - length) : '');
}

/** The lines with more indentation than the parent, without the indentation of the first one. */
function readLines(lines: YamlLines, parentIndent: number, given: number | undefined): string[] {
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

/** Changes the arguments of a call. @param schema The schema of the tool's parameters. */
export function keepTexts(written: JsonRecord, { sources }: YamlReading, schema: unknown): void {
  const properties = findProperties(schema) ?? {};
  for (const [key, source] of sources.get(written) ?? []) {
    const types = Object.hasOwn(properties, key) ? findTypes(properties[key], schema) : [];
    if (types.length === 1 && types[0] === 'string') setOwn(written, key, source);
  }
}
