// Sending a stored run again: the same bytes to a real server, or a refusal with a reason and without a request.
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createConnectionSource } from '../../../../src/connections/connection-source';
import { PROVIDER_CATALOG } from '../../../../src/library';
import {
  readRun,
  replayRun,
  RefusalError,
  RequestGate,
  storedRuns,
  SYSTEM_CLOCK,
} from '../../../../src/session';
import type { FileRunStore, ReadRun, StepServices, StoredRun } from '../../../../src/session';
import { QUESTION, TestHost, WEATHER_TOOL } from '../../../support/vscode/host-session';
import type { TestServer } from '../../../support/servers/http-server';
import { startServer } from '../../../support/servers/http-server';
import { settings } from '../../../support/vscode/vscode-stub';

const KEY = 'canary-0123456789';
const host = new TestHost();

afterEach(() => host.reset());
afterAll(() => host.close());

/** Starts a streaming server of all protocols that numbers its answers. */
const startModel = (): Promise<TestServer> =>
  startServer(({ url }, response, count) => {
    const content = `answer ${count}`;
    if (url.endsWith('/api/chat')) {
      response.end(
        `${JSON.stringify({ model: 'm', message: { role: 'assistant', content }, done: true })}\n`,
      );
      return;
    }
    const event = (type: string, fields: object): string =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (url.endsWith('/v1/messages')) {
      response.end(
        event('message_start', { message: { id: 'msg_1', model: 'm', content: [], usage: {} } }) +
          event('content_block_start', { index: 0, content_block: { type: 'text', text: content } }) +
          event('message_delta', { delta: { stop_reason: 'end_turn' } }) +
          event('message_stop', {}),
      );
      return;
    }
    if (url.endsWith('/v1/responses')) {
      const output = [
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: content }] },
      ];
      response.end(event('response.completed', { response: { id: 'resp_1', status: 'completed', output } }));
      return;
    }
    const chunk = { choices: [{ index: 0, delta: { content }, finish_reason: 'stop' }] };
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  });

interface Kept {
  store: FileRunStore;
  sessionId: string;
  run: StoredRun;
  read: ReadRun;
  contents: () => string;
}

async function ask(
  server: TestServer,
  connection: object,
  lane: object = {},
  text = QUESTION,
): Promise<Kept> {
  settings.user = {
    connections: { own: { provider: 'hosted-api', host: server.url, model: 'm', ...connection } },
  };
  const target = await host.connections.keyTarget(host.connections.find('own'));
  if (target) await host.keys.set(target.id, target.binding, KEY);
  const { store, contents } = host.openFileStore();
  const one = await host.open({ lane: { connection: 'own', model: 'm', ...lane }, store });
  await one.start('chat', text);
  await one.settled();
  await one.session.dispose();
  const sessionId = one.session.id;
  const [run] = storedRuns(await store.read(sessionId));
  const journal = await store.open(sessionId);
  const read = run && (await readRun(journal, run.runId));
  await journal.close();
  if (!run || !read) throw new Error('Nothing was kept.');
  return { store, sessionId, run, read, contents };
}

function services(): StepServices {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const connections = createConnectionSource(host.connections, () => () => undefined);
  return {
    knownConnections: () => [],
    connections,
    gate: new RequestGate(() => 4),
    clock: SYSTEM_CLOCK,
    log,
  };
}

async function replay({ store, sessionId, run, read }: Kept): Promise<StoredRun[]> {
  const journal = await store.open(sessionId);
  const { signal } = new AbortController();
  try {
    await replayRun(journal, services(), read, { question: run.question, signal, catalog: PROVIDER_CATALOG });
  } finally {
    await journal.close();
  }
  return storedRuns(await store.read(sessionId));
}

async function refusal(kept: Kept): Promise<string> {
  try {
    await replay(kept);
  } catch (error) {
    if (error instanceof RefusalError) return error.info.code;
    throw error;
  }
  return 'none';
}

const ODD = 'Wie ist "das Wetter" in Tromsø? 🌧\n\\u0041 \u2028 </script> $(x)';

