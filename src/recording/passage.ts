// One request of a program on its way: to the server, and the response back to the program as it arrives. Keeps nothing back.
import { t } from '@vscode/l10n';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { findProtocol } from '../inspect';
import { explainNetworkError, Forwarding, PROVIDER_CATALOG } from '../library';
import type { AttemptEvidence, CatalogEntry, ForwardHandler, KeyHeader, NetworkOptions } from '../library';
import type { Fields } from './header-fields';
import { hasKey, toForward, toReturn, withKey, withoutField } from './header-fields';
import { readChat } from './read-chat';
import { isRepairable, openRepair } from './repair/open-repair';
import type { ReplyRepair } from './repair/reply-repair';
import { RequestBody } from './request-body';
import type { ExchangeEnd, RecordedExchange, RepairHindrance } from '../types';

export interface PassageOptions {
  /** Scheme, host and port of the server. */
  origin: string;
  network: NetworkOptions | undefined;
  /** @returns the key for a program that sends none */
  findKey: (() => Promise<string | undefined>) | undefined;
  /** Asked for each request: whether calls in its reply are repaired. */
  isRepairing: () => boolean;
  onChange: (passage: Passage) => void;
}

/** Of what a repaired reply was turned into. */
const MAX_RETURNED_BYTES = 8 * 1024 * 1024;

/** The usual way of a program of which nothing is known. */
const USUAL_KEY_HEADER = PROVIDER_CATALOG.find(({ isUsual }) => isUsual)?.auth[0];

