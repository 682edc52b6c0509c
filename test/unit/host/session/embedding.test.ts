// Embeddings of a session, with the demo server and one whose vectors the test sets.
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import type { EmbeddingOutcome } from '../../../../src/protocol';
import type { HostSession } from '../../../support/vscode/host-session';
import { TestHost } from '../../../support/vscode/host-session';
import type { TestServer } from '../../../support/servers/http-server';
import { startServer } from '../../../support/servers/http-server';
import { settings } from '../../../support/vscode/vscode-stub';

const TEXTS = ['Snow is falling in Oslo.', 'In Oslo, snow falls today.', 'The invoice is due on Friday.'];
const host = new TestHost();
let server: TestServer | undefined;

afterEach(async () => {
  await host.reset();
  await server?.[Symbol.asyncDispose]();
  server = undefined;
});
afterAll(() => host.close());

const open = (fields: object = {}): Promise<HostSession> =>
  host.open({
    document: { embedding: { connection: 'demo', model: 'demo-embed', texts: TEXTS, ...fields } },
  });
const outcomeOf = ({ session }: HostSession): EmbeddingOutcome | undefined =>
  session.embeddingSnapshot.outcome;

async function embed(fields?: object): Promise<EmbeddingOutcome> {
  const one = await open(fields);
  await one.ask('embedding/run', {});
  await one.until(() => outcomeOf(one) !== undefined);
  return outcomeOf(one) as EmbeddingOutcome;
}

/** Starts a local server with these vectors, which refuses the given number of requests first. */
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

describe('an embedding', () => {
  test.each(['demo', 'demo-hosted'])(
    '%s: returns dimension, length, first components and similarity for each text',
    async (connection) => {
      const { result, attempts, model, usage } = await embed({ connection });
      expect(usage).toEqual({ promptTokens: expect.any(Number) });
      expect({ attempts, model }).toEqual({ attempts: 1, model: 'demo-embed' });
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

  test('uses the chosen model, and warns of a chat model, zero vectors and different dimensions', async () => {
    const { models } = await startEmbedder([
      [0, 0],
      [1, 0],
      [1, 2, 3],
    ]);
    const { result } = await embed({ connection: 'own', model: 'qwen3:8b' });
    expect(models).toEqual(['qwen3:8b']);
    expect(result?.similarity[0]).toEqual([null, null, null]);
    expect(result?.findings.map(({ severity, what }) => `${severity}: ${what.slice(0, 40)}`)).toEqual([
      expect.stringContaining('different dimensions'),
      expect.stringContaining('vector of text 1'),
      expect.stringContaining('qwen3:8b'),
    ]);
  });

  test('uses the model of its connection if none is chosen', async () => {
    const { models } = await startEmbedder([[1], [1], [1]]);
    const { model } = await embed({ connection: 'own', model: '' });
    expect({ models, model }).toEqual({ models: ['chat'], model: 'chat' });
  });

  test('counts its attempts, and logs a line per retry', async () => {
    await startEmbedder([[1], [1], [1]], 1);
    expect(await embed({ connection: 'own' })).toMatchObject({
      attempts: 2,
      result: { vectors: [{}, {}, {}] },
    });
    expect(host.lines.join('\n')).toContain('own: attempt 1 of 3 failed with 503');
    expect(host.lines.join('\n')).not.toContain('Oslo');
  });

  test('does not count an attempt that it was still waiting for when it was stopped', async () => {
    server = await startServer((_, response) => {
      response.writeHead(503, { 'retry-after': '30' }).end();
    });
    settings.user = { connections: { own: { provider: 'local-host', host: server.url, model: 'chat' } } };
    const one = await open({ connection: 'own', model: '' });
    await one.ask('embedding/run', {});
    await vi.waitFor(() => expect(host.lines.join('\n')).toContain('attempt 1 of 3 failed with 503'));
    await one.ask('embedding/stop', {});
    await one.until(() => outcomeOf(one) !== undefined);
    expect(outcomeOf(one)).toMatchObject({ attempts: 1, error: { code: 'aborted' } });
  });

  test.each([
    ['no usage when the server sent none', {}, undefined],
    [
      'the cost at the rates of the connection',
      { prompt_eval_count: 12 },
      { promptTokens: 12, costUsd: 0.024 },
    ],
  ])('returns %s', async (_, more, usage) => {
    await startEmbedder([[1], [1], [1]], 0, more);
    const outcome = await embed({ connection: 'own' });
    expect(outcome.result).toBeDefined();
    expect(outcome.usage).toEqual(usage);
  });

  test('does not send the full vectors to the view', async () => {
    await startEmbedder([[...Array(4000).keys()], [...Array(4000).keys()], [...Array(4000).keys()]]);
    expect(JSON.stringify(await embed({ connection: 'own' })).length).toBeLessThan(2000);
  });

  test.each([
    ['a chat model that cannot embed', { model: 'native-call' }, 'http'],
    ['a connection that no longer exists', { connection: 'gone' }, 'connection-unknown'],
  ])('has an outcome with the next step for %s', async (_, fields, code) => {
    const { error, result } = await embed(fields);
    expect(error?.code).toBe(code);
    expect(error?.next).not.toBe('');
    expect(result).toBeUndefined();
  });

  test('is sent to a view that opens meanwhile, can be stopped and started again', async () => {
    server = await startServer(() => undefined);
    settings.user = { connections: { own: { provider: 'local-host', host: server.url, model: 'chat' } } };
    const one = await open({ connection: 'own', model: '' });
    await one.ask('embedding/run', {});
    await expect(one.ask('embedding/run', {})).rejects.toMatchObject({ info: { code: 'refused' } });
    const { view, events } = one.addView();
    expect(view.open().embedding).toMatchObject({ since: expect.any(Number), labels: TEXTS });
    await one.ask('embedding/stop', {});
    await one.until(() => JSON.stringify(events).includes('aborted'));
    expect(outcomeOf(one)).toMatchObject({ error: { code: 'aborted' } });
    await one.ask('embedding/run', {});
    expect(one.session.embeddingSnapshot).toMatchObject({ since: expect.any(Number) });
  });

  test('is refused without a text', async () => {
    const one = await open({ texts: [' ', ''] });
    await expect(one.ask('embedding/run', {})).rejects.toMatchObject({ info: { code: 'refused' } });
  });
});
