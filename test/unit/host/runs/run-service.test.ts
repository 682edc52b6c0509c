// Runs against the demo server and stand-ins for the settings and the key store.
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DemoServer } from '../../../../src/demo';
import { startDemoServer } from '../../../../src/demo';
import { ApiKeys } from '../../../../src/host/connections/api-keys';
import { ConnectionService } from '../../../../src/host/connections/connection-service';
import { DemoBackEnd } from '../../../../src/host/connections/demo-back-end';
import { RunService } from '../../../../src/host/runs/run-service';
import { closeConnections } from '../../../../src/library';
import type { RunForm, RunProgress } from '../../../../src/protocol';
import { startServer } from '../../../support/http-server';
import { FakeSecrets, settings, workspace } from '../../../support/vscode-stub';

const KEY = 'canary-0123456789-canary';
const lines: string[] = [];
const log = {
  info: (line: string) => void lines.push(line),
  warn: (line: string) => void lines.push(line),
  error: (line: string | Error) => void lines.push(String(line)),
};
const demo = new DemoBackEnd();
let progress: RunProgress[];
let keys: ApiKeys;
let connections: ConnectionService;
let runs: RunService;
let keyed: DemoServer | undefined;

const form = (fields: Partial<RunForm> = {}): RunForm => ({
  runId: crypto.randomUUID(),
  connectionId: 'demo',
  model: 'hermes-text',
  systemPrompt: '',
  messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
  toolNames: ['get_weather'],
  sampling: {},
  rescueToolCalls: true,
  ...fields,
});
const run = (fields?: Partial<RunForm>) => runs.start(form(fields), new AbortController().signal);

beforeEach(() => {
  lines.length = 0;
  progress = [];
  settings.user = {};
  settings.workspace = {};
  workspace.isTrusted = true;
  keys = new ApiKeys(new FakeSecrets());
  connections = new ConnectionService(keys, demo);
  runs = new RunService(connections, log, (event) => progress.push(event));
});
afterEach(async () => {
  runs.dispose();
  await keyed?.close();
  keyed = undefined;
});
afterAll(async () => {
  await demo.stop();
  await closeConnections();
});

