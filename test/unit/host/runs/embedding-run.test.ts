// Embeddings through the run service, against the demo server.
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiKeys } from '../../../../src/host/connections/api-keys';
import { ConnectionService } from '../../../../src/host/connections/connection-service';
import { DemoBackEnd } from '../../../../src/host/connections/demo-back-end';
import { RunService } from '../../../../src/host/runs/run-service';
import { closeConnections } from '../../../../src/library';
import type { EmbeddingForm, EmbeddingOutcome } from '../../../../src/protocol';
import type { TestServer } from '../../../support/http-server';
import { startServer } from '../../../support/http-server';
import { FakeSecrets, settings } from '../../../support/vscode-stub';

const ignore = (): void => undefined;
const demo = new DemoBackEnd();
let runs: RunService;
let server: TestServer | undefined;

const form = (fields: Partial<EmbeddingForm> = {}): EmbeddingForm => ({
  runId: 'embedding',
  connectionId: 'demo',
  model: 'demo-embed',
  texts: ['Snow is falling in Oslo.', 'In Oslo, snow falls today.', 'The invoice is due on Friday.'],
  ...fields,
});
const embed = (fields?: Partial<EmbeddingForm>): Promise<EmbeddingOutcome> =>
  runs.embed(form(fields), new AbortController().signal);

/** A local server with these vectors, first refusing as often as said. */
async function startEmbedder(
  embeddings: number[][],
  refusals = 0,
  more: object = {},
): Promise<{ models: string[] }> {
  const models: string[] = [];
  let left = refusals;
  server = await startServer((request, response) => {
    models.push((JSON.parse(request.body) as { model: string }).model);
    if (left-- > 0) response.writeHead(503, { 'retry-after': '0' }).end();
    else response.setHeader('content-type', 'application/json').end(JSON.stringify({ embeddings, ...more }));
  });
  const own = { provider: 'local-host', host: server.url, model: 'chat' };
  settings.user = { connections: { own: { ...own, costPer1kTokens: { input: 2, output: 4 } } } };
  return { models };
}

beforeEach(() => {
  settings.user = {};
  const connections = new ConnectionService(new ApiKeys(new FakeSecrets()), demo);
  runs = new RunService(connections, { info: ignore, warn: ignore, error: ignore }, ignore);
});
afterEach(async () => {
  runs.dispose();
  await server?.[Symbol.asyncDispose]();
  server = undefined;
});
afterAll(async () => {
  await demo.stop();
  await closeConnections();
});

describe('an embedding', () => {
  test.each(['demo', 'demo-hosted'])(
    '%s: dimension, length, first components and similarity of each text',
    async (connectionId) => {
      const { result, tries, model, usage } = await embed({ connectionId });
      expect(usage).toEqual({ promptTokens: expect.any(Number) });
      expect({ tries, model }).toEqual({ tries: 1, model: 'demo-embed' });
      expect(result?.vectors).toHaveLength(3);
      expect(result?.vectors[0]).toEqual({
        dimension: 64,
        norm: expect.closeTo(1, 5),
        head: expect.arrayContaining([expect.any(Number)]),
      });
      expect(result?.vectors[0]?.head).toHaveLength(6);
      const [alike, , unlike] = [result?.similarity[0]?.[1], null, result?.similarity[0]?.[2]];
      expect(alike).toBeGreaterThan(unlike ?? 1);
      expect(result?.similarity.map((row, index) => row[index])).toEqual([
        expect.closeTo(1),
        expect.closeTo(1),
        expect.closeTo(1),
      ]);
      expect(result?.findings).toEqual([]);
    },
  );

  test('uses the chosen model, and warns of a chat model, zero vectors and unequal dimensions', async () => {
    const { models } = await startEmbedder([
      [0, 0],
      [1, 0],
      [1, 2, 3],
    ]);
    const { result } = await embed({ connectionId: 'own', model: 'qwen3:8b' });
    expect(models).toEqual(['qwen3:8b']);
    expect(result?.similarity[0]).toEqual([null, null, null]);
    expect(result?.findings.map(({ severity, what }) => `${severity}: ${what.slice(0, 40)}`)).toEqual([
      expect.stringContaining('unequal dimension'),
      expect.stringContaining('vector of text 1'),
      expect.stringContaining('qwen3:8b'),
    ]);
  });

  test('counts its tries', async () => {
    await startEmbedder([[1], [1], [1]], 1);
    expect(await embed({ connectionId: 'own' })).toMatchObject({
      tries: 2,
      result: { vectors: [{}, {}, {}] },
    });
  });

  test.each([
    ['no usage when the server told none', {}, undefined],
    [
      'the cost by the rates of the connection',
      { prompt_eval_count: 12 },
      { promptTokens: 12, costUsd: 0.024 },
    ],
  ])('tells %s', async (_, more, usage) => {
    await startEmbedder([[1], [1], [1]], 0, more);
    const outcome = await embed({ connectionId: 'own' });
    expect(outcome.result).toBeDefined();
    expect(outcome.usage).toEqual(usage);
  });

  test('the whole vectors stay with the host', async () => {
    await startEmbedder([[...Array(4000).keys()], [...Array(4000).keys()], [...Array(4000).keys()]]);
    expect(JSON.stringify(await embed({ connectionId: 'own' })).length).toBeLessThan(2000);
  });

  test.each([
    ['a chat model that does not embed', { model: 'native-call' }, 'http'],
    ['a connection that is gone', { connectionId: 'gone' }, 'connection-unknown'],
  ])('%s is an outcome that says what to do', async (_, fields, code) => {
    const { error, result } = await embed(fields);
    expect(error?.code).toBe(code);
    expect(error?.next).not.toBe('');
    expect(result).toBeUndefined();
  });

  test('is stopped, and found again by its id', async () => {
    server = await startServer(ignore);
    settings.user = { connections: { own: { provider: 'local-host', host: server.url, model: 'chat' } } };
    const controller = new AbortController();
    const running = runs.embed(form({ connectionId: 'own' }), controller.signal);
    const attached = runs.attachEmbedding('embedding', new AbortController().signal);
    controller.abort();
    expect(await running).toMatchObject({ error: { code: 'aborted' } });
    expect(await attached).toEqual(await running);
  });
});
