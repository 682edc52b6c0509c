// Sends the request of another program as it is, passes the response on as it arrives, and records both. Independent of
// protocols.
import type { Readable } from 'node:stream';
import type { AttemptEvidence } from '../../types';
import { ByteStore } from '../util/byte-store';
import { currentClock } from '../util/clock';
import { toError } from '../util/thrown';
import type { AnswerHandler, HttpClient, HttpControl } from './client/http-client';
import { NOT_SENT } from './client/http-client';
import type { NetworkOptions } from './client/network-options';
import { getHttpClient } from './client/open-clients';
import { createRedactor, secretsInRequest } from './redact/redact';
import type { Redactor } from './redact/redact';
import { MAX_BODY_BYTES, redactForwarded, toWholeCharacter, WireRecorder } from './wire-recorder';

/** A request of another program, exactly as it is to be sent. */
export interface ForwardedRequest {
  /** Scheme, host and port. */
  origin: string;
  /** With its query. */
  path: string;
  method: string;
  /** Names and values in turn, without those that belong to one connection only, such as `Connection` and `Host`. */
  headers: string[];
  /** Read as fast as the server takes it; undefined when the request has no body. */
  body: Readable | undefined;
}

/** Receives the response of a forwarded request as it arrives. The last call is `onEnd` or `onError`. */
export type ForwardHandler = AnswerHandler;

/**
 * A server may close a kept-alive connection just before the next request is sent on it; that shows within so many
 * milliseconds, and the request can safely be sent again.
 */
const STALE_WITHIN_MS = 5000;

/**
 * One forwarded request. It is sent once, and follows no redirects; only if a kept-alive connection turns out to be closed, it is
 * sent again on a new one, as its program would have done. There is no time limit except for opening the connection.
 */
export class Forwarding implements HttpControl {
  readonly #request: ForwardedRequest;
  readonly #network: NetworkOptions | undefined;
  readonly #handler: AnswerHandler;
  readonly #recorder: WireRecorder;
  readonly #kept = new ByteStore();
  #requestBytes = 0;
  #isRequestRead: boolean;
  #control: HttpControl = NOT_SENT;
  #isAborted = false;
  #isResent = false;
  readonly #start: number;

  constructor(request: ForwardedRequest, handler: ForwardHandler, network?: NetworkOptions) {
    const clock = currentClock();
    this.#request = request;
    this.#network = network;
    this.#handler = handler;
    this.#start = clock.elapsed();
    this.#recorder = new WireRecorder(clock);
    this.#isRequestRead = request.body === undefined;
  }

  /** Sends the request. Never throws; calls the handler. */
  send(): void {
    const { body } = this.#request;
    // Together with the client, which alone decides when it flows: a listener before would make it flow, one after miss a part.
    const listen = (event: string | symbol): void => {
      if (event !== 'data') return;
      body?.off('newListener', listen);
      body?.on('data', (chunk: Buffer) => this.#keep(chunk));
      body?.once('end', () => (this.#isRequestRead = true));
    };
    body?.on('newListener', listen);
    this.#sendBody(body);
  }

  abort(): void {
    this.#isAborted = true;
    this.#control.abort();
  }

  pause(): void {
    this.#control.pause();
  }

  resume(): void {
    this.#control.resume();
  }

  /** The body of the request as far as it was read and kept. */
  requestBody(): Buffer {
    return this.#kept.join();
  }

  /** The text without the secrets: those that are given, and those in the header fields and the query of the request. */
  redact(text: string, secrets: Iterable<string> = []): string {
    return this.#redactor(secrets, toRecord(this.#request.headers)).text(text);
  }

  /** What was sent and received so far, with the same secrets masked. */
  evidence(secrets: Iterable<string> = []): AttemptEvidence {
    const { method } = this.#request;
    const headers = toRecord(this.#request.headers);
    const redactor = this.#redactor(secrets, headers);
    const isRead = this.#isRequestRead;
    const omittedBytes = this.#requestBytes - this.#kept.size;
    const sent = { method, url: this.#address(), headers, body: this.requestBody() };
    const response = this.#recorder.response(redactor);
    return {
      request: redactForwarded(sent, redactor, { omittedBytes, isRead }),
      ...(response && { response }),
    };
  }

  #address(): string {
    return `${this.#request.origin}${this.#request.path}`;
  }

  #redactor(secrets: Iterable<string>, headers: Record<string, string>): Redactor {
    const address = this.#address();
    // Only a query contains secrets, and few requests have one.
    const url = address.includes('?') && URL.canParse(address) ? new URL(address) : undefined;
    return createRedactor([...secrets, ...secretsInRequest(headers, url)]);
  }

  #sendBody(body: Readable | Buffer | undefined): void {
    const client = getHttpClient(this.#network);
    if (client instanceof Promise)
      client.then(
        (open) => this.#sendBy(open, body),
        (error: unknown) => this.#handler.onError(toError(error), false),
      );
    else this.#sendBy(client, body);
  }

  #sendBy(client: HttpClient, body: Readable | Buffer | undefined): void {
    if (this.#isAborted) return;
    const { origin, path, method, headers } = this.#request;
    const handler = this.#recorder.before({
      onHeaders: (status, fields) => this.#handler.onHeaders(status, fields),
      onData: (chunk) => this.#handler.onData(chunk),
      onEnd: () => this.#handler.onEnd(),
      onError: (error, isUnanswered) => this.#fail(error, isUnanswered),
    });
    const target = { origin, pathname: path, search: '' };
    this.#control = client.send({ target, method, headers, body }, handler);
  }

  #fail(error: Error, isUnanswered: boolean): void {
    const isWhole = this.#isRequestRead && this.#requestBytes === this.#kept.size;
    const isStale = isUnanswered && currentClock().elapsed() - this.#start < STALE_WITHIN_MS;
    if (!isStale || !isWhole || this.#isResent) return this.#handler.onError(error, isUnanswered);
    this.#isResent = true;
    this.#sendBody(this.#kept.size > 0 ? this.requestBody() : undefined);
  }

  #keep(chunk: Buffer): void {
    this.#requestBytes += chunk.length;
    const room = MAX_BODY_BYTES - this.#kept.size;
    if (room > 0)
      this.#kept.add(chunk.length > room ? chunk.subarray(0, toWholeCharacter(chunk, room)) : chunk);
  }
}

/** A field that occurs several times has its values joined, as HTTP defines it. */
function toRecord(headers: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let at = 0; at < headers.length; at += 2) {
    const name = (headers[at] ?? '').toLowerCase();
    const value = headers[at + 1] ?? '';
    fields[name] = Object.hasOwn(fields, name) ? `${fields[name]}, ${value}` : value;
  }
  return fields;
}
