// Reads YAML's collections in brackets, including JSON. Independent of lines.
import type { JsonRecord } from '../../util/json';
import { isBlank } from '../text/white-space';
import type { RepairLog } from '../core/repair-log';
import { DEEPEST } from '../json/strict-end';
import { setOwn } from '../core/call-keys';
import { foldBreaks, readQuoted, resolvePlain } from './yaml-scalars';

export interface FlowReading {
  value: unknown;
  /** Offset after the closing bracket. */
  end: number;
  failure?: { at: number; reason: 'malformed' | 'too-deep' } | undefined;
}

const INDICATORS = ',[]{}';

/** Reads the collection whose bracket is at `at`; it has to close before `to`. */
export function readFlow(text: string, at: number, to: number, log: RepairLog): FlowReading {
  return new FlowReader(text, at, to, log).read();
}

class FlowReader {
  readonly #text: string;
  readonly #to: number;
  readonly #log: RepairLog;
  #at: number;
  #depth = 0;
  #failure: FlowReading['failure'];

  constructor(text: string, at: number, to: number, log: RepairLog) {
    this.#text = text;
    this.#at = at;
    this.#to = to;
    this.#log = log;
  }

  read(): FlowReading {
    const value = this.#readNode();
    return { value, end: this.#at, failure: this.#failure };
  }

  /** Recursive, but the limit on the depth protects the stack. */
  #readNode(): unknown {
    const character = this.#character();
    if (character === '"' || character === "'") return this.#readText();
    if (character !== '[' && character !== '{') return this.#readPlain();
    if (this.#depth >= DEEPEST) return this.#fail('too-deep');
    this.#depth += 1;
    this.#at += 1;
    const value = character === '[' ? this.#readList() : this.#readMapping();
    this.#depth -= 1;
    return value;
  }

  #readList(): unknown[] {
    const items: unknown[] = [];
    while (!this.#closes(']')) {
      items.push(this.#readNode());
      this.#readSeparator(']');
    }
    return items;
  }

  #readMapping(): JsonRecord {
    const record: JsonRecord = {};
    while (!this.#closes('}')) {
      const start = this.#at;
      const key = this.#readKey();
      const hasValue = !this.#failure && this.#character() === ':';
      if (hasValue) this.#at += 1;
      this.#skip();
      const isEmpty = !hasValue || ',}'.includes(this.#character());
      const value = isEmpty ? null : this.#readNode();
      if (Object.hasOwn(record, key)) this.#fail('malformed', start);
      setOwn(record, key, value);
      this.#readSeparator('}');
    }
    return record;
  }

  #readKey(): string {
    const character = this.#character();
    const isQuoted = character === '"' || character === "'";
    const key = isQuoted ? this.#readText() : this.#readPlainText();
    this.#skip();
    return key ?? '';
  }

  /** True after the last member, or after a failure, so that reading stops. */
  #closes(closer: string): boolean {
    this.#skip();
    if (this.#failure) return true;
    if (this.#at >= this.#to) this.#fail('malformed');
    else if (this.#character() !== closer) return false;
    else this.#at += 1;
    return true;
  }

  #readSeparator(closer: string): void {
    this.#skip();
    if (this.#failure || this.#character() === closer) return;
    if (this.#character() === ',') this.#at += 1;
    else this.#fail('malformed');
  }

  #readText(): string | undefined {
    const reading = readQuoted(this.#text, this.#at, this.#to);
    if (!reading) return this.#fail('malformed');
    this.#at = reading.end;
    return reading.value;
  }

  #readPlain(): unknown {
    const text = this.#readPlainText();
    return text === undefined ? undefined : resolvePlain(text);
  }

  #readPlainText(): string | undefined {
    const start = this.#at;
    const first = this.#character();
    if ('&!|>`'.includes(first)) return this.#fail('malformed');
    if ('*@%'.includes(first)) this.#log.add('unquoted-string', start);
    while (this.#at < this.#to && !this.#endsPlain()) this.#at += 1;
    const text = this.#text.slice(start, this.#at).trim();
    return text === '' ? this.#fail('malformed') : foldBreaks(text);
  }

  #endsPlain(): boolean {
    const character = this.#character();
    if (INDICATORS.includes(character)) return true;
    if (character === '#') return isBlank(this.#text.charCodeAt(this.#at - 1));
    if (character !== ':') return false;
    const next = this.#text.charAt(this.#at + 1);
    return next === '' || INDICATORS.includes(next) || isBlank(next.charCodeAt(0));
  }

  #skip(): void {
    for (;;) {
      while (this.#at < this.#to && isBlank(this.#text.charCodeAt(this.#at))) this.#at += 1;
      const isComment = this.#character() === '#' && isBlank(this.#text.charCodeAt(this.#at - 1));
      if (!isComment) return;
      while (this.#at < this.#to && this.#character() !== '\n') this.#at += 1;
    }
  }

  #character(): string {
    return this.#at < this.#to ? this.#text.charAt(this.#at) : ' ';
  }

  #fail(reason: 'malformed' | 'too-deep', at = this.#at): undefined {
    this.#failure ??= { at, reason };
  }
}
