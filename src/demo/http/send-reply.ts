// Sends a reply, with the header conventions of the simulated server. Independent of the protocol of the body.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { HttpReply } from './http-reply';

/**
 * Never rejects when the caller disconnects. @param hasDate Whether to send a Date header.
 */
export async function sendReply(response: ServerResponse, reply: HttpReply, hasDate: boolean): Promise<void> {
  const isDelivered = await deliver(response, reply, hasDate);
  reply.end?.(isDelivered);
}

async function deliver(response: ServerResponse, reply: HttpReply, hasDate: boolean): Promise<boolean> {
  if (reply.fault === 'silent') return waitForLeave(response);
  if (!(await waitBefore(response, reply.delayMs))) return false;
  setHead(response, reply, hasDate);
  return reply.fault === 'cut' ? breakOff(response, reply) : write(response, reply);
}

async function waitForLeave(response: ServerResponse): Promise<boolean> {
  if (!response.destroyed) await once(response, 'close');
  return false;
}

/** Resolves to false when the caller disconnected before the delay was over; the timer is then cleared. */
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

function setHead(response: ServerResponse, reply: HttpReply, hasDate: boolean): void {
  response.sendDate = hasDate;
  response.statusCode = reply.status;
  // Neither real server sends a Connection header while it keeps the connection open.
  response.removeHeader('Connection');
  for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value);
  if (!reply.isStreamed) {
    response.setHeader('Content-Length', Buffer.byteLength(reply.pieces.join('')));
  }
}

/** Resolves to true when everything was handed to the operating system. */
async function write(response: ServerResponse, reply: HttpReply): Promise<boolean> {
  const closed = once(response, 'close');
  for (const piece of reply.pieces) response.write(piece);
  response.end();
  await closed;
  return response.writableFinished;
}

/** The headers announce the whole body, so the caller can notice that the connection broke. */
async function breakOff(response: ServerResponse, reply: HttpReply): Promise<boolean> {
  const closed = once(response, 'close');
  const body = Buffer.from(reply.pieces.join(''));
  const sent = reply.isStreamed
    ? reply.pieces.slice(0, Math.ceil(reply.pieces.length / 2))
    : [body.subarray(0, Math.floor(body.length / 2))];
  for (const piece of sent.slice(0, -1)) response.write(piece);
  // Destroyed only after the write, or the socket would lose data that it has not sent yet.
  response.write(sent.at(-1) ?? '', () => response.destroy());
  await closed;
  return false;
}
