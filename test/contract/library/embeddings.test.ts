// Embeddings compared with recorded answers of real servers, and with the demo server in both protocols.
import { afterAll, describe, expect, test } from 'vitest';
import { startDemoServer } from '../../../src/demo';
import type { EmbedOptions, RawAssistant } from '../../../src/library';
import { closeConnections, HostedApiProvider, LocalHostProvider, Providers } from '../../../src/library';
import { failure } from '../../support/failure';
import { sendJson, startServer } from '../../support/servers/http-server';
import { ProbeProvider } from '../../support/connections/probe-provider';
import { readRecorded } from '../../support/messages/recorded';
import { startReplay } from '../../support/servers/replay-server';

const local = (host: string): LocalHostProvider =>
  new LocalHostProvider({ host, model: 'tiny', embedModel: 'tiny-embed', retry: false });
const hosted = (host: string): HostedApiProvider =>
  new HostedApiProvider({
    host: `${host}/v1`,
    apiKey: '',
    auth: 'none',
    embedModel: 'tiny-embed',
    retry: false,
  });
const norm = (vector: readonly number[]): number => Math.hypot(...vector);

afterAll(closeConnections);

describe('embed and embedMany', () => {
  test.each([
    ['ollama-embed-batch', local, ['a', 'b b', 'c c c']],
    ['llamacpp-embeddings-batch', hosted, ['a', 'b b']],
  ] as const)(
    '%s: sends what the server accepted, and returns one vector per text in the order of the texts',
    async (name, make, texts) => {
      const recorded = readRecorded(name);
      await using server = await startReplay(recorded);
      const vectors = await make(server.url).embedMany(texts);
      expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual(recorded.request.body);
      expect(server.requests[0]?.url).toBe(recorded.request.path);
      expect(vectors.map((vector) => vector.length)).toEqual(texts.map(() => 256));
      for (const vector of vectors) expect(norm(vector)).toBeCloseTo(1, 4);
      expect(vectors[0]?.[0]).toBeCloseTo(0.039818, 5);
    },
  );

  test('vectors are ordered by their index, and base64 is decoded', async () => {
    const { embedding } =
      (readRecorded('llamacpp-embeddings-base64').response.json as { data: { embedding: string }[] })
        .data[0] ?? {};
    const data = [
      { index: 1, embedding: [0, 1] },
      { index: 0, embedding },
    ];
    await using server = await startServer((_, response) => sendJson(response, 200, { data }));
    const [first, second] = await hosted(server.url).embedMany(['a', 'b']);
    expect(first).toHaveLength(256);
    expect(first?.[0]).toBeCloseTo(0.039818, 5);
    expect(second).toEqual([0, 1]);
  });

  test('vectors of which some have the same index are an error, because their order is unknown', async () => {
    const answer = (...indexes: number[]): object => ({
      data: indexes.map((index, place) => ({ index, embedding: [place] })),
    });
    await using server = await startServer((_, response, count) =>
      sendJson(response, 200, count === 1 ? answer(1, 0, 1) : answer(0, 0, 0)),
    );
    const texts = ['a', 'b', 'c'];
    const error = await failure(hosted(server.url).embedMany(texts));
    expect(error.code).toBe('response-format');
    expect(error.message).toContain('the same index for several vectors');
    // A relay that sends each text separately gives each vector the index 0: they are in the order of the texts.
    expect(await hosted(server.url).embedMany(texts)).toEqual([[0], [1], [2]]);
  });

  test('indexes that are texts give the order, and a missing one beside others is an error', async () => {
    const answer = (...indexes: unknown[]): object => ({
      data: indexes.map((index, place) => ({ index, embedding: [place] })),
    });
    await using server = await startServer((_, response, count) =>
      sendJson(response, 200, count === 1 ? answer('1', '0') : answer(1, null)),
    );
    expect(await hosted(server.url).embedMany(['a', 'b'])).toEqual([[1], [0]]);
    const error = await failure(hosted(server.url).embedMany(['a', 'b']));
    expect(error.code).toBe('response-format');
    expect(error.message).toContain('vectors without an index beside others that have one');
  });

  test('indexes may begin with 1, and one that belongs to no text is an error', async () => {
    const answer = (...indexes: number[]): object => ({
      data: indexes.map((index, place) => ({ index, embedding: [place] })),
    });
    await using server = await startServer((_, response, count) =>
      sendJson(response, 200, count === 1 ? answer(2, 1) : answer(0, 5)),
    );
    expect(await hosted(server.url).embedMany(['a', 'b'])).toEqual([[1], [0]]);
    const error = await failure(hosted(server.url).embedMany(['a', 'b']));
    expect(error.code).toBe('response-format');
    expect(error.message).toContain('indexes that belong to no text');
  });

  test.each([
    ['a string', 'the model is overloaded'],
    ['a list as JSON text', '[0.1, 0.2, 0.3]'],
    ['an incomplete float', Buffer.from([0, 0, 128, 63, 0, 0]).toString('base64')],
    ['truncated base64', Buffer.from([0, 0, 128, 63]).toString('base64').slice(0, 5)],
    ['base64 with a stray character', `${Buffer.from([0, 0, 128, 63]).toString('base64')} `],
  ])('%s instead of a vector is an error', async (_, embedding) => {
    await using server = await startServer((_seen, response) =>
      sendJson(response, 200, { data: [{ index: 0, embedding }] }),
    );
    expect(await failure(hosted(server.url).embed('a'))).toMatchObject({ code: 'response-format' });
  });

  test('base64 without its padding is decoded', async () => {
    const embedding = Buffer.from(new Float32Array([1, -0.5]).buffer)
      .toString('base64')
      .replace(/=+$/, '');
    await using server = await startServer((_, response) =>
      sendJson(response, 200, { data: [{ embedding }] }),
    );
    expect(await hosted(server.url).embed('a')).toEqual([1, -0.5]);
  });

  test('a local server without /api/embed is asked through the older route, text by text', async () => {
    const old = readRecorded('ollama-embeddings-old').response;
    await using server = await startServer(({ url }, response) => {
      if (url === '/api/embeddings') response.end(old.body);
      else response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found');
    });
    const vectors = await local(server.url).embedMany(['hello', 'hello']);
    expect(vectors).toHaveLength(2);
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/api/embed',
      '/api/embeddings',
      '/api/embeddings',
    ]);
    expect(JSON.parse(server.requests[1]?.body ?? '')).toEqual({ model: 'tiny-embed', prompt: 'hello' });
  });

  test.each([
    ['ollama-embed-404', local, 404, 'not found'],
    ['ollama-embed-chatmodel', local, 501, 'does not support embeddings'],
    ['llamacpp-embeddings-on-chat-server', hosted, 501, 'does not support embeddings'],
  ] as const)(
    '%s is an error with the server’s message, after one request',
    async (name, make, status, words) => {
      await using server = await startReplay(readRecorded(name));
      const error = await failure(make(server.url).embed('a'));
      expect(error).toMatchObject({ code: 'http', status, attempts: 1 });
      expect(error.message).toContain(words);
      expect(server.requests).toHaveLength(1);
    },
  );

  test.each([
    ['an empty list of vectors', { embeddings: [] }],
    ['fewer vectors than texts', { embeddings: [[1]] }],
    ['an empty vector', { embeddings: [[1], []] }],
    ['a vector with null', { embeddings: [[1], [null]] }],
    ['a document without vectors', {}],
  ])('%s is an error', async (_, document) => {
    await using server = await startServer((_request, response) => sendJson(response, 200, document));
    expect(await failure(local(server.url).embedMany(['a', 'b']))).toMatchObject({ code: 'response-format' });
  });

  test('an empty text, for which Ollama returns no vector, is an error', async () => {
    await using server = await startReplay(readRecorded('ollama-embed-empty-string'));
    expect((await failure(local(server.url).embed(''))).message).toContain('0 vectors for 1 texts');
  });

  test('a provider without embeddings fails with an error that says so', async () => {
    expect(await failure(new ProbeProvider('http://127.0.0.1').embed('a'))).toMatchObject({
      code: 'unsupported',
    });
  });

  test('an empty list of texts sends no request', async () => {
    expect(await local('http://127.0.0.1:9').embedMany([])).toEqual([]);
  });

  test('both demo protocols give the same vector for the same text', async () => {
    const demo = await startDemoServer();
    const options = { retry: false as const, model: 'x', embedModel: 'demo-embed' };
    const byLocal = new LocalHostProvider({ host: demo.localHost, ...options });
    const byHosted = new HostedApiProvider({ host: demo.hostedHost, apiKey: '', auth: 'none', ...options });
    const [one, two] = await Promise.all([byLocal.embed('Oslo'), byHosted.embed('Oslo')]);
    expect(one.length).toBeGreaterThan(8);
    expect(two.length).toBe(one.length);
    for (const [index, value] of one.entries()) expect(two[index]).toBeCloseTo(value, 5);
    await demo.close();
  });
});

