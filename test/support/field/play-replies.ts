// A server that answers with scripted replies, piece by piece, and keeps what it was asked.
import { setImmediate } from 'node:timers/promises';
import type { TestServer } from '../http-server';
import { startServer } from '../http-server';
import { createRandom } from '../random';
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

/** Each request gets the next reply; the last one is repeated. */
export function playReplies(replies: readonly ScriptedReply[], cut: CutReply = asGiven): Promise<TestServer> {
  return startServer((_request, response, count) => {
    const reply = replies[Math.min(count, replies.length) - 1];
    if (!reply) throw new Error('There is no reply.');
    response.writeHead(reply.status, reply.headers);
    const write = async (): Promise<void> => {
      for (const piece of cut(reply)) {
        response.write(piece);
        // So that the reader gets each piece alone.
        await setImmediate();
        await setImmediate();
      }
      response.end();
    };
    void write();
  });
}
