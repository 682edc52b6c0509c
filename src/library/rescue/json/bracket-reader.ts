// Reads values in nested brackets, without recursion: lists, objects, and the arguments of a call. What stands in the
// brackets and between the values is the matter of the dialects that extend this reader.
import { setOwn } from '../../util/json';
import type { JsonRecord } from '../../util/json';
import type { ReadFailure } from '../core/json-reading';
import type { RepairLog } from '../core/repair-log';
import type { TextSource } from '../core/rescue-context';
import { DEEPEST } from './strict-end';

/** A set begins like an object; what follows its first value distinguishes them. */
export type BracketKind = 'list' | 'tuple' | 'object' | 'set' | 'arguments';

/** A value, or why it could not be read. `end` is the offset after it, or where reading failed. */
export type BracketReading<Value = unknown> =
  | { value: Value; end: number; failure?: undefined }
  | { value?: undefined; end: number; failure: ReadFailure };

/** The value of the brackets around the arguments of a call. */
export interface ArgumentsValue {
  keywords: JsonRecord;
  /** The values without a name. */
  positional: unknown[];
}

/** Open brackets. */
export interface Frame {
  kind: BracketKind;
  start: number;
  items: unknown[];
  record: JsonRecord;
  /** The key of the value that is being read; undefined while it has none. */
  key: string | undefined;
  hasComma: boolean;
}

const CLOSERS: Readonly<Record<BracketKind, string>> = {
  list: ']',
  tuple: ')',
  object: '}',
  set: '}',
  arguments: ')',
};

export abstract class BracketReader {
  protected readonly source: TextSource;
  protected readonly text: string;
  protected readonly log: RepairLog;
  protected readonly frames: Frame[] = [];
  protected at: number;
  /** `element`: a value with its key, if it has one, or the closer. */
  protected expects: 'value' | 'element' | 'separator' | 'nothing' = 'value';
  protected failure: ReadFailure | undefined;
  /** Offset of the last comma while nothing has followed it; otherwise -1. */
  protected commaAt = -1;
  /** The value as far as its brackets are closed. */
  protected root: unknown;

  constructor(source: TextSource, at: number, log: RepairLog) {
    this.source = source;
    this.text = source.text;
    this.log = log;
    this.at = at;
  }

  /** Reads one value. The caller handles what follows it. */
  read(): BracketReading {
    const start = this.at;
    while (this.expects !== 'nothing' && !this.failure) this.#step();
    this.source.meter.spend(start, this.at);
    return this.failure ? { end: this.at, failure: this.failure } : { value: this.root, end: this.at };
  }

  /** The offset of what follows white space and comments; fails where a comment does not end. */
  protected abstract skipBlank(at: number): number;

  /** Opens brackets, or places a scalar. */
  protected abstract readValue(): void;

  /** Reads the key of an object's next member, and takes it. */
  protected abstract readKey(frame: Frame): void;

  /** Called where neither a comma nor the closer follows a value. */
  protected abstract readSeparator(frame: Frame): void;

  /** Called for a comma before the closer. Most languages allow it. */
  protected endWithComma(): void {}

  /** What is being read, as part of a sentence, with the key that it belongs to. */
  protected describe(what = 'the value'): string {
    const key = this.frames.findLast((frame) => (frame.key ?? '') !== '')?.key;
    return key === undefined ? what : `${what} \`${key.slice(0, 80)}\``;
  }

  /** Called where the text ends before the value does. */
  protected readEnd(): void {
    this.fail('truncated');
  }

  /** Reads the arguments of a call up to a value. Only a dialect that opens such brackets has them. */
  protected readArgument(_frame: Frame): void {
    this.readValue();
  }

  protected get top(): Frame | undefined {
    return this.frames.at(-1);
  }

  /** Opens the brackets at the current offset. */
  protected open(kind: BracketKind): void {
    if (this.frames.length >= DEEPEST) return this.fail('too-deep');
    this.frames.push({ kind, start: this.at, items: [], record: {}, key: undefined, hasComma: false });
    this.at += 1;
    this.commaAt = -1;
    this.expects = 'element';
  }

  /** @param at Offset at which the value of the key is looked for. */
  protected takeKey(frame: Frame, key: string, at: number): void {
    frame.key = key;
    this.at = at;
    this.commaAt = -1;
    this.expects = 'value';
  }

  /** @param end Offset after the value. */
  protected place(value: unknown, end: number): void {
    const { top } = this;
    if (!top) this.root = value;
    else if (top.key === undefined) top.items.push(value);
    else setOwn(top.record, top.key, value);
    this.at = end;
    this.commaAt = -1;
    this.expects = top ? 'separator' : 'nothing';
  }

  /** Closes the innermost brackets before `end`. */
  protected close(end: number): void {
    const frame = this.frames.pop();
    if (frame) this.place(toValue(frame), end);
  }

  protected fail(reason: ReadFailure['reason'], at = this.at): undefined {
    this.failure = { reason, at: reason === 'truncated' ? this.text.length : at, inside: this.describe() };
  }

  #step(): void {
    this.at = this.skipBlank(this.at);
    if (this.failure) return;
    const character = this.text.charAt(this.at);
    if (character === '') return this.readEnd();
    const { top } = this;
    if (!top || this.expects === 'value') return this.readValue();
    if (character === CLOSERS[top.kind]) return this.#closeTop();
    if (this.expects === 'separator')
      return character === ',' ? this.#takeComma(top) : this.readSeparator(top);
    if (top.kind === 'object') return this.readKey(top);
    return top.kind === 'arguments' ? this.readArgument(top) : this.readValue();
  }

  #closeTop(): void {
    if (this.commaAt !== -1) this.endWithComma();
    this.close(this.at + 1);
  }

  #takeComma(top: Frame): void {
    top.hasComma = true;
    this.commaAt = this.at;
    if (top.kind === 'arguments') top.key = undefined;
    this.at += 1;
    this.expects = 'element';
  }
}

function toValue({ kind, items, record, hasComma }: Frame): unknown {
  if (kind === 'arguments') return { keywords: record, positional: items } satisfies ArgumentsValue;
  if (kind === 'object') return record;
  // Brackets around a single value only group it; a comma makes them a tuple.
  return kind === 'tuple' && !hasComma && items.length === 1 ? items[0] : items;
}
