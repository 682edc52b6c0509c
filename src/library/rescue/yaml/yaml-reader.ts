// Reads the YAML in which calls are written: block mappings and lists, scalars of the core schema, flow collections, several
// documents. Anchors, aliases and tags are not supported, so values cannot grow; anything unknown is a failure with its
// offset.
import type { RescueRepair } from '../../../types';
import type { JsonRecord } from '../../util/json';
import type { Extent } from '../core/json-reading';
import { RepairLog } from '../core/repair-log';
import { DEEPEST } from '../json/strict-end';
import { setOwn } from '../core/call-keys';
import type { TextSource } from '../core/rescue-context';
import { readFlow } from './yaml-flow';
import { YamlLines } from './yaml-lines';
import type { YamlLine } from './yaml-lines';
import { findKey, findPlainEnd, isEntry } from './yaml-marks';
import { foldLines, readBlockText, readQuoted, resolvePlain } from './yaml-scalars';

export interface YamlReading {
  /** The value of each document; the last one may be incomplete. */
  documents: { value: unknown; start: number; end: number }[];
  /** The offsets of each mapping. */
  spans: ReadonlyMap<object, Extent>;
  /** The source text of scalars that are not text, by mapping and key. */
  sources: ReadonlyMap<object, ReadonlyMap<string, string>>;
  repairs: readonly RescueRepair[];
  failure?: { at: number; reason: 'malformed' | 'too-deep' } | undefined;
}

/** Reads the part of the text from `from` to `to`. */
export function readYaml(source: TextSource, from: number, to: number): YamlReading {
  return new YamlReader(source, from, to).read();
}

class YamlReader {
  readonly #text: string;
  readonly #to: number;
  readonly #lines: YamlLines;
  readonly #log = new RepairLog();
  readonly #spans = new Map<object, Extent>();
  readonly #sources = new Map<object, Map<string, string>>();
  #failure: YamlReading['failure'];
  #depth = 0;
  /** Offset after the last value. */
  #end: number;
  /** The source text of the last scalar, if it was not quoted. */
  #plain: string | undefined;

  constructor(source: TextSource, from: number, to: number) {
    this.#text = source.text;
    this.#to = to;
    this.#end = from;
    this.#lines = new YamlLines(source.text, from, to);
    source.meter.spend(from, to);
  }

