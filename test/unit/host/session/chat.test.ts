// Chats of a session with the demo server and a few others, with fakes for the settings and the key store.
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { DemoServer } from '../../../../src/demo';
import { startDemoServer } from '../../../../src/demo';
import { QUESTION, TestHost } from '../../../support/vscode/host-session';
import type { SeenRequest } from '../../../support/servers/http-server';
import { sendJson, startServer } from '../../../support/servers/http-server';
import { settings, workspace } from '../../../support/vscode/vscode-stub';

const KEY = 'canary-0123456789-canary';
const host = new TestHost();
let keyed: DemoServer | undefined;

afterEach(async () => {
  await host.reset();
  await keyed?.close();
  keyed = undefined;
});
afterAll(() => host.close());

describe('a chat on the demo server', () => {
  test('has a verdict, a finding and a reply for a rescued call', async () => {
    const one = await host.open();
    await one.start('chat', QUESTION);
    await one.settled();
    const outcome = one.runs()[0]?.outcome;
    expect(outcome).toMatchObject({
      connectionLabel: 'Demo (local protocol)',
      verdict: { kind: 'rescued', detail: '1 call, hermes-json' },
      reply: { raw: { attempts: 1 }, toolCalls: [{ name: 'get_weather', source: 'rescued' }] },
      ledger: [{ attempt: 1, status: 200 }],
    });
    expect(outcome?.findings[0]).toMatchObject({ severity: 'warning', tab: 'tool-calls' });
    expect([...new Set(one.progress.map(({ phase }) => phase))]).toEqual(['waiting-for-headers', 'reading']);
  });

  test.each(['demo', 'demo-hosted', 'demo-messages', 'demo-responses'])(
    '%s: keeps the text with rescue off, and its verdict says what rescue would find',
    async (connection) => {
      const { verdict, reply } = await host.run('chat', { lane: { connection, rescueToolCalls: false } });
      expect(verdict).toEqual({
        kind: 'none',
        detail: 'rescue is off; would be rescued: 1 call, hermes-json',
      });
      expect(reply?.content ?? reply?.raw.content).toContain('<tool_call>');
    },
  );

  test.each([
    ['demo', 'ollama show --template'],
    ['demo-hosted', '`--jinja`'],
    ['demo-messages', '`--jinja`'],
    ['demo-responses', '`--jinja`'],
  ])('%s: suggests how to get native calls for the kind of server', async (connection, words) => {
    const { findings } = await host.run('chat', { lane: { connection } });
    expect(findings[0]?.next).toContain(words);
  });

  test('logs a line per retry, without any part of the conversation', async () => {
    const one = await host.open({ lane: { connection: 'demo-hosted', model: 'rate-limited' } });
    await one.start('chat', QUESTION);
    await one.settled();
    expect(host.lines.filter((line) => line.includes('next attempt'))).toEqual([
      'Demo (hosted protocol): attempt 1 of 3 failed with 429; next attempt in 1.0 s (Retry-After)',
      expect.stringMatching(
        /^Demo \(hosted protocol\): attempt 2 of 3 failed with 429; next attempt in \d\.\d s \(backoff\)$/,
      ),
    ]);
    expect(host.lines.join()).not.toContain('Oslo');
    const waits = one.progress.filter(({ phase }) => phase === 'waiting-to-retry');
    expect(new Set(waits.map(({ attempt, delaySource }) => `${attempt} ${delaySource}`))).toEqual(
      new Set(['2 retry-after', '3 backoff']),
    );
    expect(waits[0]).toMatchObject({ attempt: 2, delayMs: 1000 });
  });

  test('has an outcome when it is stopped, which ends a wait at once', async () => {
    const one = await host.open({ lane: { model: 'slow' } });
    await one.start('chat', QUESTION);
    await one.until(() => one.progress.length > 0);
    await one.ask('run/stop', {});
    await one.settled();
    expect(one.runs()[0]?.outcome).toMatchObject({
      verdict: { kind: 'stopped' },
      error: { code: 'aborted' },
    });
  });

  test('sends its outcome to a view that opened after it began', async () => {
    const one = await host.open();
    await one.start('chat', QUESTION);
    const { view, events } = one.addView();
    expect(view.open().lanes[0]?.run).not.toBeNull();
    const seen = (): string => JSON.stringify(events);
    await one.until(() => seen().includes('"run":null') && seen().includes('"kind":"rescued"'));
    const { view: later } = one.addView();
    expect(later.open().lanes[0]).toMatchObject({
      run: null,
      entries: [{ kind: 'message' }, { kind: 'run', outcome: { verdict: { kind: 'rescued' } } }],
    });
  });

  test('is refused while its lane is running', async () => {
    const one = await host.open({ lane: { model: 'slow' } });
    const first = one.start('chat', QUESTION);
    await expect(one.start('chat')).rejects.toMatchObject({ info: { code: 'refused' } });
    await first;
    await one.until(() => one.progress.length > 0);
    await one.ask('run/stop', {});
    await one.settled();
    expect(one.runs()).toHaveLength(1);
    expect(host.lines.filter((line) => line.includes('run started'))).toHaveLength(1);
  });
});

