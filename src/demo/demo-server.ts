// The HTTP server of the demo back end: one loopback port for all protocols. The side of each protocol decides what to
// answer.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isLoopbackHost } from './http/callers';
import { HOSTED_SIDE } from './hosted/hosted-side';
import { LOCAL_SIDE } from './local/local-side';
import { MESSAGES_SIDE } from './messages/messages-side';
import { RESPONSES_SIDE } from './responses/responses-side';
import { newReplyId } from './wire/reply-id';
import { readBody } from './http/read-body';
import { sendReply } from './http/send-reply';
import { Stage } from './model/stage';
import type { HttpReply, HttpRequestHead, Side } from './http/http-reply';

/** A request that none of these takes goes to the hosted side. */
const SIDES: readonly Side[] = [LOCAL_SIDE, MESSAGES_SIDE, RESPONSES_SIDE];

const LOOPBACK = '127.0.0.1';

export interface DemoServerOptions {
  /** Hosted protocol only: requests need `Authorization: Bearer <key>` or `x-api-key: <key>`. @default no key is required */
  apiKey?: string | undefined;
}

export interface DemoServer {
  /** Base URL of Ollama's protocol, without a path. */
  readonly localHost: string;
  /** Base URL of OpenAI's protocol; ends in `/v1`. */
  readonly hostedHost: string;
  /** Ends all connections at once, without waiting for requests in progress. May be called again. */
  close: () => Promise<void>;
}

/** Starts a server of the scripted models on a free loopback port. @throws when no port is available */
export async function startDemoServer(options: DemoServerOptions = {}): Promise<DemoServer> {
  const stage = new Stage({ newId: newReplyId, now: () => new Date() });
  const server = createServer((request, response) => {
    // A caller may disconnect at any moment; then there is nothing to do but to close the connection.
    handle(request, response, stage, options.apiKey).catch(() => response.destroy());
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const base = `http://${LOOPBACK}:${portOf(server)}`;
  let closing: Promise<void> | undefined;
  return {
    localHost: base,
    hostedHost: `${base}/v1`,
    close: () => (closing ??= closeServer(server, sockets)),
  };
}

async function closeServer(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  for (const socket of sockets) socket.destroy();
  await closed;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The demo server has no port.');
  return address.port;
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  stage: Stage,
  apiKey: string | undefined,
): Promise<void> {
  const head = toHead(request);
  const side = SIDES.find((candidate) => candidate.takes(head)) ?? HOSTED_SIDE;
  const send = (reply: HttpReply): Promise<void> => sendReply(response, reply, side.hasDate);
  const { host, origin } = request.headers;
  // Only pages send an origin, and no page is from this server: even one of this computer may be somebody else's.
  if (!isLoopbackHost(host) || origin !== undefined) {
    request.resume();
    return send({ status: 403, headers: {}, pieces: [''], isStreamed: false, delayMs: 0 });
  }
  const body = await readBody(request);
  return send(body === undefined ? side.refuseSize(stage) : side.answer({ ...head, body }, stage, apiKey));
}

function toHead(request: IncomingMessage): HttpRequestHead {
  const [path = '', query = ''] = (request.url ?? '/').replace(/#.*$/, '').split(/\?(.*)/s);
  return { method: request.method ?? 'GET', path, query, headers: flattenHeaders(request) };
}

function flattenHeaders(request: IncomingMessage): Record<string, string | undefined> {
  const entries = Object.entries(request.headers);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}
