// One record (line) of a journal file: its kinds, and how it is encoded and parsed. A body is known by its key; its value is
// only parsed when somebody reads it. Does no I/O.
import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JournalLine } from '../ports';
import { hasMoreValues, isRecord } from '../../library';

export const FORMAT = 1;
const LINE_FEED = Buffer.from('\n');
/**
 * How much JSON is redacted in one turn of the event loop, in UTF-16 code units; a longer string is not divided. A body that is
 * longer is decoded, counted and parsed in turns of their own.
 */
const SLICE = 256 * 1024;
const MAX_LINE_BYTES = 1024 * 1024;
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Maximum length of a body's key, in UTF-16 code units. */
const MAX_KEY = 1_000;
/** Within these bytes is the key of a body, even if each of its characters is escaped. */
const BODY_HEAD_BYTES = 8 * 1024;
const BODY_START = Buffer.from('{"body":');
const BODY_HEAD = /^\{"body":("(?:[^"\\]|\\.)*")(,"value":|\}$)/;
const CLOSING_BRACE = 125;
/**
 * Maximum number of values in a body that is read. More would be parsed and walked for seconds; the largest reply that is stored,
 * of 5,000 rescued calls, has about 240,000.
 */
export const MAX_BODY_VALUES = 300_000;
/** What is read of a body with more values. */
export const TOO_LARGE = Symbol('too large to be read');
/**
 * Prefix of the key of a companion: a body that belongs to the next body in the file. It does not count towards the limits
 * and is removed before the body it belongs to.
 */
export const COMPANION = '+';
/** Maximum size of an encoded record. The addition is for the key and the property names around the body. */
export const MAX_RECORD_BYTES = MAX_BODY_BYTES + 64 * 1024;

/** What the store needs to know of a record, without its content. */
export type RecordHead =
  | { kind: 'header'; format: number }
  | LineHead
  /** A body record without a value says that the body of this key was removed. */
  | { kind: 'body'; key: string; hasValue: boolean };

interface LineHead {
  kind: 'line';
  /** Key of the body that the line is about. The line is removed together with that body. */
  about?: string;
  /** Whether that body is pinned, which means that the limits do not remove it. Absent in lines that do not say. */
  isPinned?: boolean;
  /** Keys of two bodies: as long as the holder is there, the limits do not remove what it holds. */
  holder?: string;
  held?: string;
}

export type JournalRecord =
  | { kind: 'header'; format: number; sessionId: string }
  | (LineHead & { line: JournalLine })
  | Extract<RecordHead, { kind: 'body' }>;

/** A record as JSON, not yet redacted. */
export interface PlainRecord {
  head: RecordHead;
  text: string;
}

/** A record in the form in which it is written. */
export interface EncodedRecord {
  head: RecordHead;
  /** JSON in UTF-8, with the line feed. */
  bytes: Buffer;
}

/** Returns a copy of a JSON value without secrets, or a promise of it. */
export type Redact = (value: unknown) => unknown;

export const headerOf = (sessionId: string): PlainRecord => ({
  head: { kind: 'header', format: FORMAT },
  text: JSON.stringify({ format: FORMAT, session: sessionId }),
});

/**
 * @returns undefined when the bytes are no valid record, such as a line that was cut off; whether the value of a body is valid
 * is only known when it is read
 */
export function parseRecord(bytes: Buffer): JournalRecord | undefined {
  // Decoding replaces invalid UTF-8, and the changed text could still be valid JSON.
  if (!isUtf8(bytes)) return undefined;
  try {
    const isBody = bytes.subarray(0, BODY_START.length).equals(BODY_START);
    return isBody ? toBodyHead(bytes) : toRecord(JSON.parse(bytes.toString('utf8')));
  } catch {
    return undefined;
  }
}

function toBodyHead(bytes: Buffer): JournalRecord | undefined {
  const [, key, next] = BODY_HEAD.exec(bytes.toString('utf8', 0, BODY_HEAD_BYTES)) ?? [];
  if (key === undefined || bytes.at(-1) !== CLOSING_BRACE) return undefined;
  return { kind: 'body', key: JSON.parse(key) as string, hasValue: next !== '}' };
}

/**
 * Reads the value of the body with this key. A large one takes several turns of the event loop.
 * @returns undefined when the bytes are no valid body, or that of another key; the value is `TOO_LARGE` when it is not parsed
 */
export async function parseBody(bytes: Buffer, key: string): Promise<{ value: unknown } | undefined> {
  const head = parseRecord(bytes);
  if (head?.kind !== 'body' || head.key !== key) return undefined;
  const text = bytes.toString('utf8');
  const isLong = text.length > SLICE;
  if (isLong) await nextTurn();
  if (hasMoreValues(text, MAX_BODY_VALUES)) return { value: TOO_LARGE };
  if (isLong) await nextTurn();
  try {
    return { value: (JSON.parse(text) as { value?: unknown }).value };
  } catch {
    return undefined;
  }
}

