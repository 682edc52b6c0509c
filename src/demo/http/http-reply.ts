// What a protocol passes to the HTTP server: status, headers and texts.
import type { DemoFailure, DemoTurn } from '../model/scenario';
import type { Performance, Stage } from '../model/stage';
import type { DemoUsage } from '../model/tokens';
import { toWireError } from '../wire/wire-error';
import type { WireError } from '../wire/wire-error';

export interface HttpReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** A single piece is sent with its length; several are sent chunked, with one write each. */
  pieces: readonly string[];
  isStreamed: boolean;
  /** Milliseconds to wait before the headers. */
  delayMs: number;
  /** `silent`: nothing is ever sent. `cut`: the connection ends about half-way through the body. @default none */
  fault?: 'silent' | 'cut' | undefined;
  /** Called once, when the response is sent or the caller has disconnected. */
  end?: ((isDelivered: boolean) => void) | undefined;
}

/** The beginning of a request. Header names are in lower case. */
export interface HttpRequestHead {
  method: string;
  /** Without the query. */
  path: string;
  /** Without the question mark; may be empty. */
  query: string;
  headers: Readonly<Record<string, string | undefined>>;
}

/** What a protocol gets of a request. */
export interface HttpRequest extends HttpRequestHead {
  body: string;
}

/** The endpoints of one protocol. */
export interface Side {
  /** Whether a request is for this protocol. */
  takes: (head: HttpRequestHead) => boolean;
  /** @param apiKey If set, the protocols of hosted services require it. */
  answer: (request: HttpRequest, stage: Stage, apiKey: string | undefined) => HttpReply;
  /** The response to a body that is longer than this server accepts. */
  refuseSize: (stage: Stage) => HttpReply;
  /** Whether the simulated server sends a Date header. */
  hasDate: boolean;
}

export function toHttpReply(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>>,
): HttpReply {
  return { status, headers, pieces: [body], isStreamed: false, delayMs: 0 };
}

/** A successful reply of a hosted service. */
export function toJsonReply(value: unknown, headers: Readonly<Record<string, string>> = {}): HttpReply {
  return toHttpReply(200, JSON.stringify(value), { 'Content-Type': 'application/json', ...headers });
}

/** The answer, or what the protocol makes of the error that it throws. */
export function orRefusal(answer: () => HttpReply, toRefusal: (error: WireError) => HttpReply): HttpReply {
  try {
    return answer();
  } catch (error) {
    return toRefusal(toWireError(error));
  }
}

export function toStreamReply(
  pieces: readonly string[],
  headers: Readonly<Record<string, string>>,
): HttpReply {
  return { status: 200, headers, pieces, isStreamed: true, delayMs: 0 };
}

/** How a protocol writes what a scripted model does. */
export interface PerformanceWriter {
  toTurn: (turn: DemoTurn, usage: DemoUsage) => HttpReply;
  toFailure: (failure: DemoFailure) => HttpReply;
}

/** The reply to a request that a scripted model has answered. Silence keeps the connection open until the caller disconnects. */
export function toPerformedReply(performance: Performance, writer: PerformanceWriter): HttpReply {
  const { reply, usage, end } = performance;
  if (reply.kind === 'silence') return { ...toStreamReply([], {}), fault: 'silent', end };
  const written = reply.kind === 'failure' ? writer.toFailure(reply) : writer.toTurn(reply, usage);
  const isCutOff = reply.kind === 'turn' && reply.isCutOff === true && written.status === 200;
  return { ...written, delayMs: reply.delayMs ?? 0, fault: isCutOff ? 'cut' : undefined, end };
}

/** One server-sent event. @param name Its `event` field, if the protocol names its events. */
export function toServerEvent(data: string, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${data}\n\n`;
}

/** Splits a text into the pieces of a stream, one word each. */
export function splitWords(text: string): string[] {
  return text.match(/\s*\S+(?:\s+$)?/g) ?? (text === '' ? [] : [text]);
}
