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

/** Whether a file with this first line is a recording. */
export const isHeadLine = (line: string): boolean => isHead(parseJson(line));

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
  return typeof target === 'string' && isTime(startedAt) && typeof madeBy === 'string';
}

const REPAIRING: ReadonlySet<unknown> = new Set(['searched', 'request-unread', 'compressed', 'too-long']);
const ENDS: ReadonlySet<unknown> = new Set(['server', 'program', 'network', 'recording']);
/** In milliseconds since the epoch: beyond it there is no date. */
const MAX_TIME = 8.64e15;

/** Anybody may have written the file, so everything is checked that is relied on. */
function isExchange(value: unknown): value is RecordedExchange {
  if (!isRecord(value)) return false;
  const { number, startedAt, endMs, program, endedBy, request, response, repaired, repairing } = value;
  return (
    isCount(number) &&
    isTime(startedAt) &&
    isTime(endMs) &&
    typeof program === 'string' &&
    ENDS.has(endedBy) &&
    ['headersMs', 'firstByteMs'].every((key) => value[key] === undefined || isTime(value[key])) &&
    (value['session'] === undefined || isCount(value['session'])) &&
    ['protocol', 'model', 'problem', 'errorCode'].every((key) => isTextOrAbsent(value[key])) &&
    isRequest(request) &&
    (response === undefined || isResponse(response)) &&
    (repaired === undefined || isRepaired(repaired)) &&
    (repairing === undefined || REPAIRING.has(repairing))
  );
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1;
const isTime = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= MAX_TIME;
const isTextOrAbsent = (value: unknown): boolean => value === undefined || typeof value === 'string';

const isMessage = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) &&
  typeof value['body'] === 'string' &&
  isRecord(value['headers']) &&
  Object.values(value['headers']).every((text) => typeof text === 'string');

const isRequest = (value: unknown): boolean =>
  isMessage(value) && typeof value['method'] === 'string' && typeof value['url'] === 'string';

const isResponse = (value: unknown): boolean => {
  if (!isMessage(value) || !isCount(value['status']) || typeof value['isComplete'] !== 'boolean')
    return false;
  const { arrivals, omittedBytes } = value;
  return (
    (omittedBytes === undefined || isCount(omittedBytes)) &&
    (arrivals === undefined || (Array.isArray(arrivals) && arrivals.every(isTime)))
  );
};

const isRepaired = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value['body'] === 'string' &&
  (value['heldMs'] === undefined || isTime(value['heldMs'])) &&
  Array.isArray(value['calls']) &&
  value['calls'].every(
    (call) =>
      isRecord(call) &&
      typeof call['name'] === 'string' &&
      (call['from'] === 'text' || call['from'] === 'arguments') &&
      Array.isArray(call['repairs']) &&
      call['repairs'].every((kind) => typeof kind === 'string'),
  );
