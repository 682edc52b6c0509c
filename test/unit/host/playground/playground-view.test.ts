// The view of a playground with custom providers, over a channel that carries JSON only, as the editor's does.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiKeys } from '../../../../src/connections/keys/api-keys';
import type { ConnectionService } from '../../../../src/connections/connection-service';
import { DemoSource } from '../../../../src/connections/sources/demo-source';
import type { Connection } from '../../../../src/connections/connection';
import { PlaygroundView } from '../../../../src/host/playground/playground-view';
import { SessionPool } from '../../../../src/host/playground/session-pool';
import { WIRE_METHODS } from '../../../../src/host/wire/wire-methods';
import { closeConnections } from '../../../../src/library';
import type { HostFrame, RequestMethod } from '../../../../src/protocol';
import { REQUEST_PARAMS } from '../../../../src/protocol';
import { anyText } from '../../../support/arbitrary/arbitrary-text';
import type { ModuleFolder } from '../../../support/connections/custom-modules';
import { acmeModule, openModuleFolder } from '../../../support/connections/custom-modules';
import { NO_ROWS, MemoryBacking } from '../../../support/session/scripted-session';
import { FakeSecrets, settings } from '../../../support/vscode/vscode-stub';
import { fc, runs } from '../../../support/arbitrary/properties';
import { asOpened, connect } from '../../../support/connections/connect';

vi.mock('vscode', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  Uri: { joinPath: (...parts: unknown[]) => parts.join('/') },
  commands: { executeCommand: () => Promise.resolve() },
  l10n: { t: String },
  // Like a user who closes every dialog.
  window: {
    showInputBox: () => Promise.resolve(),
    showInformationMessage: () => Promise.resolve(),
    showWarningMessage: () => Promise.resolve(),
  },
}));

const KEY = 'canary-0123456789-canary';
const THROWING = '{ throw new Error("401 for " + this.key); }';
const demo = new DemoSource();
const frames: HostFrame[] = [];
const lines: string[] = [];
const note = (line: unknown): void => void lines.push(line instanceof Error ? `${line.stack}` : String(line));
const log = { info: note, warn: note, error: note, show: () => undefined };
const webview = {
  cspSource: '',
  html: '',
  asWebviewUri: String,
  onDidReceiveMessage: (listener: (message: unknown) => Promise<void>) => {
    receive = listener;
    return { dispose: () => undefined };
  },
  postMessage: async (frame: HostFrame) => void frames.push(JSON.parse(JSON.stringify(frame)) as HostFrame),
};
let receive: (message: unknown) => Promise<void>;
let runFolder: string;
let modules: ModuleFolder | undefined;
let pool: SessionPool;
let views: PlaygroundView[];
let isVisible = true;
let visibilityReads = 0;
/** The content of the playground file. */
let document: MemoryBacking;

function openView(connections: ConnectionService, keys: ApiKeys, backing: MemoryBacking): void {
  document = backing;
  const opened = asOpened(connections, keys);
  pool = new SessionPool({
    connections: opened,
    log,
    onConnectionsChanged: () => () => undefined,
    runFolder,
    requestsLeaveFrom: 'this computer',
    onOpened: () => undefined,
    onSettingProblem: () => undefined,
    rowsFor: () => NO_ROWS,
    toolsFor: () => ({
      resolve: (reference) => Promise.resolve(`There is no tool ${reference}.`),
      invoke: () => Promise.reject(new Error('It was not confirmed.')),
      onDidChange: () => () => undefined,
    }),
  });
  const tools = { edit: async () => undefined, import: async () => undefined };
  // Parts that are loaded later have tests of their own.
  const wire = {
    handlers: () => Object.fromEntries(WIRE_METHODS.map((method) => [method, () => Promise.resolve(null)])),
  };
  const view = new PlaygroundView({
    webview,
    backing,
    services: {
      connections: opened,
      explain: (error: unknown) => connections.explain(error),
      log,
      extensionUri: '',
      pool,
      tools,
      wire,
    },
    openText: () => Promise.resolve(),
    saveAs: () => Promise.resolve(),
    isVisible: () => {
      visibilityReads += 1;
      return isVisible;
    },
  } as unknown as ConstructorParameters<typeof PlaygroundView>[0]);
  views.push(view);
}

