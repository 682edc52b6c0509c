// Reads a stream of either protocol like a provider, piece by piece, and returns all results.
import type { ChatDelta } from '../../../../src/library';
import { StreamFailure } from '../../../../src/library/transport/client/stream-reader';
import { HostedApiStream } from '../../../../src/library/wire/hosted-api/hosted-api-stream';
import {
  fromHostedApiReply,
  readHostedApiCallTexts,
} from '../../../../src/library/wire/hosted-api/hosted-api-wire';
import { LocalHostStream } from '../../../../src/library/wire/local-host/local-host-stream';
import {
  fromLocalHostReply,
  readLocalHostCallTexts,
} from '../../../../src/library/wire/local-host/local-host-wire';

const SIDES = {
  local: {
    create: (emit: (delta: ChatDelta) => void) => new LocalHostStream(emit),
    fromReply: fromLocalHostReply,
    readCallTexts: readLocalHostCallTexts,
  },
  hosted: {
    create: (emit: (delta: ChatDelta) => void) => new HostedApiStream(emit),
    fromReply: fromHostedApiReply,
    readCallTexts: readHostedApiCallTexts,
  },
};
export type Side = keyof typeof SIDES;

/** Ids that were created here, and not sent by the server, are replaced, because they differ each time. */
export function readStream(side: Side, pieces: Iterable<Uint8Array>) {
  const { create, fromReply, readCallTexts } = SIDES[side];
  const deltas: ChatDelta[] = [];
  const stream = create((delta) => deltas.push(delta));
  const sent = [...pieces];
  try {
    for (const piece of sent) stream.push(piece);
    stream.end();
  } catch (error) {
    if (!(error instanceof StreamFailure)) throw error;
    return { failure: error.kind, message: error.message, partial: stream.partial(), deltas };
  }
  const text = Buffer.concat(sent).toString('utf8');
  const reply = JSON.stringify(fromReply(stream.document())).replaceAll(
    /"id":"([0-9A-Za-z]{9})"/g,
    (whole, id: string) => (text.includes(id) ? whole : '"id":"made"'),
  );
  const calls = readCallTexts(stream.document());
  return { reply: JSON.parse(reply) as ReturnType<typeof fromReply>, calls, deltas };
}

export const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'utf8');

/** Recorded streams of real servers. */
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
