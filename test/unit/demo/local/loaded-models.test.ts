import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startDemoServer } from '../../../../src/demo';
import type { DemoServer } from '../../../../src/demo';
import { LoadedModels } from '../../../../src/demo/local/loaded-models';
import { findScenario } from '../../../../src/demo/scenarios';
import { askEmbedding } from '../ask-embedding';
import { askModel, userMessage } from '../ask-model';
import { sendRequest } from '../raw-request';

describe('LoadedModels', () => {
  test('keeps each model until it expires, sorted by expiry, latest first', () => {
    const [slow, hangs] = [findScenario('slow'), findScenario('hangs')];
    if (!slow || !hangs) throw new Error('no such model');
    const models = new LoadedModels();
    models.keep(slow, 1000, new Date(0));
    models.keep(hangs, 3000, new Date(0));
    models.keep(slow, 1000, new Date(500), 4096);
    const namesAt = (time: number): string[] =>
      models.list(new Date(time)).map(({ scenario }) => scenario.name);

    expect(namesAt(0)).toEqual(['hangs', 'slow']);
    expect(models.list(new Date(0))[1]).toMatchObject({ contextLength: 4096, expiresAt: new Date(1500) });
    expect(namesAt(1500)).toEqual(['hangs']);
    models.keep(hangs, 0, new Date(1500));
    expect(namesAt(1500)).toEqual([]);
  });
});

describe('GET /api/ps', () => {
  let server: DemoServer;
  beforeEach(async () => {
    server = await startDemoServer();
  });
  afterEach(() => server.close());

  interface Loaded {
    name: string;
    context_length: number;
    expires_at: string;
  }
  async function loaded(): Promise<Loaded[]> {
    const reply = await sendRequest(`${server.localHost}/api/ps`);
    return (JSON.parse(reply.body) as { models: Loaded[] }).models;
  }
  const chat = async (model: string, more: object = {}, messages = [userMessage('hi')]): Promise<number> =>
    (await askModel(server, { protocol: 'local', model, messages, more })).status;

  test('lists nothing before the first request', async () => {
    expect(await loaded()).toEqual([]);
  });

  test('lists models after a chat, a load and an embedding, each for the requested time', async () => {
    await chat('native-call', { keep_alive: '10m', options: { num_ctx: 4096 } });
    await chat('slow', { keep_alive: '20m' }, []);
    await askEmbedding(server, '/api/embed', { input: 'a' });
    const models = await loaded();
    expect(models.map(({ name, context_length: length }) => [name, length])).toEqual([
      ['slow:latest', 131_072],
      ['native-call:latest', 4096],
      ['demo-embed:latest', 2048],
    ]);
    const minutesLeft = models.map(({ expires_at: at }) =>
      Math.round((Date.parse(at) - Date.now()) / 60_000),
    );
    expect(minutesLeft).toEqual([20, 10, 5]);
  });

  test('no longer lists a model after an unload, requested alone or with a chat', async () => {
    await chat('native-call');
    await chat('prose-only', { keep_alive: 0 });
    expect((await loaded()).map(({ name }) => name)).toEqual(['native-call:latest']);
    await chat('native-call', { keep_alive: 0 }, []);
    expect(await loaded()).toEqual([]);
  });

  test('lists neither a model that failed to answer nor one used in the hosted protocol', async () => {
    expect(await chat('unavailable')).toBe(503);
    await askModel(server, { protocol: 'hosted', model: 'native-call', messages: [userMessage('hi')] });
    expect(await loaded()).toEqual([]);
  });
});