/** Opens a playground with a custom provider whose class has these members. */
async function openAcme(members: string): Promise<string> {
  const folder = await openModuleFolder();
  modules = folder;
  let listed: readonly Connection[] = [];
  const keys = new ApiKeys(new FakeSecrets());
  const connections = connect(
    keys,
    demo,
    {
      list: () => listed,
      refresh: async () => void (listed = await folder.connections.read([])),
    },
    log,
  );
  const key = 'get key() { return this.credentials.apiKey; }';
  const rest = `static playground = { needsKey: true }; ${key} ${members}`;
  await folder.write('acme.mjs', acmeModule('http://127.0.0.1:9', rest));
  await expect.poll(async () => (await connections.views()).at(-1)?.label).toBe('Acme');
  const { id } = connections.list().at(-1) as Connection;
  const target = await connections.keyTarget(connections.find(id));
  await keys.set(target?.id ?? '', target?.binding ?? '', KEY);
  const lane = { id: 'a', connection: id, model: 'm' };
  const embedding = { connection: id, model: 'm', texts: ['a'] };
  openView(connections, keys, new MemoryBacking(JSON.stringify({ lanes: [lane], embedding })));
  return id;
}

let count = 0;
const ask = (method: RequestMethod, params: object): Promise<void> =>
  receive({ kind: 'request', id: `${++count}`, method, params });
const replies = () => frames.filter((frame) => frame.kind === 'reply');
const files = (): string =>
  readdirSync(runFolder)
    .map((name) => readFileSync(join(runFolder, name), 'latin1'))
    .join('\n');

beforeEach(() => {
  frames.length = 0;
  lines.length = 0;
  views = [];
  settings.user = {};
  runFolder = mkdtempSync(join(tmpdir(), 'view-runs-'));
});
afterEach(async () => {
  for (const view of views) view.dispose();
  await pool.close();
  await modules?.[Symbol.asyncDispose]();
  modules = undefined;
  rmSync(runFolder, { recursive: true, force: true });
});
afterAll(async () => {
  await demo.close();
  await closeConnections();
});