describe('a stored run that is sent again', () => {
  test.each([
    ['hosted-api', {}, { sampling: { temperature: 0.1, seed: 7 }, raw: { n: 1, logprobs: false } }],
    ['local-host', { provider: 'local-host' }, { sampling: { numCtx: 2048 }, raw: { keep_alive: '1m' } }],
    [
      'messages-api',
      { provider: 'messages-api' },
      { sampling: { topK: 3 }, raw: { metadata: { user_id: 'u' } } },
    ],
    ['responses-api', { provider: 'responses-api' }, { sampling: { topP: 0.9 }, raw: { store: true } }],
  ])('sends equal bytes, with its key, and is stored as a new run: %s', async (_, connection, lane) => {
    await using server = await startModel();
    const kept = await ask(server, connection, lane, ODD);
    const runs = await replay(kept);
    const [first, second, ...others] = server.requests;
    expect(others).toEqual([]);
    expect(second?.body).toBe(first?.body);
    expect(second?.body).toContain('Tromsø');
    expect(second).toEqual(first);
    expect(runs).toMatchObject([
      { reply: 'answer 2', replayOf: kept.run.runId, question: ODD, verdict: { kind: 'none' } },
      { reply: 'answer 1', runId: kept.run.runId },
    ]);
    expect(kept.contents()).not.toContain(KEY);
  });

  test('is not part of the conversation of its playground', async () => {
    await using server = await startModel();
    const kept = await ask(server, {});
    await replay(kept);
    const again = await host.open({ lane: { connection: 'own' }, store: kept.store });
    expect(again.runs()).toHaveLength(1);
  });

  test('can be sent again itself, and its reply is read with the same tools', async () => {
    await using server = await startServer((_request, response) => {
      const content = '<tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>';
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content } }] }));
    });
    const kept = await ask(server, {}, { raw: { stream: false } });
    const [run] = await replay(kept);
    expect(run).toMatchObject({ verdict: { kind: 'rescued' }, tools: [WEATHER_TOOL.name] });
    const journal = await kept.store.open(kept.sessionId);
    const read = run && (await readRun(journal, run.runId));
    await journal.close();
    if (!run || !read) throw new Error('Nothing was kept.');
    await replay({ ...kept, run, read });
    expect(new Set(server.requests.map(({ body }) => body)).size).toBe(1);
    expect(server.requests).toHaveLength(3);
  });

  test('is stored even if it fails', async () => {
    const server = await startModel();
    const kept = await ask(server, { retry: false });
    await server[Symbol.asyncDispose]();
    const [run] = await replay(kept);
    expect(run).toMatchObject({ verdict: { kind: 'failed' }, replayOf: kept.run.runId });
  });

  test('is in the list even if its connection no longer exists', async () => {
    await using server = await startModel();
    const kept = await ask(server, {});
    settings.user = {};
    const runs = await replay(kept);
    expect(runs.find(({ replayOf }) => replayOf === kept.run.runId)?.verdict.kind).toBe('failed');
    expect(server.requests).toHaveLength(1);
  });

  test('is refused if its body contains the key, and nothing is sent', async () => {
    await using server = await startModel();
    const kept = await ask(server, {}, {}, `My key is ${KEY}, is that right?`);
    expect(await refusal(kept)).toBe('replay-masked');
    expect(server.requests).toHaveLength(1);
  });

  test('is refused if a key of another connection was redacted when it was stored', async () => {
    await using server = await startModel();
    const other = 'another-canary-01';
    settings.user = {
      connections: { other: { provider: 'hosted-api', host: 'https://other.example', model: 'm' } },
    };
    const target = await host.connections.keyTarget(host.connections.find('other'));
    await host.keys.set(target?.id ?? '', target?.binding ?? '', other);
    await host.connections.hasKey(host.connections.find('other'));
    const kept = await ask(server, {}, {}, `The other key is ${other}.`);
    expect(server.requests[0]?.body).toContain(other);
    expect(kept.contents()).not.toContain(other);
    expect(await refusal(kept)).toBe('replay-not-whole');
    expect(server.requests).toHaveLength(1);
  });

  test('is refused if its request was never sent or is not kept', async () => {
    await using server = await startModel();
    const kept = await ask(server, {});
    expect(await refusal({ ...kept, read: { ...kept.read, wire: undefined } })).toBe('replay-nothing-sent');
    expect(server.requests).toHaveLength(1);
  });
});