/** Its embeddings are whatever the given function returns. */
class Own extends Providers {
  readonly #work: (own: Own) => unknown;
  constructor(work: (own: Own) => unknown) {
    super();
    this.configure({ costPer1kTokens: { input: 2, output: 100 } });
    this.#work = work;
  }
  note(usage: unknown): void {
    this.noteUsage(usage as object);
  }
  protected chatInternal(): Promise<RawAssistant> {
    return Promise.reject(new Error('no chat'));
  }
  protected override async embedInternal(): Promise<number[][]> {
    return (await this.#work(this)) as number[][];
  }
}

describe('the vectors of a custom provider', () => {
  test.each([
    ['none', [], '0 vectors for 2 texts'],
    ['one for two texts', [[1]], '1 vectors for 2 texts'],
    ['an empty one', [[1], []], 'The vector of text 2'],
    ['one with holes', [[1], Array(1)], 'The vector of text 2'],
    ['one with NaN', [[Number.NaN], [1]], 'The vector of text 1'],
    ['nothing', undefined, 'no embeddings'],
  ])('are an error when they are %s', async (_, vectors, words) => {
    const error = await failure(new Own(() => vectors).embedMany(['a', 'b']));
    expect(error.code).toBe('response-format');
    expect(error.message).toContain(words);
  });
});

describe('onUsage', () => {
  type Usage = Parameters<NonNullable<EmbedOptions['onUsage']>>[0];
  const listen = (): { reportedUsage: Usage[]; onUsage: (usage: Usage) => void } => {
    const reportedUsage: Usage[] = [];
    return { reportedUsage, onUsage: (usage) => void reportedUsage.push(usage) };
  };
  const rates = { costPer1kTokens: { input: 2, output: 100 } };

  test.each([
    ['ollama-embed-batch', ['a', 'b b', 'c c c'], 12],
    ['llamacpp-embeddings-batch', ['a', 'b b'], 6],
    ['ollama-v1-embeddings', ['a', 'b'], 4],
  ])(
    '%s: is called once with the counts of the server, and the cost at the configured rates',
    async (name, texts, tokens) => {
      await using server = await startReplay(readRecorded(name));
      const base = { embedModel: 'tiny-embed', retry: false as const };
      const make = (more: object): Providers =>
        name === 'ollama-embed-batch'
          ? new LocalHostProvider({ host: server.url, model: 'tiny', ...base, ...more })
          : new HostedApiProvider({ host: `${server.url}/v1`, apiKey: 'k', ...base, ...more });
      const { reportedUsage, onUsage } = listen();
      await make(rates).embedMany(texts, { onUsage });
      await make({}).embedMany(texts, { onUsage });
      expect(reportedUsage).toEqual([
        { promptTokens: tokens, costUsd: (tokens * 2) / 1000 },
        { promptTokens: tokens },
      ]);
    },
  );

  test('is not called when the server sent no counts or the call failed', async () => {
    const old = readRecorded('ollama-embeddings-old').response;
    await using server = await startServer(({ url }, response) => {
      if (url === '/api/embeddings') response.end(old.body);
      else response.writeHead(404).end('404 page not found');
    });
    const { reportedUsage, onUsage } = listen();
    await local(server.url).embed('a', { onUsage });
    await failure(
      new Own((own) => {
        own.note({ promptTokens: 1 });
        return [];
      }).embed('a', { onUsage }),
    );
    expect(reportedUsage).toEqual([]);
  });

  test('gets the sum of all noted usage, without values that are not counts; an exception in it is ignored', async () => {
    const { reportedUsage, onUsage } = listen();
    const own = new Own((self) => {
      self.note({ promptTokens: 3, completionTokens: null });
      self.note({ promptTokens: 4, cachedTokens: 1 });
      self.note(undefined);
      return [[1]];
    });
    const options: EmbedOptions = {
      onUsage: (usage) => {
        onUsage(usage);
        throw new Error('mine');
      },
    };
    expect(await own.embed('a', options)).toEqual([1]);
    expect(reportedUsage).toEqual([{ promptTokens: 7, cachedTokens: 1, costUsd: 0.014 }]);
  });
});
