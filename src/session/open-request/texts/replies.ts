// Recognizes the replies of models in a text: documents, event streams, and streams of objects. Pure.
import { isRecord } from '../../../library';
import type { FoundReply } from '../found-request';

export interface ReplyAt {
  reply: FoundReply;
  /** Where it ends in the text. */
  end: number;
}

/** Whether a value is what a service answers: a reply, a piece of one, or an error. */
export const isReply = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) && (isChat(value) || isError(value));

function isChat(value: Record<string, unknown>): boolean {
  const { choices, output, object, message, done, type, content } = value;
  return (
    Array.isArray(choices) ||
    (Array.isArray(output) && object === 'response') ||
    (isRecord(message) && typeof done === 'boolean') ||
    (type === 'message' && Array.isArray(content))
  );
}

/** The message alone, as programs print it. */
const isMessage = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) &&
  value['role'] === 'assistant' &&
  (value['content'] !== undefined || Array.isArray(value['tool_calls'])) &&
  value['type'] !== 'message';

const isError = ({ error, object, type, message }: Record<string, unknown>): boolean =>
  (isRecord(error) && typeof error['message'] === 'string') ||
  (typeof error === 'string' && error !== '') ||
  (typeof message === 'string' && (object === 'error' || type === 'error'));

/**
 * The reply of which a value is the beginning.
 * @param from Where its status may be told.
 * @param found The value and where it stands.
 */
export function replyAt(
  text: string,
  from: number,
  { start, end, value }: { start: number; end: number; value: unknown },
): ReplyAt | undefined {
  const { body, type, end: until } = eventsAt(text, start) ?? linesAt(text, start, value) ?? {};
  if (body !== undefined && type !== undefined && until !== undefined)
    return { reply: toReply(body, type, statusIn(text.slice(from, start))), end: until };
  const said = isMessage(value) ? { choices: [{ index: 0, message: value, finish_reason: null }] } : value;
  if (!isReply(said)) return undefined;
  const status = statusIn(text.slice(from, start)) ?? (isError(said) ? 400 : undefined);
  return { reply: toReply(JSON.stringify(said), 'application/json', status), end };
}

const toReply = (body: string, type: string, status = 200): FoundReply => ({
  status,
  headers: { 'content-type': type },
  body,
});

/** As in `HTTP/1.1 429 Too Many Requests`, or in the line of a log. */
const statusIn = (before: string): number | undefined => {
  const status = [...before.slice(-4_000).matchAll(/\bHTTP\/[\d.]+"? ([1-5]\d{2})\b/g)].at(-1)?.[1];
  return status === undefined ? undefined : Number(status);
};

interface Lines {
  body: string;
  type: string;
  end: number;
}

/** In UTF-16 code units: of a line with the name of an event, and the beginning of its data. */
const MAX_NAME = 200;
const FIELD = /^[ \t]*(?:data|event|id|retry)?:/;

const isOfEvent = (line: string): boolean => FIELD.test(line) || line.trim() === '';

/** The event stream whose line of data the place is in. */
function eventsAt(text: string, at: number): Lines | undefined {
  // Most values are in no event, and a text may have millions of them.
  if (!' \t:'.includes(text.charAt(at - 1))) return undefined;
  const before = text.slice(Math.max(0, at - MAX_NAME), at);
  const [head] = /(?<=^|\n)(?:[ \t]*event:[^\n]*\n)?[ \t]*data:[ \t]*$/.exec(before) ?? [];
  if (head === undefined) return undefined;
  const { lines, end } = takeLines(text, at - head.length, isOfEvent);
  return {
    body: `${lines
      .map((line) => line.trim())
      .join('\n')
      .trimEnd()}\n\n`,
    type: 'text/event-stream',
    end,
  };
}

/** The stream of objects, each in a line, that the value begins. */
function linesAt(text: string, at: number, value: unknown): Lines | undefined {
  if (!isRecord(value) || value['done'] !== false || (at > 0 && text[at - 1] !== '\n')) return undefined;
  const { lines, end } = takeLines(text, at, (line) => line.startsWith('{'));
  return { body: `${lines.join('\n')}\n`, type: 'application/x-ndjson', end };
}

function takeLines(
  text: string,
  start: number,
  isPart: (line: string) => boolean,
): { lines: string[]; end: number } {
  const lines: string[] = [];
  let end = start;
  while (end < text.length) {
    const stop = text.indexOf('\n', end);
    const next = stop < 0 ? text.length : stop + 1;
    const line = text.slice(end, next).replace(/\r?\n$/, '');
    if (!isPart(line)) break;
    lines.push(line);
    end = next;
  }
  return { lines, end };
}