describe('PlaygroundView', () => {
  test.each([
    ['was never opened', async () => undefined],
    [
      'could not be opened',
      async () => {
        vi.spyOn(pool, 'acquire').mockRejectedValue(new Error('no'));
        await ask('session/open', {});
      },
    ],
  ])('disposes of its backing when its session %s', async (_, happen) => {
    await openAcme('');
    const dispose = vi.spyOn(document, 'dispose');
    await happen();
    views[0]?.dispose();
    await expect.poll(() => dispose.mock.calls).toHaveLength(1);
  });

  test('shows a requested place once its page has the session, but not while the panel is hidden', async () => {
    await openAcme('');
    const shown = () => frames.filter((frame) => frame.kind === 'event' && frame.name === 'panel/show');
    const wanted = (runId: string) => ({ kind: 'run', runId }) as const;
    const showing = (...ids: string[]) => ids.map((id) => expect.objectContaining({ data: wanted(id) }));
    pool.wanted.ask('test', wanted('first'));
    expect(shown()).toEqual([]);
    await ask('session/open', {});
    await expect.poll(shown).toEqual(showing('first'));
    pool.wanted.ask('other', wanted('second'));
    pool.wanted.ask('test', wanted('third'));
    await expect.poll(shown).toEqual(showing('first', 'third'));
    isVisible = false;
    pool.wanted.ask('test', wanted('fourth'));
    isVisible = true;
    await ask('session/open', {});
    await expect.poll(shown).toEqual(showing('first', 'third', 'fourth'));
  });

  test('lets its page do what a command asks for', async () => {
    await openAcme('');
    views[0]?.act({ kind: 'export', form: 'html' });
    const event = { kind: 'event', name: 'panel/act', data: { kind: 'export', form: 'html' } };
    await expect.poll(() => frames).toContainEqual(event);
  });

  test('does not read the visibility of a panel that was closed while its page opens the session', async () => {
    await openAcme('');
    pool.wanted.ask('test', { kind: 'run', runId: 'first' });
    await ask('session/open', {});
    const before = visibilityReads;
    views[0]?.dispose();
    // Timers with the same delay fire in the order in which they were set.
    await new Promise((resolve) => setTimeout(resolve));
    expect(visibilityReads).toBe(before);
  });

  test('answers with an error when a result cannot be serialized as JSON', async () => {
    const connectionId = await openAcme('async listModels() { return { filter: () => 10n }; }');
    await ask('connection/models', { connectionId });
    expect(frames).toMatchObject([{ kind: 'reply', id: `${count}`, ok: false, error: { code: 'internal' } }]);
  });

  test('returns a list of models with names only', async () => {
    const connectionId = await openAcme('async listModels() { return [10n, "m", null, { length: 1 }]; }');
    await ask('connection/models', { connectionId });
    expect(frames).toMatchObject([{ ok: true, result: { models: ['m'] } }]);
  });

  test.each([
    ['an error', `async listModels() ${THROWING}`],
    ['a text', 'async listModels() { throw "401 for " + this.key; }'],
    ['an error below a base class', `async listModelsInternal() ${THROWING}`],
    ['a list', 'async listModels() { return ["401 for " + this.key]; }'],
  ])('removes a key that a provider puts into %s of models from page and log', async (_, members) => {
    await ask('connection/models', { connectionId: await openAcme(members) });
    expect(frames).toHaveLength(1);
    expect(JSON.stringify(frames)).toContain('401 for ****');
    expect(JSON.stringify([frames, lines]).includes('canary')).toBe(false);
  });

  test('removes a key that a provider puts into the error of a run from page, log, store and playground', async () => {
    await openAcme(`async chat() ${THROWING} async embedMany() ${THROWING}`);
    await ask('session/open', {});
    await ask('embedding/run', {});
    await ask('run/start', { laneIds: ['a'], kind: 'chat', text: 'x' });
    const countMasked = (): number => JSON.stringify(frames).split('"why":"401 for ****').length - 1;
    await expect.poll(countMasked).toBeGreaterThan(1);
    expect(replies().map((frame) => frame.ok)).toEqual([true, true, true]);
    expect(lines.filter((line) => line.includes('401 for ****'))).toHaveLength(2);
    await pool.close();
    expect(files()).toContain('401 for ****');
    expect(JSON.stringify([frames, lines, files(), document.read()]).includes('canary')).toBe(false);
  });

  test.each([
    ['a name', 'this.key', '"x"'],
    ['arguments', '"x"', 'this.key'],
  ])(
    'removes a key that a provider puts into %s of a call from page, log, store and playground',
    async (_, name, city) => {
      const call = `{ name: ${name}, arguments: { [${city}]: ${city} } }`;
      await openAcme(`chatInternal = async () => ({ toolCalls: [${call}] });`);
      await ask('session/open', {});
      await ask('run/start', { laneIds: ['a'], kind: 'agent', text: 'x' });
      await expect.poll(() => JSON.stringify(frames)).toContain('"stopReason":"max-steps"');
      await pool.close();
      expect(files()).toContain('****');
      expect(JSON.stringify([frames, lines, files(), document.read()]).includes('canary')).toBe(false);
    },
  );

  test('answers a request with an unknown method with an error', async () => {
    await openAcme('');
    await ask('no/such' as RequestMethod, {});
    expect(frames).toMatchObject([
      { kind: 'reply', id: `${count}`, ok: false, error: { code: 'invalid-request' } },
    ]);
    expect(lines).toEqual(['panel: refused a request of an unknown method']);
  });

  test('sends nothing after disposal', async () => {
    await openAcme('chatInternal = async () => ({ content: "late" });');
    await ask('session/open', {});
    const started = ask('run/start', { laneIds: ['a'], kind: 'chat', text: 'x' });
    for (const view of views) view.dispose();
    const frameCount = frames.length;
    await started;
    await pool.close();
    expect(frames).toHaveLength(frameCount);
  });
});

/** A value as deep as a page can send it. */
function nest(depth: number, kind: 'list' | 'object'): unknown {
  let text = '1';
  if (kind === 'list') text = '['.repeat(depth) + ']'.repeat(depth);
  else text = '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
  return JSON.parse(text);
}

