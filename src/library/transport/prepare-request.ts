// Checks and completes a request before its first attempt.
import { InvalidOptionsError } from '../errors';
import { checkSignal, checkType, requireRecord } from '../util/check-options';
import { ACCEPT_ENCODING } from './answer/decode-body';
import type { SentRequest } from './wire-recorder';
import { checkHeaders } from './headers';
import type { StreamReader } from './client/stream-reader';

/** Options of a request, in the shape that `fetch` has. */
export interface RequestOptions {
  /** The usual methods may be written in lower case, as in `fetch`. @default 'GET', or 'POST' when there is a body */
  method?: string | undefined;
  /** An object, or pairs such as those of a `Headers`. */
  headers?: Readonly<Record<string, string>> | Iterable<readonly [string, string]> | undefined;
  /** Only text is supported. */
  body?: string | undefined;
  /** Aborts the request, in addition to the signal of the call that it belongs to. */
  signal?: AbortSignal | undefined;
  /** Whether to return as soon as the headers have arrived, with the body unread. @default false */
  stream?: boolean | undefined;
  /**
   * Creates the reader of each attempt, which reads the body of a 2xx as it arrives, inside the attempt. Not for use with
   * `stream`. The response's `text()` is still the whole body. `redact` masks the secrets in what errors of the reader
   * quote.
   */
  createReader?: ((redact: (text: string) => string) => StreamReader) | undefined;
  /**
   * Refuses the complete body of a 2xx, so that the attempt fails, by throwing a StreamFailure. For bodies that are not read
   * as they arrive.
   */
  refuseText?: ((text: string, redact: (text: string) => string) => void) | undefined;
}

/** Has only the bytes of the body: the text would take memory a second time until the response has arrived. */
export interface PreparedRequest extends SentRequest {
  target: URL;
}

/** @throws InvalidOptionsError for an invalid URL, signal, method, body, header or reader */
export function prepareRequest(
  url: string | URL,
  options: RequestOptions,
  defaults: Readonly<Record<string, string>>,
): PreparedRequest {
  requireRecord('options', options);
  checkSignal(options.signal);
  checkType('createReader', options.createReader, 'function');
  checkType('refuseText', options.refuseText, 'function');
  const target = toTarget(String(url));
  const { body } = options;
  if (body !== undefined && typeof body !== 'string') throw new InvalidOptionsError('body', 'must be a text');
  return {
    target,
    url: target.href,
    method: toMethod(options.method ?? (body === undefined ? 'GET' : 'POST')),
    headers: Object.assign(compression(options), defaults, checkHeaders(options.headers)),
    body: body === undefined ? undefined : Buffer.from(body),
  };
}

const METHOD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Methods are case-sensitive on the wire, and servers know these in upper case only. */
const USUAL_METHOD = /^(?:delete|get|head|options|post|put)$/i;

function toMethod(given: unknown): string {
  if (typeof given !== 'string' || !METHOD.test(given))
    throw new InvalidOptionsError('method', 'must be the name of an HTTP method');
  return USUAL_METHOD.test(given) ? given.toUpperCase() : given;
}

/** The last URL, because most requests go to the same one as the previous. The object is never changed. */
let last: { text: string; target: URL } | undefined;

function toTarget(text: string): URL {
  if (last?.text === text) return last.target;
  const target = URL.canParse(text) ? new URL(text) : undefined;
  if (!target || !/^https?:$/.test(target.protocol)) {
    throw new InvalidOptionsError('url', 'must be an http or https address');
  }
  if (target.username || target.password) {
    throw new InvalidOptionsError('url', 'must not contain a user name or a password; use a header');
  }
  last = { text, target };
  return target;
}

/** No compression for a body that is read as it arrives: its beginning would wait in the server's compressor. */
function compression({ stream, createReader }: RequestOptions): Record<string, string> {
  return stream || createReader ? {} : { 'accept-encoding': ACCEPT_ENCODING };
}
