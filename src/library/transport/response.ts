// The answer that `request()` hands to a provider: fetch-shaped, without fetch. The global `Response` and `Headers` would
// load Node's own undici, which sets a global on the way.
import type { Readable } from 'node:stream';
import { describeJsonError } from '../util/json';

/** The header fields of an answer; names are compared without regard to case. */
export class ResponseHeaders implements Iterable<[string, string]> {
  readonly #values = new Map<string, string>();

  constructor(headers: Record<string, string | string[] | undefined>) {
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined)
        this.#values.set(name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value);
    }
  }

  /** Case-insensitive. */
  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.#values.entries();
  }
}

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
