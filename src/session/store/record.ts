// One record (line) of a journal file: its kinds, and how it is encoded and parsed. Does no I/O.
import { isUtf8 } from 'node:buffer';
import type { JournalLine } from '../ports';
import { isRecord } from '../../library';

export const FORMAT = 1;
const MAX_LINE_BYTES = 1024 * 1024;
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Maximum length of a body's key, in UTF-16 code units. */
const MAX_KEY = 1_000;
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
  | { kind: 'body'; key: string; hasValue: boolean; value: unknown };

/** A record in the form in which it is written. */
export interface EncodedRecord {
  head: RecordHead;
  /** JSON in UTF-8, with the line feed. */
  bytes: Buffer;
}

export const headerOf = (sessionId: string): object => ({ format: FORMAT, session: sessionId });

/** @returns undefined when the bytes are no valid record, such as a line that was cut off */
export function parseRecord(bytes: Buffer): JournalRecord | undefined {
  // Decoding replaces invalid UTF-8, and the changed text could still be valid JSON.
  if (!isUtf8(bytes)) return undefined;
  try {
    return toRecord(JSON.parse(bytes.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** @throws RangeError when it is too large to be read again; TypeError when it is not a record */
export function encodeRecord(value: unknown): EncodedRecord {
  const record = toRecord(value);
  if (!record) throw new TypeError('it is not a record');
  const bytes = Buffer.from(`${JSON.stringify(value)}\n`, 'utf8');
  if (bytes.length > MAX_RECORD_BYTES) throw new RangeError('it is too large');
  return { head: toHead(record), bytes };
}

function toRecord(value: unknown): JournalRecord | undefined {
  if (!isRecord(value)) return undefined;
  const own = (name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined);
  const [format, line, key] = [own('format'), own('line'), own('body')];
  if (isRecord(line)) return { kind: 'line', line, ...toLineHead(line) };
  if (typeof key === 'string') {
    return { kind: 'body', key, hasValue: Object.hasOwn(value, 'value'), value: own('value') };
  }
  if (typeof format === 'number') return { kind: 'header', format, sessionId: String(own('session')) };
  return undefined;
}

/** Copies the fields, so that keeping the head does not keep the value in memory. */
function toHead(record: JournalRecord): RecordHead {
  if (record.kind === 'body') return { kind: 'body', key: record.key, hasValue: record.hasValue };
  if (record.kind === 'header') return { kind: 'header', format: record.format };
  const { kind, about, isPinned, holder, held } = record;
  return {
    kind,
    ...(about !== undefined && { about }),
    ...(isPinned !== undefined && { isPinned }),
    ...(holder !== undefined && held !== undefined && { holder, held }),
  };
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
  // Remove an earlier body of this key: it is not the one that the line speaks of.
  return [JSON.stringify({ body: body.key }), lineText.text];
}

/** Whether the text is one of a body, from `toTexts`. */
export const isOfBody = (text: string): boolean => text.startsWith('{"body":');

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
