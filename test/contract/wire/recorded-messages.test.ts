// Every recorded reply of the Messages API and of the Responses API is read as the official client reads it: over a socket, and
// in pieces of any size.
import { afterAll, describe, expect, test } from 'vitest';
import type { ChatTurn, HttpError, ProviderError } from '../../../src/library';
import { closeConnections, MessagesApiProvider, ResponsesApiProvider } from '../../../src/library';
import { MessagesStream } from '../../../src/library/wire/messages/messages-stream';
import { fromMessagesReply } from '../../../src/library/wire/messages/messages-wire';
import { ResponsesStream } from '../../../src/library/wire/responses/responses-stream';
import { fromResponsesReply } from '../../../src/library/wire/responses/responses-wire';
import { WEATHER } from '../../support/messages/recorded-tools';
import { startServer } from '../../support/servers/http-server';
import { startReplay } from '../../support/servers/replay-server';
import type { Reading, Recording } from './official-readings';
import { readMessage, readOfficial, readRecording, readResponse } from './official-readings';
import { readTurn, recordingsOf } from './official-readings';
import { readInPieces } from './reading-checks';

const PROTOCOLS = {
  messages: {
    providerClass: MessagesApiProvider,
    create: (...args: ConstructorParameters<typeof MessagesStream>) => new MessagesStream(...args),
    fromReply: fromMessagesReply,
    read: readMessage,
  },
  responses: {
    providerClass: ResponsesApiProvider,
    create: (...args: ConstructorParameters<typeof ResponsesStream>) => new ResponsesStream(...args),
    fromReply: fromResponsesReply,
    read: readResponse,
  },
};
type Name = keyof typeof PROTOCOLS;

const isStream = ({ response }: Recording): boolean => /event-stream/.test(JSON.stringify(response.headers));
const names = (['messages', 'responses'] as const).flatMap((protocol) =>
  recordingsOf(protocol).map((name): [Name, string] => [protocol, name]),
);
const streams = names.filter(([, name]) => isStream(readRecording(name)));

/**
 * Anthropic's client guesses the end of arguments that were cut off; here such a call keeps their text, because nobody may run
 * it.
 */
const CUT_CALLS: Record<string, string> = {
  'llamacpp-messages-call-cut-stream': '{"city": "Paris"',
};

/** @returns undefined where the client reads no reply */
function expectedOf(protocol: Name, name: string): Reading | undefined {
  const { result, events } = readOfficial(name);
  // OpenAI's helper fails at the streams of both servers, while the iterator reads them.
  const read = result ?? (events?.error ? undefined : events?.last);
  if (!read) return undefined;
  const reading = PROTOCOLS[protocol].read(read);
  const cut = CUT_CALLS[name];
  return cut === undefined
    ? reading
    : { ...reading, calls: reading.calls.map((call) => ({ ...call, arguments: cut })) };
}

afterAll(closeConnections);

async function ask(protocol: Name, recorded: Recording): Promise<ChatTurn | ProviderError> {
  await using server = recorded.connection_closed_early
    ? await startServer((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(recorded.response.body, () => response.destroy());
      })
    : await startReplay(recorded);
  const { providerClass: Provider } = PROTOCOLS[protocol];
  const provider = new Provider({ host: server.url, auth: 'none', apiKey: '', model: 'tiny', retry: false });
  const options = {
    messages: [{ role: 'user' as const, content: 'hi' }],
    tools: [WEATHER],
    ...(isStream(recorded) && { onDelta: () => undefined }),
  };
  const answer = await provider.chat(options).catch((error: ProviderError) => error);
  expect(server.requests.map(({ url }) => url)).toEqual([`/v1/${protocol}`]);
  return answer;
}

describe('a recorded reply', () => {
  test.each(names)('of %s is read over a socket as by the official client: %s', async (protocol, name) => {
    const expected = expectedOf(protocol, name);
    const answer = await ask(protocol, readRecording(name));
    if (expected) {
      expect(answer).not.toBeInstanceOf(Error);
      expect(readTurn(answer as ChatTurn)).toEqual(expected);
      return;
    }
    expect(answer).toBeInstanceOf(Error);
    const official = readOfficial(name);
    const { status, error = {} } = official.events?.error ?? official.error ?? {};
    const told = (error['error'] ?? error) as { message?: string };
    if (status !== undefined) expect(answer).toMatchObject({ code: 'http', status });
    if (told.message !== undefined) expect((answer as HttpError).serverMessage).toBe(told.message);
    else expect((answer as ProviderError).code).toBe('truncated-stream');
  });

  test.each(streams)('of %s is the same in pieces of 1, 7 and 4,096 bytes: %s', (protocol, name) => {
    const { create, fromReply } = PROTOCOLS[protocol];
    const reading = readInPieces(readRecording(name).response.body, create, fromReply);
    const expected = expectedOf(protocol, name);
    if (expected) expect(reading.turn).toEqual(expected);
    else expect(reading.failure).toMatch(/^(?:truncated|document)$/);
  });

  test('covers turns and errors of both protocols', () => {
    expect(streams.length).toBeGreaterThan(20);
    expect(names.length).toBe(45);
    const failed = names.filter(([protocol, name]) => expectedOf(protocol, name) === undefined);
    expect(failed.length).toBeGreaterThan(8);
  });
});
