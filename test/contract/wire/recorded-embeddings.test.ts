// Every recorded answer to a request for embeddings, read by the real providers over a socket.
import { afterAll, describe, expect, test } from 'vitest';
import type { ProviderError } from '../../../src/library';
import { closeConnections, HostedApiProvider, LocalHostProvider } from '../../../src/library';
import { startServer } from '../../support/servers/http-server';
import type { RecordedExchange } from '../../support/messages/recorded';
import { readRecorded, recordedNames } from '../../support/messages/recorded';
import { isChat, isOwnRoute, protocolOf } from './accepted-requests';
import { readExpected } from './expected-reply';

const names = recordedNames().filter((name) => {
  const recorded = readRecorded(name) as Partial<RecordedExchange>;
  if (recorded.request?.method !== 'POST') return false;
  return isOwnRoute(recorded as RecordedExchange) && !isChat(recorded as RecordedExchange);
});

interface Document {
  embedding?: number[];
  embeddings?: number[][];
  data?: { index: number; embedding: number[] | string }[];
}

function readVectors({ response }: RecordedExchange): number[][] {
  const { embedding, embeddings, data = [] } = JSON.parse(response.body) as Document;
  const vectors = data.map((entry) => entry.embedding);
  return (embedding ? [embedding] : (embeddings ?? vectors)).map((vector) => {
    if (typeof vector !== 'string') return vector;
    const bytes = Uint8Array.from(atob(vector), (character) => character.charCodeAt(0));
    return [...new Float32Array(bytes.buffer)];
  });
}

async function embed(recorded: RecordedExchange, count: number): Promise<number[][] | ProviderError> {
  const { path } = recorded.request;
  await using server = await startServer(({ url }, response) => {
    // The provider uses the older route when the newer one is missing.
    if (path === '/api/embeddings' && url !== path) response.writeHead(404).end('404 page not found');
    else response.writeHead(recorded.response.status).end(recorded.response.body);
  });
  const options = { model: 'x', embedModel: 'tiny-embed', retry: false as const };
  const provider =
    protocolOf(recorded) === 'local'
      ? new LocalHostProvider({ ...options, host: server.url })
      : new HostedApiProvider({ ...options, host: `${server.url}/v1`, apiKey: 'k' });
  const texts = Array.from({ length: count }, (_, place) => `text ${place}`);
  return await provider.embedMany(texts).catch((error: ProviderError) => error);
}

afterAll(closeConnections);

describe('a recorded answer with embeddings', () => {
  const answered = names.filter((name) => readRecorded(name).response.status === 200);
  const withVectors = answered.filter((name) => readVectors(readRecorded(name)).length > 0);

  test.each(withVectors)('returns its vectors unchanged: %s', async (name) => {
    const recorded = readRecorded(name);
    const vectors = readVectors(recorded);
    expect(await embed(recorded, vectors.length)).toEqual(vectors);
  });

  test.each(answered.filter((name) => !withVectors.includes(name)))(
    'without a vector is an error: %s',
    async (name) => {
      const error = await embed(readRecorded(name), 1);
      expect(error).toMatchObject({ code: 'response-format' });
      expect((error as ProviderError).message).toContain('0 vectors for 1 texts');
    },
  );

  test.each(names.filter((name) => !answered.includes(name)))(
    'that refuses the request is an error with the server’s message: %s',
    async (name) => {
      const recorded = readRecorded(name);
      const expected = readExpected(protocolOf(recorded), recorded);
      const { status } = recorded.response;
      const words = expected.is === 'refused' ? expected.words : undefined;
      expect(await embed(recorded, 1)).toMatchObject({ code: 'http', status, serverMessage: words });
    },
  );

  test('is among a minimum number of tested answers', () => {
    expect(withVectors.length).toBeGreaterThan(12);
    expect(answered.length - withVectors.length).toBeGreaterThan(1);
    expect(names.length - answered.length).toBeGreaterThan(10);
  });
});