/** Redacts the record. A large one is encoded in slices, with a turn of the event loop after each. @throws as `redact` */
export async function encodeRecord({ head, text }: PlainRecord, redact: Redact): Promise<EncodedRecord> {
  const masked = (await redact(head)) as RecordHead;
  const pieces: Buffer[] = [];
  for (let from = 0; from < text.length;) {
    if (from > 0) await nextTurn();
    const { strings, end } = readStrings(text, from);
    pieces.push(await maskStrings(text.slice(from, end), strings, redact));
    from = end;
  }
  return { head: masked, bytes: Buffer.concat([...pieces, LINE_FEED]) };
}

/** A string of a JSON text with its place, which includes the quotation marks. */
interface JsonString {
  start: number;
  end: number;
  value: string;
}

/** The strings of the next slice, also names of properties, with offsets from its beginning. */
function readStrings(text: string, from: number): { strings: JsonString[]; end: number } {
  const strings: JsonString[] = [];
  let end = from;
  while (end - from < SLICE) {
    const start = text.indexOf('"', end);
    if (start === -1) return { strings, end: text.length };
    end = endOfString(text, start);
    strings.push({
      start: start - from,
      end: end - from,
      value: JSON.parse(text.slice(start, end)) as string,
    });
  }
  return { strings, end };
}

/** The offset after the string that begins at `start`: after the first quotation mark behind an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); ; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text[before - 1] === '\\') before--;
    if ((at - before) % 2 === 0) return at + 1;
  }
}

async function maskStrings(text: string, strings: readonly JsonString[], redact: Redact): Promise<Buffer> {
  const masked = (await redact(strings.map(({ value }) => value))) as string[];
  let written = '';
  let done = 0;
  for (const [index, { start, end, value }] of strings.entries()) {
    if (masked[index] === value) continue;
    written += text.slice(done, start) + JSON.stringify(masked[index]);
    done = end;
  }
  return Buffer.from(written + text.slice(done), 'utf8');
}

function toRecord(value: unknown): JournalRecord | undefined {
  if (!isRecord(value)) return undefined;
  const own = (name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined);
  const [format, line] = [own('format'), own('line')];
  if (isRecord(line)) return { kind: 'line', line, ...toLineHead(line) };
  if (typeof format === 'number') return { kind: 'header', format, sessionId: String(own('session')) };
  return undefined;
}

function toLineHead({ about, isPinned, holder, held }: JournalLine): Omit<LineHead, 'kind'> {
  if (typeof holder === 'string' && typeof held === 'string') return { holder, held };
  if (typeof about !== 'string') return {};
  return { about, ...(typeof isPinned === 'boolean' && { isPinned }) };
}

/**
 * Encodes what was appended as JSON at once, so that later changes to the objects have no effect. The body comes before the
 * line that speaks of it: a file that is cut off between the two then has a body that no line refers to.
 * @returns an empty list when the line cannot be stored
 */
export function toPlainRecords(
  line: JournalLine,
  body: { key: string; value: unknown } | undefined,
  onProblem: (problem: string) => void,
): PlainRecord[] {
  const lineText = toText({ line }, MAX_LINE_BYTES);
  if ('problem' in lineText) {
    onProblem(`A line of the history was not stored: ${lineText.problem}.`);
    return [];
  }
  const own: PlainRecord = { head: { kind: 'line', ...toLineHead(line) }, text: lineText.text };
  if (!body) return [own];
  const { key, value } = body;
  if (key.length > MAX_KEY) {
    onProblem('A body of the history was not stored: its key is too long.');
    return [own];
  }
  const removal = JSON.stringify({ body: key });
  const bodyText = toText({ body: key, value }, MAX_BODY_BYTES);
  if ('problem' in bodyText) onProblem(`A body of the history was not stored: ${bodyText.problem}.`);
  // An earlier body of this key is not the one that the line speaks of.
  const text = 'text' in bodyText ? bodyText.text : removal;
  return [{ head: { kind: 'body', key, hasValue: text !== removal }, text }, own];
}

function toText(record: object, maxBytes: number): { text: string } | { problem: string } {
  try {
    const text = JSON.stringify(record);
    const isTooLarge = text.length > maxBytes || Buffer.byteLength(text) > maxBytes;
    if (isTooLarge) return { problem: `it is larger than ${maxBytes / 1024 / 1024} MB` };
    if ('line' in record && !text.startsWith('{"line":{')) return { problem: 'it is not a JSON object' };
    return { text };
  } catch {
    return { problem: 'it cannot be JSON' };
  }
}
