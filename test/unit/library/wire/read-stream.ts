// Reads a stream of either protocol as a provider does, piece by piece, and tells all that it came to.
import type { ChatDelta } from '../../../../src/library';
import { StreamFailure } from '../../../../src/library/transport/stream-reader';
import { HostedApiStream } from '../../../../src/library/wire/hosted-api-stream';
import { fromHostedApiReply } from '../../../../src/library/wire/hosted-api-wire';
import { LocalHostStream } from '../../../../src/library/wire/local-host-stream';
import { fromLocalHostReply } from '../../../../src/library/wire/local-host-wire';

const SIDES = {
  local: {
    create: (emit: (delta: ChatDelta) => void) => new LocalHostStream(emit),
    fromReply: fromLocalHostReply,
  },
  hosted: {
    create: (emit: (delta: ChatDelta) => void) => new HostedApiStream(emit),
    fromReply: fromHostedApiReply,
  },
};
export type Side = keyof typeof SIDES;

/** Ids that were made here differ each time and are left out. */
export function readStream(side: Side, pieces: Iterable<Uint8Array>) {
  const { create, fromReply } = SIDES[side];
  const deltas: ChatDelta[] = [];
  const stream = create((delta) => deltas.push(delta));
  try {
    for (const piece of pieces) stream.push(piece);
    stream.end();
  } catch (error) {
    if (!(error instanceof StreamFailure)) throw error;
    return { failure: error.kind, message: error.message, partial: stream.partial(), deltas };
  }
  const reply = fromReply(stream.document());
  return {
    reply: JSON.parse(JSON.stringify(reply).replaceAll(/"call_[0-9a-z]{24}"/g, '"made"')) as typeof reply,
    deltas,
  };
}

export const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'utf8');

/** Streams of real servers. */
export const RECORDED_STREAMS: [Side, string][] = [
  ['local', 'ollama-chat-stream'],
  ['local', 'ollama-chat-tools-stream'],
  ['local', 'ollama-chat-tools-parallel-stream'],
  ['local', 'ollama-go-tools-stream'],
  ['local', 'ollama-chat-think-true-stream'],
  ['local', 'ollama-chat-emoji-stream'],
  ['local', 'ollama-midstream-error'],
  ['hosted', 'llamacpp-chat-stream'],
  ['hosted', 'llamacpp-chat-stream-usage'],
  ['hosted', 'llamacpp-chat-tools-stream'],
  ['hosted', 'llamacpp-chat-tools-parallel-stream'],
  ['hosted', 'llamacpp-chat-tools-truncated-stream'],
  ['hosted', 'llamacpp-chat-reasoning-stream'],
  ['hosted', 'llamacpp-chat-emoji-stream'],
  ['hosted', 'llamacpp-midstream-error'],
  ['hosted', 'ollama-v1-chat-tools-stream-usage'],
  ['hosted', 'ollama-v1-chat-think-stream'],
  ['hosted', 'ollama-v1-midstream-error'],
];
