// Records what one attempt sent and received, for an observer. Independent of protocols; does not influence the attempt.
import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import type { AttemptEvidence, AttemptResponse, ExchangeRequest } from '../../types';
import { ByteStore } from '../util/byte-store';
import type { Clock } from '../util/clock';
import { hasZlibHeader, parseEncodings } from './answer/decode-body';
import type { AnswerHandler } from './client/http-client';
import type { Redactor } from './redact/redact';
import { ResponseHeaders } from './answer/response';

/** Maximum number of recorded bytes of a body; the number of omitted bytes is recorded too. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** Maximum number of recorded arrival times; all later pieces count as one. */
const MAX_ARRIVALS = 50_000;

/** A request as it was sent, not yet redacted. */
export interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

/** One attempt of a call, reported when it begins. */
export interface ObservedAttempt {
  /** Starts at 1; a reconnect has the number of the attempt that it belongs to. */
  attempt: number;
  /**
   * Returns what was sent and received so far, redacted. Each call builds it anew, which takes time in proportion to the
   * bodies.
   */
  evidence: () => AttemptEvidence;
  /** A field of the response, redacted, without building the rest. @param name In lower case. */
  header: (name: string) => string | undefined;
}

/** Wraps the handler of a response and records what arrives. */
export class WireRecorder implements AnswerHandler {
  readonly #clock: Clock;
  readonly #start: number;
  #handler: AnswerHandler | undefined;
  #status: number | undefined;
  #headers = new ResponseHeaders({});
  readonly #kept = new ByteStore();
  #totalBytes = 0;
  readonly #arrivals: number[] = [];
  #isComplete = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#start = clock.elapsed();
  }

  /** @returns the handler that has to get the response instead */
  before(handler: AnswerHandler): AnswerHandler {
    this.#handler = handler;
    return this;
  }

  onHeaders(status: number, fields: Record<string, string | string[] | undefined>): void {
    this.#status = status;
    this.#headers = new ResponseHeaders(fields);
    this.#handler?.onHeaders(status, fields);
  }

  onData(chunk: Buffer): void {
    this.#totalBytes += chunk.length;
    const room = MAX_BODY_BYTES - this.#kept.size;
    if (room > 0) {
      this.#kept.add(chunk.length > room ? chunk.subarray(0, toWholeCharacter(chunk, room)) : chunk);
      this.#noteArrival(Math.round(this.#clock.elapsed() - this.#start));
    }
    this.#handler?.onData(chunk);
  }

  onEnd(): void {
    this.#isComplete = true;
    this.#handler?.onEnd();
  }

  onError(error: Error, isUnanswered: boolean): void {
    this.#handler?.onError(error, isUnanswered);
  }

  /** @returns undefined when the response has no such field, or none was received */
  header(name: string, redactor: Redactor): string | undefined {
    const value = this.#headers.get(name);
    return value === null ? undefined : redactor.headers([[name, value]])[name];
  }

  /** @returns undefined when no response was received */
  response(redactor: Redactor): AttemptResponse | undefined {
    if (this.#status === undefined) return undefined;
    const decoded = this.#decode();
    const omitted = this.#totalBytes - (decoded ? this.#kept.size : 0);
    const isWhole = this.#isComplete && omitted === 0;
    const { body, isBase64 } = toBody(decoded?.body ?? Buffer.alloc(0), redactor, isWhole);
    return {
      status: this.#status,
      headers: redactor.headers(this.#headers),
      body,
      ...(isBase64 && { isBase64 }),
      isComplete: this.#isComplete,
      ...(omitted > 0 && { omittedBytes: omitted }),
      ...(decoded?.isPlain && { arrivals: this.#arrivals.slice() }),
    };
  }

  /** Pieces within the same millisecond, and those after very many, count as one arrival. */
  #noteArrival(afterMs: number): void {
    const arrivals = this.#arrivals;
    const { length } = arrivals;
    if (length < MAX_ARRIVALS * 2 && arrivals[length - 1] !== afterMs) {
      arrivals.push(this.#kept.size, afterMs);
    } else {
      // Written over: to shorten a list and to add to it again takes many times as long.
      arrivals[length - 2] = this.#kept.size;
      arrivals[length - 1] = afterMs;
    }
  }

  /** @returns undefined when the body cannot be decoded: secrets cannot be found in bytes that nobody can read */
  #decode(): { body: Buffer; isPlain: boolean } | undefined {
    const kept = this.#kept.join();
    try {
      const encodings = parseEncodings(this.#headers.get('content-encoding'));
      const body = encodings.reduceRight((bytes, name) => undo(name, bytes), kept);
      return { body, isPlain: encodings.length === 0 };
    } catch {
      // Some servers name an encoding but send plain text.
      return isUtf8(kept) ? { body: kept, isPlain: true } : undefined;
    }
  }
}

/** Also decodes what is there of a truncated body. */
function undo(encoding: string, bytes: Buffer): Buffer {
  const limit = { maxOutputLength: MAX_BODY_BYTES };
  if (encoding === 'br') {
    return brotliDecompressSync(bytes, { ...limit, finishFlush: constants.BROTLI_OPERATION_FLUSH });
  }
  const options = { ...limit, finishFlush: constants.Z_SYNC_FLUSH };
  if (encoding !== 'deflate') return gunzipSync(bytes, options);
  return hasZlibHeader(bytes) ? inflateSync(bytes, options) : inflateRawSync(bytes, options);
}

/** Masks secrets while every other byte keeps its place, even in a body that is not text. */
function toBody(
  bytes: Buffer,
  redactor: Redactor,
  isWhole: boolean,
): Pick<AttemptResponse, 'body' | 'isBase64'> & { isMasked: boolean } {
  const isText = isUtf8(bytes);
  const text = bytes.toString(isText ? 'utf8' : 'latin1');
  const known = redactor.text(text);
  // The end may be half of a secret, which is not found by its value.
  const held = isWhole ? 0 : redactor.held(text);
  const masked = held === 0 ? known : known.slice(0, -held) + '*'.repeat(held);
  const isMasked = masked !== text;
  if (isText) return { body: masked, isMasked };
  return { body: Buffer.from(masked, 'latin1').toString('base64'), isBase64: true, isMasked };
}

/** The largest offset up to `end` that does not split a UTF-8 character. */
export function toWholeCharacter(bytes: Buffer, end: number): number {
  let at = end;
  while (at > 0 && end - at < 4 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--;
  return at;
}

/** Keeps the scheme of an authorization: it is no secret, and is needed to send the request again. */
const withScheme =
  (sent: Readonly<Record<string, string>>) =>
  ([name, masked]: [string, string]): [string, string] => {
    if (!/authorization$/i.test(name)) return [name, masked];
    const [scheme = ''] = /^(Bearer|Basic) /i.exec(sent[name] ?? '') ?? [];
    return [name, scheme + masked.slice(scheme.length)];
  };

const shown = new WeakMap<SentRequest, { redactor: Redactor; request: ExchangeRequest }>();

/** A request as it may be stored and shown; the same object for all its attempts. */
export function redactRequest(request: SentRequest, redactor: Redactor): ExchangeRequest {
  const known = shown.get(request);
  if (known?.redactor === redactor) return known.request;
  const body = request.body?.toString('utf8') ?? '';
  const masked = redactor.text(body);
  const redacted: ExchangeRequest = {
    ...redactHead(request, redactor),
    body: masked,
    ...(masked !== body && { isBodyMasked: true }),
  };
  shown.set(request, { redactor, request: redacted });
  return redacted;
}

function redactHead(
  { method, url, headers }: SentRequest,
  redactor: Redactor,
): Pick<ExchangeRequest, 'method' | 'url' | 'headers'> {
  const masked = Object.entries(redactor.headers(Object.entries(headers)));
  return { method, url: redactor.text(url), headers: Object.fromEntries(masked.map(withScheme(headers))) };
}

/**
 * A request of another program as it may be stored and shown; its body need not be text.
 * @param omittedBytes How many bytes of the body were not kept.
 * @param isRead Whether the body was read to its end.
 */
export function redactForwarded(
  request: SentRequest,
  redactor: Redactor,
  { omittedBytes, isRead }: { omittedBytes: number; isRead: boolean },
): ExchangeRequest {
  const { body, isBase64, isMasked } = toBody(
    request.body ?? Buffer.alloc(0),
    redactor,
    isRead && omittedBytes === 0,
  );
  return {
    ...redactHead(request, redactor),
    body,
    ...(isMasked && { isBodyMasked: true }),
    ...(isBase64 && { isBase64 }),
    ...(omittedBytes > 0 && { omittedBytes }),
  };
}
