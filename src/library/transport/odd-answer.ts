// Says what a server answered in place of a reply: nothing at all, or a page. Knows no protocol.
import { parseJson } from '../util/json';
import type { ReceivedResponse } from './call-context';

export interface OddAnswer {
  /** Such as `200 with an empty body`, to be read after "was answered". */
  words: string;
  next: string;
  /** How the text begins; absent where there is none. */
  beginning?: string;
}

/** Characters. */
const MAX_BEGINNING = 2000;

const ADDRESS =
  'Check the address: a part of its path may be missing (OpenAI-compatible servers often need /v1)';
const NEXT_OF_EMPTY = `${ADDRESS}; if it is right, look into the log of the server, or of a proxy before it.`;
const NEXT_OF_TEXT = `${ADDRESS}, or a proxy may have answered with a page of its own, such as its login.`;

/** The beginning of JSON, or of a line of an event stream: what is wrong then is a matter of the protocol. */
const REPLY = /^(?:[{"]|\[\s*[[\]{"\d-]|(?:data|event|id|retry)?:)/;
const REPLY_TYPE = /json|event-stream/;
const MEDIA_TYPE = /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/;
const HTML = /^<(?:!doctype\s+html|html|head|body)\b/i;

/**
 * @param answer One that was read to its end, or as far as its reader went.
 * @param redact For the text: it is cut, and half a secret is not found by value.
 * @returns undefined for an answer that may be a reply, or a broken one.
 */
export function nameOddAnswer(
  { status, headers, text }: ReceivedResponse,
  redact: (text: string) => string,
): OddAnswer | undefined {
  const whole = text();
  const body = whole.trim();
  if (whole === '') return { words: nameEmpty(status), next: NEXT_OF_EMPTY };
  // blanks may be the signs of life of a stream
  if (body === '' || REPLY.test(body) || parseJson(body) !== undefined) return undefined;
  const kind = nameKind(new Map(headers).get('content-type'), body);
  return {
    words: `${status} with ${redact(kind)} instead of JSON`,
    next: NEXT_OF_TEXT,
    // no half of a pair at its end
    beginning: redact(body)
      .slice(0, MAX_BEGINNING)
      .replace(/[\uD800-\uDBFF]$/, ''),
  };
}

/** By the rules of HTTP, 204 and 205 never have a body. */
const nameEmpty = (status: number): string =>
  status === 204 || status === 205 ? `${status}, which has no body` : `${status} with an empty body`;

function nameKind(contentType: string | undefined, body: string): string {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (MEDIA_TYPE.test(type) && !REPLY_TYPE.test(type)) return type;
  return HTML.test(body) ? 'an HTML page' : 'text';
}
