// What a caller asks for, checked and complete, before the first attempt.
import { InvalidOptionsError } from '../errors';
import { ACCEPT_ENCODING } from './decode-body';
import { checkHeaders } from './headers';
import type { StreamReader } from './stream-reader';

/** Fetch-shaped. */
export interface RequestOptions {
  /** @default 'GET', or 'POST' when there is a body */
  method?: string | undefined;
  /** By name, or pairs such as those of a `Headers`. */
  headers?: Readonly<Record<string, string>> | Iterable<readonly [string, string]> | undefined;
  /** Text only. */
  body?: string | undefined;
  /** Beside the signal of the chat it belongs to. */
  signal?: AbortSignal | undefined;
  /** Return as soon as the headers are there, the body unread. */
  stream?: boolean | undefined;
  /**
   * Reads the body of a 2xx while it arrives, inside the attempt; one for each attempt. Not with `stream`.
   * The response's `text()` is the whole body all the same. `redact` is for what it says of the body in an error.
   */
  createReader?: ((redact: (text: string) => string) => StreamReader) | undefined;
}

export interface PreparedRequest {
  target: URL;
  method: string;
  headers: Record<string, string>;
  /** The bytes alone: the text would be held a second time for as long as the answer takes. */
  body: Buffer | undefined;
}

/** @throws InvalidOptionsError */
export function prepareRequest(
  url: string | URL,
  options: RequestOptions,
  defaults: Readonly<Record<string, string>>,
): PreparedRequest {
  const target = toTarget(String(url));
  const { body } = options;
  if (body !== undefined && typeof body !== 'string') throw new InvalidOptionsError('body', 'must be a text');
  return {
    target,
    method: options.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: Object.assign(compression(options), defaults, checkHeaders(options.headers)),
    body: body === undefined ? undefined : Buffer.from(body),
  };
}

/** The last one: most requests go where the one before went. Nobody changes it. */
let last: { text: string; target: URL } | undefined;

function toTarget(text: string): URL {
  if (last?.text === text) return last.target;
  const target = URL.canParse(text) ? new URL(text) : undefined;
  if (!target || !/^https?:$/.test(target.protocol)) {
    throw new InvalidOptionsError('url', 'must be an http or https address');
  }
  if (target.username || target.password) {
    throw new InvalidOptionsError('url', 'must not hold a user or a password; use a header');
  }
  last = { text, target };
  return target;
}

/** Not for a body that is read while it arrives: its first words would wait in the server's compressor. */
function compression({ stream, createReader }: RequestOptions): Record<string, string> {
  return stream || createReader ? {} : { 'accept-encoding': ACCEPT_ENCODING };
}