describe('a chat with a server of the test', () => {
  test('sends a long reply back to the model completely, although the view shows only a part', async () => {
    const whole = 'a'.repeat(1_200_000);
    await using server = await startServer((_request, response) => {
      response.setHeader('content-type', 'application/x-ndjson');
      response.end(`${JSON.stringify({ message: { content: whole }, done: true, done_reason: 'stop' })}\n`);
    });
    settings.user = { connections: { long: { provider: 'local-host', host: server.url } } };
    const { store } = host.openFileStore();
    const one = await host.open({ store, lane: { connection: 'long' } });
    await one.start('chat', QUESTION);
    await one.settled();
    const shown = one.runs()[0]?.outcome?.reply?.raw.content ?? '';
    expect(shown.length).toBeLessThan(250_000);
    await one.start('chat', 'And?');
    await one.settled();
    const sent = server.requests.map(({ body }) => JSON.parse(body) as { messages: { content: string }[] });
    expect(sent[1]?.messages.map(({ content }) => content)).toEqual([QUESTION, whole, 'And?']);
    // The same applies to a session that opens the playground again.
    await one.session.dispose();
    const again = await host.open({ store, backing: one.backing });
    await again.start('chat', 'And then?');
    await again.settled();
    const last = JSON.parse(server.requests[2]?.body ?? '') as { messages: { content: string }[] };
    expect(last.messages.map(({ content }) => content)).toEqual([
      QUESTION,
      whole,
      'And?',
      whole,
      'And then?',
    ]);
  });

  test('ends with its session and closes its socket, even with many at once', async () => {
    await using server = await startServer(() => undefined);
    settings.user = { connections: { hangs: { provider: 'local-host', host: server.url } } };
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const lanes = ids.map((id) => ({ id, connection: 'hangs', model: 'm' }));
    const one = await host.open({ document: { lanes } });
    await one.start('chat', QUESTION);
    await expect.poll(() => server.requests.length).toBe(ids.length);
    await one.session.dispose();
    await expect.poll(() => server.openConnections()).toBe(0);
    const again = await host.open({ store: one.store, backing: one.backing });
    expect(ids.map((id) => again.runs(id)[0]?.outcome?.verdict.kind)).toEqual(ids.map(() => 'interrupted'));
  });

  test.each([
    ['that is unknown', { connection: 'gone' }, 'connection-unknown', 'gone'],
    ['with a wrong setting', { connection: 'wrong' }, 'connection-setting', 'wrong.provider'],
    ['without a usable address', { connection: 'bare' }, 'connection-setting', 'no usable host'],
    ['without a model', { connection: 'local', model: ' ' }, 'invalid-options', 'model'],
    ['without a server', { connection: 'local' }, 'network', 'Nothing listens at that address.'],
    ['whose server lacks the model', { model: 'no-such-model' }, 'http', 'not found'],
  ])('has an outcome with what, why and next for a connection %s', async (_, lane, code, words) => {
    settings.user = {
      connections: {
        wrong: { provider: 'x' },
        bare: { provider: 'hosted-api', host: 'localhost:8080/v1' },
        local: { provider: 'local-host', host: 'http://127.0.0.1:9', retry: { maxAttempts: 1 } },
      },
    };
    const { verdict, error } = await host.run('chat', { lane });
    expect(verdict.kind).toBe('failed');
    expect(error?.code).toBe(code);
    expect(`${error?.what} ${error?.why}`).toContain(words);
    expect(error?.next).not.toBe('');
  });

  test('waits for the concurrency limit of its origin only', async () => {
    const finish: (() => void)[] = [];
    const hold = (_request: SeenRequest, response: Parameters<typeof sendJson>[0]): void =>
      void finish.push(() => sendJson(response, 200, { message: { content: 'ok' }, done: true }));
    await using server = await startServer(hold);
    settings.user = {
      connections: {
        one: { provider: 'local-host', host: server.url },
        other: { provider: 'local-host', host: `${server.url}/` },
      },
    };
    const lanes = ['one', 'other', 'demo'].map((connection) => ({
      id: connection,
      connection,
      model: 'prose-only',
    }));
    const one = await host.open({ limit: 1, document: { lanes } });
    await one.start('chat', QUESTION);
    await one.until(() => one.runs('demo')[0]?.outcome?.reply !== undefined);
    await expect.poll(() => finish.length).toBe(1);
    expect(one.session.laneSnapshot('other', undefined)?.run).toMatchObject({
      phase: 'queued',
      queue: { limit: 1, ahead: 0 },
    });
    finish.shift()?.();
    await expect.poll(() => finish.length).toBe(1);
    finish.shift()?.();
    await one.settled();
    expect(one.runs('other')[0]?.outcome?.reply?.raw.content).toBe('ok');
  });
});

