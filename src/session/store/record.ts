// One line of a journal file: what it may be, and how it becomes text and bytes. Knows no disk.
import { isUtf8 } from 'node:buffer';
import type { JournalLine } from '../ports';

export const FORMAT = 1;
const MAX_LINE_BYTES = 1024 * 1024;
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** UTF-16 units. */
const MAX_KEY = 1_000;
/** A body whose key begins so belongs to the next one: it is not counted, and goes before that one goes. */
export const COMPANION = '+';
/** Nothing that this writes is longer; the rest is for the key and the names around the body. */
export const MAX_RECORD_BYTES = MAX_BODY_BYTES + 64 * 1024;

/** What a record is, without what it holds. */
export type RecordHead =
  | { kind: 'header'; format: number }
  | LineHead
  /** Without a value, there is no body under this key any more. */
  | { kind: 'body'; key: string; hasValue: boolean };

interface LineHead {
  kind: 'line';
  /** The key of the body that it tells of: it goes with that one. */
  about?: string;
  /** Of that body, in a line that says so: whether the bounds leave it alone. */
  isPinned?: boolean;
}

export type JournalRecord =
  | { kind: 'header'; format: number; sessionId: string }
  | (LineHead & { line: JournalLine })
  | { kind: 'body'; key: string; hasValue: boolean; value: unknown };

/** A record as it is written. */
export interface EncodedRecord {
  head: RecordHead;
  /** With the line feed. */
  bytes: Buffer;
}

export const headerOf = (sessionId: string): object => ({ format: FORMAT, session: sessionId });

/** @returns undefined for what is no record, such as a line that was cut */
export function parseRecord(bytes: Buffer): JournalRecord | undefined {
  // decoding replaces bytes that are not UTF-8, and the changed text may still be JSON
  if (!isUtf8(bytes)) return undefined;
  try {
    return toRecord(JSON.parse(bytes.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** @throws RangeError when it is larger than what can be read again, TypeError when it is no record */
export function encodeRecord(value: unknown): EncodedRecord {
  const record = toRecord(value);
  if (!record) throw new TypeError('it is no record');
  const bytes = Buffer.from(`${JSON.stringify(value)}\n`, 'utf8');
  if (bytes.length > MAX_RECORD_BYTES) throw new RangeError('it is too large');
  return { head: toHead(record), bytes };
}

function toRecord(value: unknown): JournalRecord | undefined {
  if (!isObject(value)) return undefined;
  const own = (name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined);
  const [format, line, key] = [own('format'), own('line'), own('body')];
  if (isObject(line)) return { kind: 'line', line, ...toAbout(line) };
  if (typeof key === 'string') {
    return { kind: 'body', key, hasValue: Object.hasOwn(value, 'value'), value: own('value') };
  }
  if (typeof format === 'number') return { kind: 'header', format, sessionId: String(own('session')) };
  return undefined;
}

/** A copy, so that who keeps the head does not keep the value in memory. */
function toHead(record: JournalRecord): RecordHead {
  if (record.kind === 'body') return { kind: 'body', key: record.key, hasValue: record.hasValue };
  if (record.kind === 'header') return { kind: 'header', format: record.format };
  const { kind, about, isPinned } = record;
  return { kind, ...(about !== undefined && { about }), ...(isPinned !== undefined && { isPinned }) };
}

function toAbout(line: JournalLine): Pick<LineHead, 'about' | 'isPinned'> {
  const { about, isPinned } = line;
  if (typeof about !== 'string') return {};
  return { about, ...(typeof isPinned === 'boolean' && { isPinned }) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What was appended, as JSON at once, so that it is what it was then whatever becomes of the objects. The body comes before
 * the line that speaks of it: a file that is cut between them has neither.
 * @returns nothing when the line cannot be stored
 */
export function toTexts(
  line: JournalLine,
  body: { key: string; value: unknown } | undefined,
  onProblem: (problem: string) => void,
): string[] {
  const lineText = toText({ line }, MAX_LINE_BYTES);
  if ('problem' in lineText) {
    onProblem(`A line of the history was not stored: ${lineText.problem}.`);
    return [];
  }
  if (!body) return [lineText.text];
  if (body.key.length > MAX_KEY) {
    onProblem('A body of the history was not stored: its key is too long.');
    return [lineText.text];
  }
  const bodyText = toText({ body: body.key, value: body.value }, MAX_BODY_BYTES);
  if ('text' in bodyText) return [bodyText.text, lineText.text];
  onProblem(`A body of the history was not stored: ${bodyText.problem}.`);
  // an earlier body under the key is not what was meant to be there
  return [JSON.stringify({ body: body.key }), lineText.text];
}

function toText(record: object, maxBytes: number): { text: string } | { problem: string } {
  try {
    const text = JSON.stringify(record);
    const isTooLarge = text.length > maxBytes || Buffer.byteLength(text) > maxBytes;
    if (isTooLarge) return { problem: `it is larger than ${maxBytes / 1024 / 1024} MB` };
    if ('line' in record && !text.startsWith('{"line":{')) return { problem: 'it is no JSON object' };
    return { text };
  } catch {
    return { problem: 'it cannot be JSON' };
  }
}
