// Finds the requests in a text from elsewhere, whatever form it has. Pure: executes, reads and sends nothing.
import { t } from '@vscode/l10n';
import type { FoundRequest } from './found-request';
import { UnreadRequest } from './found-request';
import { REQUEST_SOURCES } from './request-sources';
import { replyAlone } from './sources/log-source';
import { isReply } from './texts/replies';

/** In UTF-16 code units; in a file, in bytes. */
export const MAX_SOURCE = 20_000_000;
/** The same limit as for everything that is sent; a deeper value could overflow the stack. */
const MAX_NESTING = 128;

/**
 * @returns at least one request
 * @throws UnreadRequest which says why there is none
 */
export function findRequests(text: string): FoundRequest[] {
  if (text.length > MAX_SOURCE) throw tooLong();
  const trimmed = text.replace(/^\ufeff/, '').trim();
  if (trimmed === '')
    throw new UnreadRequest(t('There is no text to open.'), t('Copy a request, and try again.'));
  const json = readJson(trimmed);
  const source = { text: trimmed, json };
  const sure = REQUEST_SOURCES.map((one) => ({ one, sureness: one.reads(source) }));
  const best = Math.max(...sure.map(({ sureness }) => sureness));
  const reader = best > 0 ? sure.find(({ sureness }) => sureness === best)?.one : undefined;
  if (!reader) throw [json].flat().some(isReply) ? replyAlone() : unknownText();
  const found = reader.read(source);
  return hasLongNumber(trimmed) ? found.map(noteNumbers) : found;
}

const tooLong = (): UnreadRequest =>
  new UnreadRequest(
    t('The text is longer than {0} MB.', MAX_SOURCE / 1_000_000),
    t('Copy only the request, or the entry of it.'),
  );

const unknownText = (): UnreadRequest =>
  new UnreadRequest(
    t('The text has no request to a model that can be recognized.'),
    t(
      'Open a cURL command, an HTTP request, the JSON of a request, code that sends one, a HAR file, a line of a log, or a trace.',
    ),
  );

/** JSON, or a line of JSON for each value. */
function readJson(text: string): unknown {
  if (!/^[[{]/.test(text) || isTooDeep(text)) return undefined;
  const whole = parse(text);
  if (whole !== undefined || !/^\{.*\}[ \t\r]*\n\s*\{/.test(text)) return whole;
  const values = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [parse(line)]));
  return values.includes(undefined) ? undefined : values;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Counts brackets outside of strings, without recursion. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length && depth <= MAX_NESTING; at++) {
    const unit = text.charAt(at);
    if (isString && unit === '\\') at += 1;
    else if (unit === '"') isString = !isString;
    else if (!isString && '{['.includes(unit)) depth += 1;
    else if (!isString && '}]'.includes(unit)) depth -= 1;
  }
  return depth > MAX_NESTING;
}

/** Numbers of more than 15 digits are not exact in JavaScript. */
const hasLongNumber = (text: string): boolean => /[:[,]\s{0,8}-?\d{16,}\s{0,8}[,}\]]/.test(text);

const noteNumbers = (found: FoundRequest): FoundRequest => ({
  ...found,
  leftOut: [...found.leftOut, t('the last digits of numbers with more than 15 of them')],
});