const hostileText = fc.oneof(
  anyText({ maxLength: 20 }),
  fc.constantFrom('a', 'demo', '__proto__', 'constructor', '\ud800', 'messages', 'lanes', 'x'.repeat(3_000)),
);
const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  hostileText,
  fc.constantFrom(...[-1, 0, 1, 2 ** 53, 1e308, null, true, [], {}].map((value): unknown => value)),
  fc.constantFrom('list' as const, 'object' as const).map((kind) => nest(5_000, kind)),
  fc.constant(0).map(() => Array.from({ length: 20_000 }, () => ({ id: 'a' }))),
  fc.constant(0).map(() => 'x'.repeat(5_000_000)),
);
const METHODS = Object.keys(REQUEST_PARAMS) as RequestMethod[];
const path = fc.array(
  fc.oneof(
    fc.constantFrom<string | number>('lanes', 'messages', 'tools', 'raw', 0, 1),
    fc.nat(3),
    hostileText,
  ),
  { minLength: 1, maxLength: 4 },
);
/** Parameters that fit nearly every request, with wrong values among them. */
const anyParams = fc.record(
  {
    laneId: fc.oneof({ weight: 3, arbitrary: fc.constant('a') }, anyValue),
    laneIds: fc.oneof({ weight: 3, arbitrary: fc.constant(['a']) }, anyValue),
    kind: fc.oneof(fc.constantFrom('chat', 'agent'), anyValue),
    text: anyValue,
    entryId: anyValue,
    runId: anyValue,
    callIndex: anyValue,
    result: fc.oneof(fc.record({ content: hostileText, isError: fc.boolean() }), anyValue),
    edits: fc.oneof(fc.array(fc.record({ path, value: anyValue }), { minLength: 1, maxLength: 3 }), anyValue),
    gather: anyValue,
    connectionId: fc.oneof(fc.constant('nobody'), anyValue),
    index: anyValue,
    copyOf: anyValue,
    change: anyValue,
    to: anyValue,
    path: hostileText,
    entryIds: anyValue,
    isStepMode: anyValue,
  },
  { requiredKeys: [] },
);
/** Keeps only the parameters of the method, because an unknown one would make the whole request invalid. */
const fitting = fc.tuple(fc.constantFrom(...METHODS), anyParams).map(([method, params]) => {
  const known = Object.keys(REQUEST_PARAMS[method].entries);
  return {
    method,
    params: Object.fromEntries(Object.entries(params).filter(([key]) => known.includes(key))),
  };
});
const anyFrame: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 6,
    arbitrary: fitting.map(({ method, params }) => ({ kind: 'request', method, params })),
  },
  fc.record({
    kind: fc.oneof(fc.constantFrom('request', 'cancel'), anyValue),
    method: fc.oneof(fc.constantFrom(...METHODS), anyValue),
    params: anyValue,
  }),
  fc.record({ kind: fc.constant('request'), params: anyValue, more: anyValue }, { requiredKeys: ['kind'] }),
  anyValue,
);

describe('any frame', () => {
  test('never throws, and answers a request with an id exactly once', async () => {
    settings.user = { connections: {} };
    const keys = new ApiKeys(new FakeSecrets());
    const connections = connect(keys, demo, undefined, log);
    const lane = { id: 'a', connection: 'nobody' };
    await fc.assert(
      fc.asyncProperty(fc.array(anyFrame, { minLength: 1, maxLength: 12 }), async (sent) => {
        frames.length = 0;
        openView(connections, keys, new MemoryBacking(JSON.stringify({ lanes: [lane] })));
        const waiting: string[] = [];
        const received = sent.map((frame, index) => {
          const isObject = typeof frame === 'object' && frame !== null && !Array.isArray(frame);
          if (!isObject) return receive(frame);
          const id = `f${index}`;
          if ((frame as { kind?: unknown }).kind === 'request') waiting.push(id);
          return receive({ ...frame, id });
        });
        await Promise.all(received);
        const answered = replies().map(({ id }) => id);
        expect(answered.toSorted()).toEqual(waiting.toSorted());
        const errorCodes = replies().flatMap((frame) => (frame.ok ? [] : [frame.error.code]));
        expect(errorCodes.filter((code) => code === 'internal')).toEqual([]);
        views.pop()?.dispose();
        await pool.close();
      }),
      { numRuns: runs(100) },
    );
  });
});