describe('RunService', () => {
  test('a rescued call is a verdict, a finding and a turn', async () => {
    const outcome = await run();
    expect(outcome).toMatchObject({
      connectionLabel: 'Demo (local protocol)',
      verdict: { kind: 'rescued', detail: '1 call, hermes-json' },
      turn: { toolCalls: [{ name: 'get_weather', source: 'rescued' }], attempts: 1 },
    });
    expect(outcome.findings[0]).toMatchObject({ severity: 'warning', tab: 'tool-calls' });
    expect([...new Set(progress.map(({ phase }) => phase))]).toEqual(['waiting-for-headers', 'reading']);
  });

  test.each(['demo', 'demo-hosted'])(
    '%s: with rescue off the text stays, and the verdict says what was not taken',
    async (connectionId) => {
      const outcome = await run({ connectionId, rescueToolCalls: false });
      expect(outcome.verdict).toEqual({
        kind: 'none',
        detail: 'rescue is off; it would take 1 call, hermes-json',
      });
      expect(outcome.turn?.assistant.content).toContain('<tool_call>');
    },
  );

  test.each([
    ['demo', 'ollama show --template'],
    ['demo-hosted', '--tool-call-parser hermes'],
  ])('%s: how to get a call natively fits the server', async (connectionId, words) => {
    const { findings } = await run({ connectionId });
    expect(findings[0]?.next).toContain(words);
  });

  test('a line is logged for each retry, and nothing of the conversation', async () => {
    await run({ connectionId: 'demo-hosted', model: 'rate-limited' });
    expect(lines.filter((line) => line.includes('next try'))).toEqual([
      'Demo (hosted protocol): attempt 1 of 3 failed with 429; next try in 1.0 s (Retry-After)',
      expect.stringMatching(
        /^Demo \(hosted protocol\): attempt 2 of 3 failed with 429; next try in \d\.\d s \(backoff\)$/,
      ),
    ]);
    expect(lines.join()).not.toContain('Oslo');
    const waits = progress.filter(({ phase }) => phase === 'waiting-to-retry');
    expect(waits).toMatchObject([
      { attempt: 2, delayMs: 1000, delaySource: 'retry-after' },
      { attempt: 3, delaySource: 'backoff' },
    ]);
  });

  test('a stop is an outcome, and ends the wait at once', async () => {
    const controller = new AbortController();
    const outcome = runs.start(form({ model: 'slow' }), controller.signal);
    await expect.poll(() => progress.length).toBeGreaterThan(0);
    controller.abort();
    expect(await outcome).toMatchObject({ verdict: { kind: 'stopped' }, error: { code: 'aborted' } });
  });

  test('a panel that came back gets the outcome of the run it left, another run is not known', async () => {
    const { signal } = new AbortController();
    const started = runs.start(form({ runId: 'left' }), signal);
    const attached = runs.attach('left', signal);
    expect(await attached).toEqual(await started);
    expect(runs.attach('other', signal)).toBeUndefined();
  });

  test('a run id that is known already is followed, not sent again', async () => {
    const { signal } = new AbortController();
    const same = form({ runId: 'same' });
    const [first, second] = await Promise.all([runs.start(same, signal), runs.start(same, signal)]);
    expect(second).toEqual(first);
    expect(progress.filter(({ phase }) => phase === 'waiting-for-headers')).toHaveLength(1);
  });

  test('a reply that is cut for the panel goes back to the model whole', async () => {
    const whole = 'a'.repeat(1_200_000);
    const sent: string[] = [];
    await using server = await startServer((request, response) => {
      sent.push(request.body);
      response.setHeader('content-type', 'application/x-ndjson');
      response.end(`${JSON.stringify({ message: { content: whole }, done: true, done_reason: 'stop' })}\n`);
    });
    settings.user = { connections: { long: { provider: 'local-host', host: server.url } } };
    const { turn } = await run({ connectionId: 'long' });
    expect(turn?.assistant.content.length).toBeLessThan(1_001_000);
    const question = { role: 'user' as const, content: 'And?' };
    await run({ connectionId: 'long', messages: turn ? [question, turn.assistant, question] : [] });
    expect(JSON.parse(sent[1] ?? '')).toMatchObject({ messages: [{}, { content: whole }, {}] });
    // another panel does not know the rest
    const other = new RunService(connections, log, () => undefined);
    const messages = turn ? [question, turn.assistant, question] : [];
    const refused = await other.start(form({ connectionId: 'long', messages }), new AbortController().signal);
    expect(refused.error?.code).toBe('history-cut');
    expect(sent).toHaveLength(2);
  });

  test('many runs at once are all known and all end with the service', async () => {
    const { signal } = new AbortController();
    const started = Array.from({ length: 12 }, (_, index) =>
      runs.start(form({ runId: `run ${index}`, model: 'slow' }), signal),
    );
    expect(runs.attach('run 0', signal)).toBeDefined();
    runs.dispose();
    const verdicts = (await Promise.all(started)).map(({ verdict }) => verdict.kind);
    expect(new Set(verdicts)).toEqual(new Set(['stopped']));
  });

  test.each([
    ['unknown', { connectionId: 'gone' }, 'connection-unknown', 'gone'],
    ['wrong', { connectionId: 'wrong' }, 'connection-setting', 'wrong.provider'],
    ['without a usable address', { connectionId: 'bare' }, 'connection-setting', 'no usable host'],
    ['without a model', { connectionId: 'local', model: ' ' }, 'invalid-options', 'model'],
    ['without a server', { connectionId: 'local' }, 'network', 'ECONNREFUSED'],
    ['of a model that is not there', { model: 'no-such-model' }, 'http', 'not found'],
  ])(
    'a connection that is %s is an outcome that says what, why and what next',
    async (_, fields, code, words) => {
      settings.user = {
        connections: {
          wrong: { provider: 'x' },
          bare: { provider: 'hosted-api', host: 'localhost:8080/v1' },
          local: { provider: 'local-host', host: 'http://127.0.0.1:9', retry: { maxAttempts: 1 } },
        },
      };
      const { verdict, error } = await run(fields);
      expect(verdict.kind).toBe('failed');
      expect(error?.code).toBe(code);
      expect(`${error?.what} ${error?.why}`).toContain(words);
      expect(error?.next).not.toBe('');
    },
  );
});

describe('a key', () => {
  const useKeyed = async (host?: string): Promise<string> => {
    keyed = await startDemoServer({ apiKey: KEY });
    settings.user = { connections: { keyed: { provider: 'hosted-api', host: host ?? keyed.hostedHost } } };
    return new URL(keyed.hostedHost).origin;
  };
  const runKeyed = () => run({ connectionId: 'keyed', model: 'native-call' });

  test('is asked for before anything is sent', async () => {
    await useKeyed();
    expect((await runKeyed()).error).toMatchObject({ code: 'connection-key', why: 'Nothing was sent.' });
  });

  test('is used for its origin, and appears in no outcome and no line', async () => {
    await keys.set('keyed', await useKeyed(), KEY);
    const outcome = await runKeyed();
    expect(outcome.verdict.kind).toBe('native');
    expect(JSON.stringify([outcome, lines, progress])).not.toContain('canary');
  });

  test('is not sent where a workspace setting points to', async () => {
    await keys.set('keyed', await useKeyed(), KEY);
    const other = await startDemoServer();
    try {
      settings.workspace = { connections: { keyed: { host: other.hostedHost } } };
      expect(connections.find('keyed')).toMatchObject({
        scope: 'workspace',
        setting: { host: other.hostedHost },
      });
      expect((await runKeyed()).error?.code).toBe('connection-key');
      workspace.isTrusted = false;
      expect((await runKeyed()).verdict.kind).toBe('native');
    } finally {
      await other.close();
    }
  });

  test('that is wrong is an error without the key in it', async () => {
    await keys.set('keyed', await useKeyed(), `${KEY}-wrong`);
    const outcome = await runKeyed();
    expect(outcome.error).toMatchObject({ code: 'http', why: expect.stringContaining('Invalid API Key') });
    expect(JSON.stringify(outcome)).not.toContain('canary');
  });
});
