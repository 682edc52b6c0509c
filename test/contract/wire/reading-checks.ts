// Compares how a stream of the Messages API or the Responses API is read in pieces of several sizes.
import { expect } from 'vitest';
import type { ChatDelta, PartialReply } from '../../../src/library';
import { StreamFailure } from '../../../src/library/transport/client/stream-reader';
import type { ReplyStream } from '../../../src/library/providers/call/stream-reply';
import type { WireReply } from '../../../src/library/wire/wire-shapes';
import type { Reading } from './official-readings';
import { readTurn } from './official-readings';

type Create = (emit: (delta: ChatDelta) => void) => ReplyStream;
type FromReply = (document: unknown) => WireReply | string;

export interface PiecedReading {
  turn?: Reading;
  failure?: string;
  partial?: PartialReply;
  deltas: ChatDelta[];
}

/** Reads it whole, and in pieces of 4,096, 7 and 1 bytes; all of them must give the same. */
export function readInPieces(body: string, create: Create, fromReply: FromReply): PiecedReading {
  const bytes = Buffer.from(body);
  const whole = readIn(bytes, bytes.length, create, fromReply);
  for (const size of [4096, 7, 1]) expect(readIn(bytes, size, create, fromReply)).toEqual(whole);
  return whole;
}

function readIn(bytes: Buffer, size: number, create: Create, fromReply: FromReply): PiecedReading {
  const deltas: ChatDelta[] = [];
  const stream = create((delta) => deltas.push(delta));
  try {
    for (let at = 0; at < bytes.length; at += size) stream.push(bytes.subarray(at, at + size));
    stream.end();
  } catch (error) {
    if (!(error instanceof StreamFailure)) throw error;
    return { failure: error.kind, partial: stream.partial(), deltas };
  }
  const raw = fromReply(stream.document());
  if (typeof raw === 'string') throw new Error(raw);
  const turn = readTurn({ raw: { ...raw, attempts: 1 } });
  expect(deltas.map(({ content }) => content ?? '').join('')).toBe(turn.text);
  expect(deltas.map(({ reasoning }) => reasoning ?? '').join('')).toBe(turn.reasoning);
  return { turn, deltas };
}