  read(): YamlReading {
    const documents: YamlReading['documents'] = [];
    for (let line = this.#nextDocument(); line && !this.#failure; line = this.#nextDocument()) {
      const { start } = line;
      const document = { value: undefined as unknown, start, end: start };
      documents.push(document);
      document.value = this.#readNode(line.indent, (value) => (document.value = value));
      document.end = this.#end;
      const rest = this.#lines.current;
      if (rest && !this.#isMark(rest)) this.#fail(rest.start);
    }
    const spans: ReadonlyMap<object, Extent> = this.#spans;
    return { documents, spans, sources: this.#sources, repairs: this.#log.repairs, failure: this.#failure };
  }

  #nextDocument(): YamlLine | undefined {
    while (this.#lines.current && this.#isMark(this.#lines.current)) this.#lines.advance();
    return this.#lines.current;
  }

  #isMark({ start, end, indent }: YamlLine): boolean {
    const mark = this.#text.slice(start, Math.min(end, start + 8)).trimEnd();
    return indent === 0 && (mark === '---' || mark === '...');
  }

  /** Reads the value at the current line and below. `begin` receives a collection before it is filled. */
  #readNode(indent: number, begin: (value: unknown) => void): unknown {
    const line = this.#lines.current;
    if (!line) return null;
    if (line.hasTab) return this.#fail(line.start);
    if (this.#depth >= DEEPEST) return this.#fail(line.start, 'too-deep');
    this.#depth += 1;
    const value = this.#readCollection(line, indent, begin);
    this.#depth -= 1;
    return value;
  }

  #readCollection(line: YamlLine, indent: number, begin: (value: unknown) => void): unknown {
    if (isEntry(this.#text, line)) {
      const items: unknown[] = [];
      begin(items);
      this.#readList(items, indent);
      return items;
    }
    if (!findKey(this.#text, line)) return this.#readValue(line.start, indent - 1);
    const record: JsonRecord = {};
    begin(record);
    this.#readMapping(record, indent);
    this.#spans.set(record, { start: line.start, end: this.#end });
    return record;
  }

  #readList(items: unknown[], indent: number): void {
    for (let line = this.#lines.current; line && !this.#failure; line = this.#lines.current) {
      if (line.indent !== indent || this.#isMark(line) || !isEntry(this.#text, line)) return;
      let start = line.start + 1;
      while (start < line.end && this.#text.charAt(start) === ' ') start += 1;
      const isInline = start < line.end && this.#text.charAt(start) !== '#';
      if (isInline) this.#lines.enter(start);
      else this.#lines.advance();
      const child = this.#lines.current;
      const isEmpty = !child || (!isInline && child.indent <= indent);
      const place = items.push(null) - 1;
      const set = (value: unknown): void => {
        items[place] = value;
      };
      if (!isEmpty) set(this.#readNode(child.indent, set));
    }
  }

  #readMapping(record: JsonRecord, indent: number): void {
    for (let line = this.#lines.current; line && !this.#failure; line = this.#lines.current) {
      if (line.indent < indent || this.#isMark(line)) return;
      const key = line.indent === indent && !line.hasTab ? findKey(this.#text, line) : undefined;
      // A repeated key is not valid YAML, and nothing tells which one is meant.
      if (!key || Object.hasOwn(record, key.name)) return this.#fail(line.start);
      const set = (value: unknown): void => {
        setOwn(record, key.name, value);
      };
      set(null);
      this.#plain = undefined;
      set(this.#readMember(line, key.valueStart, set));
      this.#noteSource(record, key.name);
    }
  }

  #readMember(line: YamlLine, start: number, begin: (value: unknown) => void): unknown {
    if (start < line.end && this.#text.charAt(start) !== '#') return this.#readValue(start, line.indent);
    this.#end = line.end;
    this.#lines.advance();
    const child = this.#lines.current;
    if (!child || this.#isMark(child)) return null;
    // A list may have the same indentation as its key.
    const isList = child.indent === line.indent && isEntry(this.#text, child);
    return child.indent > line.indent || isList ? this.#readNode(child.indent, begin) : null;
  }

  #noteSource(record: JsonRecord, key: string): void {
    const isText = typeof record[key] === 'string' || typeof record[key] === 'object';
    if (isText || this.#plain === undefined) return;
    const sources = this.#sources.get(record) ?? new Map<string, string>();
    this.#sources.set(record, sources.set(key, this.#plain));
  }

  /** Reads a value that begins on its line. */
  #readValue(start: number, parentIndent: number): unknown {
    const character = this.#text.charAt(start);
    const { end } = this.#lines.current ?? { end: start };
    if (character === '"' || character === "'") return this.#readQuotedValue(start);
    if (character === '[' || character === '{') return this.#readFlowValue(start);
    if (character === '&' || character === '!') return this.#fail(start);
    if (character === '|' || character === '>') {
      const text = readBlockText(this.#lines, this.#text.slice(start, end), parentIndent);
      if (text !== undefined) {
        this.#end = this.#lines.raw?.lineStart ?? this.#to;
        return text;
      }
    }
    return this.#readPlain(start, parentIndent);
  }

  #readQuotedValue(start: number): unknown {
    const reading = readQuoted(this.#text, start, this.#to);
    if (!reading) return this.#fail(start);
    return this.#endLine(reading.end) ? reading.value : this.#fail(reading.end);
  }

  #readFlowValue(start: number): unknown {
    const { value, end, failure } = readFlow(this.#text, start, this.#to, this.#log);
    if (failure) return this.#fail(failure.at, failure.reason);
    return this.#endLine(end) ? value : this.#fail(end);
  }

  /** Whether only a comment follows on the line. */
  #endLine(at: number): boolean {
    this.#end = at;
    this.#lines.moveTo(at);
    const lineEnd = this.#lines.raw?.end ?? at;
    this.#lines.advance();
    let next = at;
    while (next < lineEnd && ' \t'.includes(this.#text.charAt(next))) next += 1;
    return next >= lineEnd || (this.#text.charAt(next) === '#' && next > at);
  }

  /** Reads text without quotes, and the lines below with more indentation. */
  #readPlain(start: number, parentIndent: number): unknown {
    const parts: string[] = [];
    const isStrange = '*@`%|>?'.includes(this.#text.charAt(start));
    for (let line = this.#lines.raw, at = start; line; line = this.#lines.raw, at = line?.start ?? at) {
      const isFirst = parts.length === 0;
      if (!isFirst && !line.isBlank && (line.indent <= parentIndent || this.#isMark(line))) break;
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

  #fail(at: number, reason?: string): undefined {
    this.#failure ??= { at, reason: reason === 'too-deep' ? reason : 'malformed' };
  }
}
