// A server that answers with scripted replies, piece by piece, and keeps what it was asked.
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { SeenRequest, TestServer } from '../servers/http-server';
import { startServer } from '../servers/http-server';
import { createRandom } from '../arbitrary/random';
import type { ScriptedReply } from './field-case';

/** The bytes of a reply in the pieces in which they are written. */
export type CutReply = (reply: ScriptedReply) => Buffer[];

export const asGiven: CutReply = ({ chunks }) => chunks.map((chunk) => Buffer.from(chunk));

/** Cuts at random places, also inside of a letter. */
export function cutAtRandom(seed: number): CutReply {
  const random = createRandom(seed);
  return (reply) => {
    const bytes = Buffer.concat(asGiven(reply));
    const places = Array.from({ length: 5 }, () => random.below(bytes.length + 1));
    const ends = [...places, bytes.length].toSorted((one, other) => one - other);
    return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
  };
}

interface Play {
  replies: readonly ScriptedReply[];
  cut: CutReply;
  requests: SeenRequest[];
}

/** One server for all, because a thousand would take ports that other tests expect to be free. */
let server: Promise<TestServer> | undefined;
let current: Play | undefined;

/** Each request gets the next reply; the last one is repeated. Only one play at a time. */
export async function playReplies(
  replies: readonly ScriptedReply[],
  cut: CutReply = asGiven,
): Promise<{ url: string; requests: readonly SeenRequest[] }> {
  server ??= startServer((request, response) => void answer(request, response));
  current = { replies, cut, requests: [] };
  return { url: (await server).url, requests: current.requests };
}

export async function closeReplies(): Promise<void> {
  await (await server)?.[Symbol.asyncDispose]();
  server = undefined;
}

async function answer(request: SeenRequest, response: ServerResponse): Promise<void> {
  const { replies = [], cut = asGiven, requests = [] } = current ?? {};
  requests.push(request);
  const reply = replies[Math.min(requests.length, replies.length) - 1];
  if (!reply) throw new Error('There is no reply.');
  response.writeHead(reply.status, reply.headers);
  for (const piece of cut(reply)) {
    response.write(piece);
    // So that the reader gets each piece alone.
    await setImmediate();
    await setImmediate();
  }
  response.end();
}
