// What a caller asks for, checked and complete, before the first attempt.
import { InvalidOptionsError } from '../errors';
import { ACCEPT_ENCODING } from './decode-body';
import { normalizeHeaders } from './headers';
import type { StreamReader } from './stream-reader';

/** Fetch-shaped. */
export interface RequestOptions {
  /** @default 'GET', or 'POST' when there is a body */
  method?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  body?: string | undefined;
  /** Beside the signal of the chat it belongs to. */
  signal?: AbortSignal | undefined;
  /** Return as soon as the headers are there, the body unread. */
  stream?: boolean | undefined;
  /**
   * Reads the body of a 2xx while it arrives, inside the attempt; one for each attempt. Not with `stream`.
   * The response's `text()` is the whole body all the same.
   */
  createReader?: (() => StreamReader) | undefined;
}

export interface PreparedRequest {
  target: URL;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** @throws InvalidOptionsError */
export function prepareRequest(
  url: string | URL,
  options: RequestOptions,
  defaults: Readonly<Record<string, string>>,
): PreparedRequest {
  const target = toUrl(String(url));
  if (!target || !/^https?:$/.test(target.protocol)) {
    throw new InvalidOptionsError('url', 'must be an http or https address');
  }
  if (target.username || target.password) {
    throw new InvalidOptionsError('url', 'must not hold a user or a password; use a header');
  }
  return {
    target,
    method: options.method ?? (options.body === undefined ? 'GET' : 'POST'),
    headers: Object.assign(compression(options), defaults, normalizeHeaders(options.headers)),
    body: options.body,
  };
}

function toUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Not for a body that is read while it arrives: its first words would wait in the server's compressor. */
function compression({ stream, createReader }: RequestOptions): Record<string, string> {
  return stream || createReader ? {} : { 'accept-encoding': ACCEPT_ENCODING };
}
