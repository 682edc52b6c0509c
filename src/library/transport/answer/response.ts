// The response that `request()` returns to a provider: the shape of `fetch`, without using it. The global `Response` and
// `Headers` would load Node's own undici, which sets a global.
import type { Readable } from 'node:stream';
import { describeJsonError } from '../../util/json';
import { BodyCollector } from './read-body';

/** The header fields of a response. Names are case-insensitive. */
export class ResponseHeaders implements Iterable<[string, string]> {
  readonly #fields: Readonly<Record<string, string | string[] | undefined>>;

  /** @param fields Values by name in lower case. */
  constructor(fields: Readonly<Record<string, string | string[] | undefined>>) {
    this.#fields = fields;
  }

  /** The value, or null when the field is absent; several values are joined by `, `. The name is case-insensitive. */
  get(name: string): string | null {
    const key = name.toLowerCase();
    const value = Object.hasOwn(this.#fields, key) ? this.#fields[key] : undefined;
    return value === undefined ? null : toText(value);
  }

  /** Whether the field is present. The name is case-insensitive. */
  has(name: string): boolean {
    return this.get(name) !== null;
  }

  /** The fields whose name, in lower case, contains the part. */
  fieldsWith(part: string): [string, string][] {
    const names = Object.keys(this.#fields).filter((name) => name.includes(part));
    return names.map((name) => [name, this.get(name) ?? '']);
  }

  *[Symbol.iterator](): IterableIterator<[string, string]> {
    for (const [name, value] of Object.entries(this.#fields))
      if (value !== undefined) yield [name, toText(value)];
  }
}

const toText = (value: string | string[]): string => (Array.isArray(value) ? value.join(', ') : value);

/** The response that `request()` returns, in the shape that `fetch` has. */
export class TransportResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The unread body of a request with `stream: true`; null when the body has been read. */
  readonly body: Readable | null;
  /** Why the body of an error status could not be decoded, as one sentence; its text is then what was decoded before. */
  readonly bodyProblem: string | undefined;
  readonly #text: (() => string) | undefined;

  /** @param body The unread body, or a function that returns the text of a body that has been read. */
  constructor(
    status: number,
    headers: ResponseHeaders,
    body: Readable | (() => string),
    bodyProblem?: string,
  ) {
    this.status = status;
    this.headers = headers;
    this.bodyProblem = bodyProblem;
    this.body = typeof body === 'function' ? null : body;
    this.#text = typeof body === 'function' ? body : undefined;
  }

  /** The text of a body that has been read, without a promise; '' for an unread one. Callers use `text()` instead. */
  static textOf(response: TransportResponse): string {
    return response.#text?.() ?? '';
  }

  /** Whether the status is 2xx. */
  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** The body as text; an unread body is read to its end. */
  async text(): Promise<string> {
    return this.#text ? this.#text() : readText(this.body);
  }

  /** @throws SyntaxError when the body is not JSON; the message does not quote the body */
  // `any`, as in fetch: the caller reads fields of a shape that only the caller knows.
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
  const collector = new BodyCollector();
  for await (const chunk of body ?? []) collector.take(chunk as Buffer);
  return collector.text();
}
