// Every recorded reply of the Messages API is read as Anthropic's own client reads it: over a socket, and in pieces of any size.
import { afterAll, describe, expect, test } from 'vitest';
import type { ChatDelta, ChatTurn, HttpError, ProviderError } from '../../../src/library';
import { closeConnections, MessagesApiProvider } from '../../../src/library';
import { StreamFailure } from '../../../src/library/transport/client/stream-reader';
import { MessagesStream } from '../../../src/library/wire/messages/messages-stream';
import { fromMessagesReply } from '../../../src/library/wire/messages/messages-wire';
import { startServer } from '../../support/servers/http-server';
import { startReplay } from '../../support/servers/replay-server';
import { WEATHER } from '../../support/messages/recorded-tools';
import type { Reading, Recording } from './official-readings';
import { readMessage, readOfficial, readRecording, readTurn, recordingsOf } from './official-readings';

const names = recordingsOf('messages');
const streams = names.filter((name) => /event-stream/.test(JSON.stringify(readRecording(name).response)));

/**
 * The client guesses the end of arguments that were cut off; here such a call keeps their text, because nobody may run it.
 */
const CUT_CALLS: Record<string, string> = {
  'llamacpp-messages-call-cut-stream': '{"city": "Paris"',
};

function expectedOf(name: string): Reading {
  const reading = readMessage(readOfficial(name).result ?? {});
  const cut = CUT_CALLS[name];
  return cut === undefined
    ? reading
    : { ...reading, calls: reading.calls.map((call) => ({ ...call, arguments: cut })) };
}

afterAll(closeConnections);

async function ask(recorded: Recording): Promise<ChatTurn | ProviderError> {
  await using server = recorded.connection_closed_early
    ? await startServer((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(recorded.response.body, () => response.destroy());
      })
    : await startReplay(recorded);
  const provider = new MessagesApiProvider({
    host: server.url,
    auth: 'none',
    apiKey: '',
    model: 'tiny',
    retry: false,
  });
  const isStreamed = /event-stream/.test(JSON.stringify(recorded.response.headers));
  const options = {
    messages: [{ role: 'user' as const, content: 'hi' }],
    tools: [WEATHER],
    ...(isStreamed && { onDelta: () => undefined }),
  };
  return await provider.chat(options).catch((error: ProviderError) => error);
}

describe('a recorded reply of the Messages API', () => {
  test.each(names)('is read over a socket as by the official client: %s', async (name) => {
    const official = readOfficial(name);
    const answer = await ask(readRecording(name));
    if (official.result) {
      expect(answer).not.toBeInstanceOf(Error);
      expect(readTurn(answer as ChatTurn)).toEqual(expectedOf(name));
      return;
    }
    expect(answer).toBeInstanceOf(Error);
    const { status, error = {} } = official.error ?? {};
    const told = (error['error'] ?? error) as { message?: string };
    if (status !== undefined) expect(answer).toMatchObject({ code: 'http', status });
    if (told.message !== undefined) expect((answer as HttpError).serverMessage).toBe(told.message);
    else expect((answer as ProviderError).code).toBe('truncated-stream');
  });

  test.each(streams)('is the same in pieces of 1, 7 and 4,096 bytes: %s', (name) => {
    const bytes = Buffer.from(readRecording(name).response.body);
    const readings = [bytes.length, 4096, 7, 1].map((size) => readIn(bytes, size));
    for (const reading of readings) expect(reading).toEqual(readings[0]);
    if (readOfficial(name).result) expect(readings[0]?.turn).toEqual(expectedOf(name));
    else expect(readings[0]?.failure).toMatch(/^(?:truncated|document)$/);
  });

  test('covers turns and errors of both servers', () => {
    expect(streams.length).toBeGreaterThan(10);
    expect(names.length).toBeGreaterThan(25);
    expect(names.filter((name) => readOfficial(name).error).length).toBeGreaterThan(4);
  });
});

function readIn(bytes: Buffer, size: number) {
  const deltas: ChatDelta[] = [];
  const stream = new MessagesStream((delta) => deltas.push(delta));
  try {
    for (let at = 0; at < bytes.length; at += size) stream.push(bytes.subarray(at, at + size));
    stream.end();
  } catch (error) {
    if (!(error instanceof StreamFailure)) throw error;
    return { failure: error.kind, partial: stream.partial(), deltas };
  }
  const raw = fromMessagesReply(stream.document());
  if (typeof raw === 'string') throw new Error(raw);
  const said = deltas.map(({ content }) => content ?? '').join('');
  expect(said).toBe(raw.content);
  return { turn: readTurn({ raw: { ...raw, attempts: 1 } }), deltas };
}
