// The lines of a file of recorded exchanges: a head for each recording, and a line for each exchange. Pure.
import { isRecord, parseJson } from '../library';
import type { RecordedExchange } from '../types';

const FORMAT = 'provider-playground-recording';
const VERSION = 1;

/** What is known of a recording as a whole. */
export interface RecordingHead {
  /** Base URL of the server. */
  target: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** The program that recorded. */
  madeBy: string;
}

export const toHeadLine = (head: RecordingHead): string =>
  `${JSON.stringify({ format: FORMAT, version: VERSION, ...head })}\n`;

export const toExchangeLine = (exchange: RecordedExchange): string => `${JSON.stringify(exchange)}\n`;

export interface ReadLines {
  recordings: { head: RecordingHead; exchanges: RecordedExchange[] }[];
  /** Numbers of lines, from 1, that are neither. The last one of a process that was killed is not whole. */
  unread: number[];
}

/** Reads the text of such a file, which may contain several recordings. */
export function readRecordLines(text: string): ReadLines {
  const read: ReadLines = { recordings: [], unread: [] };
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const value = parseJson(line);
    const last = read.recordings.at(-1);
    if (isHead(value)) {
      const { target, startedAt, madeBy } = value;
      read.recordings.push({ head: { target, startedAt, madeBy }, exchanges: [] });
    } else if (last && isExchange(value)) last.exchanges.push(value);
    else read.unread.push(index + 1);
  }
  return read;
}

function isHead(value: unknown): value is RecordingHead {
  if (!isRecord(value) || value['format'] !== FORMAT || value['version'] !== VERSION) return false;
  const { target, startedAt, madeBy } = value;
  return typeof target === 'string' && typeof startedAt === 'number' && typeof madeBy === 'string';
}

const ENDS: ReadonlySet<unknown> = new Set(['server', 'program', 'network', 'recording']);

function isExchange(value: unknown): value is RecordedExchange {
  if (!isRecord(value)) return false;
  const { number, startedAt, endMs, program, endedBy, request, response } = value;
  const isTimed = [number, startedAt, endMs].every((part) => typeof part === 'number');
  const isAnswered = response === undefined || isMessage(response, 'status', 'number');
  return (
    isTimed &&
    typeof program === 'string' &&
    ENDS.has(endedBy) &&
    isMessage(request, 'url', 'string') &&
    isAnswered
  );
}

const isMessage = (value: unknown, key: string, type: string): boolean =>
  isRecord(value) &&
  typeof value[key] === type &&
  typeof value['body'] === 'string' &&
  isRecord(value['headers']);
