// The contents of the files of an attempt: what was sent and received, byte for byte where the file says so.
// Independent of the file system.
import { Buffer } from 'node:buffer';
import type { WireEvent } from '../../inspect';
import { describeEvent, formatJson, readEvents } from '../../inspect';
import type { WireFileName } from '../../protocol';
import type { WireAttempt, WireRecord } from '../../session';
import { kindOf, textOf } from '../../session';
import type { AttemptResponse, ExchangeRequest } from '../../types';

/** @param file One of the files that the attempt has. */
export function wireFile(record: WireRecord, attempt: WireAttempt, file: WireFileName): Uint8Array {
  const request = record.requests[attempt.request];
  const { response } = attempt;
  if (!request) return Buffer.alloc(0);
  switch (file) {
    case 'request.http':
      return encode(`${headOf(request)}\n${request.body}`);
    case 'request.json':
      return encode(printJson(request.body, 'request.http'));
    case 'response.json':
      return encode(response ? printJson(textOf(response), 'response.raw') : '');
    case 'response.raw':
      return Buffer.from(response?.body ?? '', response?.isBase64 ? 'base64' : 'utf8');
    case 'response.events':
      return encode(response ? printEvents(response) : '');
    case 'headers.txt':
      return encode(`${headOf(request)}\n${response ? answerOf(response) : 'No answer was received.\n'}`);
  }
}

/** Limits of what is formatted, in UTF-16 code units and in events; the files that are not formatted have everything. */
const MAX_JSON = 1_000_000;
const MAX_STREAM = 4_000_000;
const MAX_EVENTS = 20_000;

function printJson(text: string, whole: WireFileName): string {
  const shown = formatJson(text, MAX_JSON);
  return shown.length > MAX_JSON
    ? `${shown.slice(0, MAX_JSON)}\n// The rest is in ${whole}.\n`
    : `${shown}\n`;
}

const encode = (text: string): Uint8Array => Buffer.from(text, 'utf8');

/** In the format of `.http` files, as HTTP clients read it. */
const headOf = ({ method, url, headers }: ExchangeRequest): string =>
  `${method} ${url} HTTP/1.1\n${printHeaders(headers)}`;

function answerOf({ status, headers, isComplete, omittedBytes }: AttemptResponse): string {
  const notes = [
    ...(isComplete ? [] : ['The answer did not come to its end.']),
    ...(omittedBytes === undefined ? [] : [`${omittedBytes} bytes of the body came and are not kept.`]),
  ];
  return `HTTP ${status ?? ''}\n${printHeaders(headers)}${notes.map((note) => `\n${note}\n`).join('')}`;
}

const printHeaders = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');

/** Indented, so that each event can be folded under the line with its name and its time. */
function printEvents(response: AttemptResponse): string {
  const kind = kindOf(response) === 'events' ? 'events' : 'lines';
  const text = textOf(response);
  const all = readEvents(text.slice(0, MAX_STREAM), kind, response.arrivals, MAX_EVENTS + 1);
  // The last one may be cut.
  const isCut = text.length > MAX_STREAM || all.length > MAX_EVENTS;
  const events = isCut ? all.slice(0, -1) : all;
  const count = `${isCut ? 'The first ' : ''}${events.length === 1 ? '1 event' : `${events.length} events`}`;
  const what = events[0]?.afterMs === undefined ? '' : ', with the time from the start of the attempt';
  const head = `# ${count}${what}${response.isComplete ? '' : '; the stream broke off'}\n`;
  const rest = isCut ? '\n# The rest is in response.raw.\n' : '';
  return head + events.map((event, index) => printEvent(event, index, events[index - 1])).join('') + rest;
}

function printEvent({ text, afterMs }: WireEvent, index: number, before: WireEvent | undefined): string {
  const step =
    afterMs === undefined || before?.afterMs === undefined ? '' : ` (+${afterMs - before.afterMs} ms)`;
  const time = afterMs === undefined ? '' : ` · ${(afterMs / 1000).toFixed(3)} s${step}`;
  const lines = text.split(/\r\n|\n|\r/).map((line) => `  ${line}\n`);
  const { name, brief } = describeEvent(text);
  const words = [name, brief].filter(Boolean).map((word) => ` · ${word}`);
  return `\n# ${index + 1}${words.join('')}${time}\n${lines.join('')}`;
}