describe('an API key', () => {
  const useKeyed = async (): Promise<string> => {
    keyed = await startDemoServer({ apiKey: KEY });
    settings.user = { connections: { keyed: { provider: 'hosted-api', host: keyed.hostedHost } } };
    return new URL(keyed.hostedHost).origin;
  };
  const lane = { connection: 'keyed', model: 'native-call' };

  test('is required before anything is sent', async () => {
    await useKeyed();
    expect((await host.run('chat', { lane })).error).toMatchObject({
      code: 'connection-key',
      why: 'Nothing was sent.',
    });
  });

  test('is sent to its origin only, and appears in no event, log line or file', async () => {
    await host.keys.set('keyed', await useKeyed(), KEY);
    const { store, contents } = host.openFileStore();
    const one = await host.open({ lane, store });
    await one.start('chat', QUESTION);
    await one.settled();
    expect(one.runs()[0]?.outcome?.verdict.kind).toBe('native');
    await one.session.flush();
    expect(contents()).toContain('get_weather');
    const everything = [one.entries(), one.events, one.progress, host.lines, contents()];
    expect(JSON.stringify(everything).includes('canary')).toBe(false);
  });

  test('in a message is redacted in files, but sent as written', async () => {
    await host.keys.set('keyed', await useKeyed(), KEY);
    const { store, contents } = host.openFileStore();
    const one = await host.open({ lane, store });
    await one.start('chat', `Is ${KEY} my key?`);
    await one.settled();
    await one.session.flush();
    expect(contents()).toContain('Is ****');
    const kept = [one.runs(), one.progress, host.lines, contents()];
    expect(JSON.stringify(kept).includes('canary')).toBe(false);
  });

  test('is not sent to a server set by the workspace', async () => {
    await host.keys.set('keyed', await useKeyed(), KEY);
    const other = await startDemoServer();
    try {
      settings.workspace = { connections: { keyed: { host: other.hostedHost } } };
      expect(host.connections.find('keyed')).toMatchObject({
        scope: 'workspace',
        setting: { host: other.hostedHost },
      });
      expect((await host.run('chat', { lane })).error?.code).toBe('connection-key');
      workspace.isTrusted = false;
      expect((await host.run('chat', { lane })).verdict.kind).toBe('native');
    } finally {
      await other.close();
    }
  });

  test('that is wrong results in an error without the key', async () => {
    await host.keys.set('keyed', await useKeyed(), `${KEY}-wrong`);
    const outcome = await host.run('chat', { lane });
    expect(outcome.error).toMatchObject({ code: 'http', why: expect.stringContaining('Invalid API Key') });
    expect(JSON.stringify(outcome)).not.toContain('canary');
  });
});