export class Passage implements ForwardHandler {
  /** From 1, in the order in which the requests of a recording began. */
  readonly number: number;
  readonly method: string;
  /** With its query, as it is requested from the server. */
  readonly path: string;
  /** The header `User-Agent`; '' without one. */
  readonly userAgent: string;
  /** The protocol of the catalog in which it is a chat; undefined for any other request. */
  readonly protocol: CatalogEntry | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAt = Date.now();
  /** Of the response of the server; absent until it came. */
  status: number | undefined;
  /** Milliseconds from the start to the header of the response, to the first byte of its body, and to the end of all. */
  headersMs: number | undefined;
  firstByteMs: number | undefined;
  endMs: number | undefined;
  endedBy: ExchangeEnd | undefined;
  /** Why the server could not be reached, or why its response broke off. */
  error: Error | undefined;
  /** Whether the key of the connection was added. */
  isKeyAdded = false;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #options: PassageOptions;
  readonly #start = performance.now();
  readonly #secrets: string[] = [];
  readonly #isRepairing: boolean;
  #forwarding: Forwarding | undefined;
  #repair: ReplyRepair | undefined;
  #hindrance: RepairHindrance | undefined;
  /** When something was held back, by the clock of `#start`; undefined while nothing is. And the longest time so far. */
  #heldSince: number | undefined;
  #heldMs = 0;
  /** What a repaired reply was turned into, as far as it is kept. */
  readonly #returned: Buffer[] = [];
  #returnedBytes = 0;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { path, number }: { path: string; number: number },
    options: PassageOptions,
  ) {
    this.#request = request;
    this.#response = response;
    this.#options = options;
    this.number = number;
    this.path = path;
    this.method = request.method ?? 'GET';
    this.userAgent = request.headers['user-agent'] ?? '';
    this.protocol = this.method === 'POST' ? findProtocol(PROVIDER_CATALOG, { url: path }) : undefined;
    this.#isRepairing = isRepairable(this.protocol) && options.isRepairing();
  }

  begin(): void {
    const { findKey, onChange } = this.#options;
    this.#response.once('close', () => this.#leave());
    // A program may leave at any moment, even between two bytes; `close` follows.
    this.#response.on('error', () => undefined);
    this.#response.on('drain', () => this.#forwarding?.resume());
    onChange(this);
    const { rawHeaders, headers } = this.#request;
    const fields = toForward(rawHeaders, headers.connection);
    if (!findKey || hasKey(fields)) this.#send(fields);
    else void this.#sendWithKey(fields, findKey);
  }

  /** Ends it: its recording stops. */
  stop(): void {
    this.#end('recording');
    this.#response.destroy();
  }

  /** The body of the request as far as it was read; may contain secrets. */
  requestText(): string {
    return this.#forwarding?.requestBody().toString('utf8') ?? '';
  }

  /** What was sent and received so far, with all secrets masked. Builds it anew each time. */
  evidence(): AttemptEvidence | undefined {
    return this.#forwarding?.evidence(this.#secrets);
  }

  /** What the program received instead of the response of the server; undefined when nothing was changed. */
  repaired(): RecordedExchange['repaired'] {
    const calls = this.#repair?.changed ?? [];
    if (calls.length === 0) return undefined;
    const body = Buffer.concat(this.#returned).toString('utf8');
    return { calls, body: this.#forwarding?.redact(body, this.#secrets) ?? '', heldMs: this.#heldMs };
  }

  /** Whether calls were looked for in the reply, or why they could not; undefined when there was nothing to look for. */
  repairing(): RecordedExchange['repairing'] {
    if (!this.#repair) return this.#hindrance;
    return this.#repair.isTooLong ? 'too-long' : 'searched';
  }

  onHeaders(status: number, fields: Fields): void {
    this.status = status;
    this.headersMs = this.#elapsed();
    this.#openRepair(status, fields);
    const { 'content-length': length, ...returned } = toReturn(fields);
    this.#response.writeHead(status, this.#repair || length === undefined ? returned : toReturn(fields));
    // With the first bytes of the body, if they are here already.
    process.nextTick(() => {
      if (this.firstByteMs === undefined && this.endedBy === undefined) this.#response.flushHeaders();
    });
    this.#options.onChange(this);
  }

  onData(chunk: Buffer): void {
    this.firstByteMs ??= this.#elapsed();
    const given = this.#repair ? this.#keep(this.#repair.push(chunk)) : chunk;
    if (this.#repair) this.#timeHeld(this.#repair.isHolding);
    if (given.length > 0 && !this.#response.write(given)) this.#forwarding?.pause();
  }

  onEnd(): void {
    this.endedBy ??= 'server';
    this.#endRepair();
    this.#response.end();
  }

  onError(error: Error): void {
    const isProgramGone = this.#response.destroyed || (this.#request.destroyed && !this.#request.complete);
    this.endedBy ??= isProgramGone ? 'program' : 'network';
    if (this.endedBy === 'network') this.error = error;
    if (this.#response.headersSent) this.#breakOff();
    else refuse(this.#response, 502, describeError(error, this.#options.origin));
  }

  /** Ends a response that the program must not take for a whole one, with all that arrived of it. */
  #breakOff(): void {
    this.#endRepair();
    this.#response.write('', () => this.#response.destroy());
  }

  #endRepair(): void {
    if (!this.#repair) return;
    this.#response.write(this.#keep(this.#repair.end()));
    this.#timeHeld(false);
  }

  #timeHeld(isHolding: boolean): void {
    const now = this.#elapsed();
    if (this.#heldSince !== undefined) this.#heldMs = Math.max(this.#heldMs, now - this.#heldSince);
    if (!isHolding) this.#heldSince = undefined;
    else this.#heldSince ??= now;
  }

  #openRepair(status: number, fields: Fields): void {
    if (!this.#isRepairing || !this.protocol) return;
    const chat = readChat(this.requestText());
    const { repair, hindrance } = openRepair(this.protocol, chat, { status, fields });
    this.#repair = repair;
    this.#hindrance = hindrance;
  }

  #keep(given: Buffer): Buffer {
    this.#returnedBytes += given.length;
    if (given.length > 0 && this.#returnedBytes <= MAX_RETURNED_BYTES) this.#returned.push(given);
    return given;
  }

  async #sendWithKey(fields: string[], findKey: () => Promise<string | undefined>): Promise<void> {
    const key = await findKey().catch(() => undefined);
    const usual: KeyHeader | undefined = this.protocol?.auth[0] ?? USUAL_KEY_HEADER;
    if (key === undefined || !usual) return this.#send(fields);
    this.#secrets.push(key);
    this.isKeyAdded = true;
    this.#send(withKey(fields, key, usual));
  }

  #send(fields: string[]): void {
    if (this.endedBy) return;
    // A compressed reply could not be read on its way.
    const headers = this.#isRepairing ? withoutField(fields, 'accept-encoding') : fields;
    const { origin, network } = this.#options;
    const body = hasBody(this.#request) ? new RequestBody(this.#request) : undefined;
    const request = { origin, path: this.path, method: this.method, headers, body };
    this.#forwarding = new Forwarding(request, this, network);
    this.#forwarding.send();
  }

  #leave(): void {
    this.#end(this.#response.writableFinished ? 'server' : 'program');
  }

  #end(by: ExchangeEnd): void {
    if (this.endMs !== undefined) return;
    this.endedBy ??= by;
    this.endMs = this.#elapsed();
    this.#forwarding?.abort();
    this.#options.onChange(this);
  }

  #elapsed(): number {
    return performance.now() - this.#start;
  }
}

/** Whether a request has a body, though it may be empty (RFC 9112, 6.3). */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Answers a program in the place of the server, in a form that the clients of most protocols show. */
export function refuse(response: ServerResponse, status: number, words: string): void {
  const body = words === '' ? '' : JSON.stringify({ error: { message: words, type: 'recording' } });
  // The rest of the request is not read.
  response.writeHead(status, {
    connection: 'close',
    'content-length': Buffer.byteLength(body),
    ...(body !== '' && { 'content-type': 'application/json' }),
  });
  response.end(body);
}

function describeError(error: Error, origin: string): string {
  const { why, next } = explainNetworkError(error);
  return t('The recording got no answer from {0} that it can pass on: {1} {2}', origin, why, next);
}
