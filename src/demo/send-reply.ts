// Puts a reply on the socket, with the header habits of the server it plays. Knows no protocol's body.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { WireReply } from './wire-reply';

/** `hasDate`: the local server dates its answers, the hosted one does not. Never rejects when the caller leaves. */
export async function sendReply(response: ServerResponse, reply: WireReply, hasDate: boolean): Promise<void> {
  const isDelivered = await deliver(response, reply, hasDate);
  reply.end?.(isDelivered);
}

async function deliver(response: ServerResponse, reply: WireReply, hasDate: boolean): Promise<boolean> {
  if (reply.fault === 'silent') return waitForLeave(response);
  if (!(await waitBefore(response, reply.delayMs))) return false;
  setHead(response, reply, hasDate);
  return reply.fault === 'cut' ? breakOff(response, reply) : write(response, reply);
}

async function waitForLeave(response: ServerResponse): Promise<boolean> {
  if (!response.destroyed) await once(response, 'close');
  return false;
}

/** False when the caller left before the time was over: then nothing is left waiting. */
async function waitBefore(response: ServerResponse, delayMs: number): Promise<boolean> {
  if (delayMs === 0 || response.destroyed) return !response.destroyed;
  return new Promise((resolve) => {
    const onClose = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      response.off('close', onClose);
      resolve(true);
    }, delayMs);
    response.once('close', onClose);
  });
}

function setHead(response: ServerResponse, reply: WireReply, hasDate: boolean): void {
  response.sendDate = hasDate;
  response.statusCode = reply.status;
  // Neither real server writes a Connection header while it keeps the connection.
  response.removeHeader('Connection');
  for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value);
  if (!reply.isStreamed) {
    response.setHeader('Content-Length', Buffer.byteLength(reply.pieces.join('')));
  }
}

/** True when everything was handed to the system. */
async function write(response: ServerResponse, reply: WireReply): Promise<boolean> {
  const closed = once(response, 'close');
  for (const piece of reply.pieces) response.write(piece);
  response.end();
  await closed;
  return response.writableFinished;
}

/** The headers promise the whole body, so the caller can tell that it broke. */
async function breakOff(response: ServerResponse, reply: WireReply): Promise<boolean> {
  const closed = once(response, 'close');
  const body = Buffer.from(reply.pieces.join(''));
  const sent = reply.isStreamed
    ? reply.pieces.slice(0, Math.ceil(reply.pieces.length / 2))
    : [body.subarray(0, Math.floor(body.length / 2))];
  for (const piece of sent.slice(0, -1)) response.write(piece);
  // Destroyed at once, the socket would lose what it has not handed over yet.
  response.write(sent.at(-1) ?? '', () => response.destroy());
  await closed;
  return false;
}
