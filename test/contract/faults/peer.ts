// The server's side of one faulty exchange: valid replies of both protocols, streamed and unstreamed, to be damaged, and the
// raw socket.
import type { Socket } from 'node:net';
import type { Protocol, Variant } from './fault';

/** Progress of the client; each promise resolves at the next such event. */
export interface Signals {
  headersSeen: () => Promise<void>;
  deltaSeen: () => Promise<void>;
}

interface AnswerOptions {
  /** @default '200 OK' */
  status?: string;
  /** In addition to the content type and the length; a `content-type` here replaces the default. */
  headers?: readonly string[];
}

export class Peer {
  readonly socket: Socket;
  /** Number of this exchange among those of the server, from 1. */
  readonly count: number;
  readonly protocol: Protocol;
  readonly isStreamed: boolean;
  readonly signals: Signals;
  /** Aborts the call as its caller would. */
  readonly abort: () => void;

  constructor(
    socket: Socket,
    count: number,
    variant: Variant,
    client: { signals: Signals; abort: () => void },
  ) {
    this.socket = socket;
    this.count = count;
    this.protocol = variant.startsWith('local') ? 'local' : 'hosted';
    this.isStreamed = variant.endsWith(' streamed');
    this.signals = client.signals;
    this.abort = client.abort;
  }

  get contentType(): string {
    if (!this.isStreamed) return 'application/json';
    return this.protocol === 'local' ? 'application/x-ndjson' : 'text/event-stream';
  }

  /** Selects the value of this protocol. */
  by<Value>(values: Record<Protocol, Value>): Value {
    return values[this.protocol];
  }

  /** A complete reply with the text "fine"; streamed, in two pieces. */
  get good(): string {
    return this.isStreamed
      ? this.piece('fi') + this.reply('{"content":"ne"}')
      : this.reply('{"content":"fine"}');
  }

  /** The beginning of a reply; streamed, a complete piece with the text "fi". */
  get half(): string {
    return this.isStreamed ? this.piece('fi') : this.good.slice(0, 20);
  }

  /** A piece of a stream other than the last. */
  piece(text: string): string {
    return this.by({
      local: `{"message":{"content":${JSON.stringify(text)}},"done":false}\n`,
      hosted: `data: {"choices":[{"index":0,"delta":{"content":${JSON.stringify(text)}}}]}\n\n`,
    });
  }

  /**
   * @param message JSON text of the message.
   * @param rest JSON text of further members of the document, each after a comma.
   */
  reply(message: string, rest = ''): string {
    const local = `{"model":"m","message":${message},"done":true,"done_reason":"stop"${rest}}`;
    if (this.protocol === 'local') return this.isStreamed ? `${local}\n` : local;
    if (!this.isStreamed)
      return `{"model":"m","choices":[{"index":0,"message":${message},"finish_reason":"stop"}]${rest}}`;
    return (
      `data: {"choices":[{"index":0,"delta":${message}}]}\n\n` +
      `data: {"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]${rest}}\n\ndata: [DONE]\n\n`
    );
  }

  write(bytes: string | Buffer): void {
    this.socket.write(bytes);
  }

  /** Sends the status line and the header fields, with the blank line. */
  head(headers: readonly string[], status = '200 OK'): void {
    const type = headers.some((line) => /^content-type:/i.test(line))
      ? []
      : [`content-type: ${this.contentType}`];
    this.write([`HTTP/1.1 ${status}`, ...type, ...headers, '', ''].join('\r\n'));
  }

  /** Sends a complete answer with its length; the connection stays open. */
  answer(body: string | Buffer, { status, headers = [] }: AnswerOptions = {}): void {
    this.head([`content-length: ${Buffer.byteLength(body)}`, ...headers], status);
    this.write(body);
  }

  /** Sends everything written so far, then closes both directions. */
  close(): void {
    this.socket.destroySoon();
  }

  /** Resets the connection; data that was written but not yet sent may be lost. */
  reset(): void {
    this.socket.resetAndDestroy();
  }
}

type Serve = (peer: Peer) => void;

/** Answers 200 with this body. */
export const sends =
  (body: (peer: Peer) => string | Buffer, ...headers: string[]): Serve =>
  (peer) =>
    peer.answer(body(peer), { headers });

/** Answers with a message, given as JSON text. */
export const sendsMessage = (message: string, rest?: string): Serve =>
  sends((peer) => peer.reply(message, rest));

/** Misbehaves on the first request only. */
export const once =
  (serve: Serve): Serve =>
  (peer) =>
    peer.count === 1 ? serve(peer) : peer.answer(peer.good);

/** A message with these tool calls; below, one with a single call with these arguments. All are JSON texts. */
export const calls = (text: string): string => `{"content":"fine","tool_calls":${text}}`;
export const call = (args: string): string =>
  calls(`[{"id":"a","function":{"name":"f","arguments":${args}}}]`);
