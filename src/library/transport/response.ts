// The answer that `request()` hands to a provider: fetch-shaped, without fetch. The global `Response` and `Headers` would
// load Node's own undici, which sets a global on the way.
import type { Readable } from 'node:stream';
import { describeJsonError } from '../util/json';

/** The header fields of an answer; names are compared without regard to case. */
export class ResponseHeaders implements Iterable<[string, string]> {
  readonly #fields: Readonly<Record<string, string | string[] | undefined>>;

  /** @param fields By name in lower case. */
  constructor(fields: Readonly<Record<string, string | string[] | undefined>>) {
    this.#fields = fields;
  }

  /** Case-insensitive. */
  get(name: string): string | null {
    const key = name.toLowerCase();
    const value = Object.hasOwn(this.#fields, key) ? this.#fields[key] : undefined;
    return value === undefined ? null : toText(value);
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  *[Symbol.iterator](): IterableIterator<[string, string]> {
    for (const [name, value] of Object.entries(this.#fields))
      if (value !== undefined) yield [name, toText(value)];
  }
}

const toText = (value: string | string[]): string => (Array.isArray(value) ? value.join(', ') : value);

/** The answer that `request()` returns: fetch-shaped. */
export class TransportResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The unread body of a request with `stream: true`; null when the body has been read. */
  readonly body: Readable | null;
  readonly #text: (() => string) | undefined;

  /** @param body Unread, or what makes the text of a body that has been read. */
  constructor(status: number, headers: ResponseHeaders, body: Readable | (() => string)) {
    this.status = status;
    this.headers = headers;
    this.body = typeof body === 'function' ? null : body;
    this.#text = typeof body === 'function' ? body : undefined;
  }

  /** The body that has been read, without a promise; '' for one that has not. Not for callers, who have `text()`. */
  static textOf(response: TransportResponse): string {
    return response.#text?.() ?? '';
  }

  /** The status is 2xx. */
  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  async text(): Promise<string> {
    return this.#text ? this.#text() : readText(this.body);
  }

  /** @throws SyntaxError when the body is not JSON. */
  // `any`, as fetch has it: a caller reads fields of a shape that only it knows
  async json(): Promise<any> {
    const text = await this.text();
    try {
      return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    } catch (error) {
      throw new SyntaxError(`the body is ${describeJsonError(error)}`);
    }
  }
}

async function readText(body: Readable | null): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
