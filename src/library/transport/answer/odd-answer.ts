// Describes a response that is no reply at all: nothing, or a page. Independent of protocols.
import { parseJson } from '../../util/json';
import type { ReceivedResponse } from '../call-context';

export interface OddAnswer {
  /** To be read after "was answered", such as `200 with an empty body`. */
  words: string;
  next: string;
  /** The beginning of the text; absent when there is none. */
  beginning?: string;
}

/** In UTF-16 code units. */
const MAX_BEGINNING = 2000;

const ADDRESS =
  'Check the address: a part of its path may be missing (OpenAI-compatible servers often need /v1)';
const NEXT_OF_EMPTY = `${ADDRESS}; if it is right, check the log of the server, or of a proxy in front of it.`;
const NEXT_OF_TEXT = `${ADDRESS}, or a proxy may have answered with a page of its own, such as its login.`;

/** The beginning of JSON, or of a line of an event stream; then the protocol decides what is wrong. */
const REPLY = /^(?:[{"]|\[\s*[[\]{"\d-]|(?:data|event|id|retry)?:|error: ?\{)/;
const REPLY_TYPE = /json|event-stream/;
const MEDIA_TYPE = /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/;
const HTML = /^<(?:!doctype\s+html|html|head|body)\b/i;

/**
 * @param answer A response that was read to its end, or as far as its reader went.
 * @param redact Masks the secrets in the text before it is truncated, because half a secret is not found by its value.
 * @returns undefined for a response that may be a reply, or a damaged one
 */
export function nameOddAnswer(
  { status, headers, text }: ReceivedResponse,
  redact: (text: string) => string,
): OddAnswer | undefined {
  const whole = text();
  const body = whole.trim();
  if (whole === '') return { words: nameEmpty(status), next: NEXT_OF_EMPTY };
  // White space may be the keep-alive signal of a stream.
  if (body === '' || REPLY.test(body) || parseJson(body) !== undefined) return undefined;
  const kind = nameKind(new Map(headers).get('content-type'), body);
  return {
    words: `${status} with ${redact(kind)} instead of JSON`,
    next: NEXT_OF_TEXT,
    // The end must not be half of a surrogate pair.
    beginning: redact(body)
      .slice(0, MAX_BEGINNING)
      .replace(/[\uD800-\uDBFF]$/, ''),
  };
}

/** According to HTTP, 204 and 205 never have a body. */
const nameEmpty = (status: number): string =>
  status === 204 || status === 205 ? `${status}, which has no body` : `${status} with an empty body`;

function nameKind(contentType: string | undefined, body: string): string {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (MEDIA_TYPE.test(type) && !REPLY_TYPE.test(type)) return type;
  return HTML.test(body) ? 'an HTML page' : 'text';
}
