// The recordings of a window as a person meets them: what they are asked, what the page is told, and what ends with the window.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  HostFrame,
  RecordedRow,
  RecordingMethod,
  RecordingParams,
  RecordingResults,
} from '../../../../src/protocol';
import { toExchangeLine, toHeadLine } from '../../../../src/recording';
import { MemoryRunStore, RequestGate, SYSTEM_CLOCK } from '../../../../src/session';
import { startServer } from '../../../support/servers/http-server';
import { FakeSecrets } from '../../../support/connections/fake-secrets';
import { createPanel, editor } from '../../../support/vscode/text-editor';
import { person, resetPerson, settings, statusItems } from '../../../support/vscode/vscode-views';

class FileUri {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }
  static joinPath = ({ path }: FileUri, ...names: string[]): FileUri =>
    new FileUri([path, ...names].join('/'));
}
vi.mock('vscode', async () => {
  const views = await import('../../../support/vscode/vscode-views');
  return {
    ...views,
    Uri: FileUri,
    ViewColumn: { Active: -1 },
    UIKind: { Desktop: 1 },
    FileSystemError: Error,
    window: {
      ...views.window,
      createWebviewPanel: (_type: string, _title: string, column: number) => createPanel(column),
    },
    workspace: {
      ...views.workspace,
      isTrusted: true,
      fs: {
        stat: () => Promise.resolve({ mtime: 0, size: 1 }),
        readFile: ({ path }: FileUri) => Promise.resolve(readFileSync(path)),
      },
    },
  };
});

const { RecordingServices } = await import('../../../../src/host/recording/recording-services');
const { asOpened, connect } = await import('../../../support/connections/connect');
const { ApiKeys } = await import('../../../../src/connections/keys/api-keys');
const { DemoSource } = await import('../../../../src/connections/sources/demo-source');
const { createConnectionSource } = await import('../../../../src/connections/connection-source');

const demo = new DemoSource();
const keys = new ApiKeys(new FakeSecrets());
const connections = connect(keys, demo);
const folder = mkdtempSync(join(tmpdir(), 'recording-'));
let store: MemoryRunStore;
let services: InstanceType<typeof RecordingServices>;
let count = 0;
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await demo.close();
});

function open(): InstanceType<typeof RecordingServices> {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined, show: () => undefined };
  const step = () =>
    Promise.resolve({
      connections: createConnectionSource(connections, () => () => undefined),
      gate: new RequestGate(() => 4),
      clock: SYSTEM_CLOCK,
      log,
    });
  return new RecordingServices({
    connections: asOpened(connections, keys),
    pool: { store: () => Promise.resolve(store), stepServices: step },
    explain: (error: unknown) => connections.explain(error),
    log,
    extensionUri: new FileUri('/ext'),
    requestsLeaveFrom: 'this computer',
    madeBy: 'Provider Playground 1',
    onStored: () => undefined,
  } as never);
}

beforeEach(() => {
  resetPerson();
  editor.panels = [];
  store = new MemoryRunStore();
  services = open();
});
afterEach(async () => {
  await services.close();
});

/** Sends a request as the page of the last panel. */
async function ask<M extends RecordingMethod>(
  method: M,
  params: RecordingParams[M],
): Promise<RecordingResults[M]> {
  const panel = editor.panels.at(-1);
  if (!panel) throw new Error('there is no panel');
  const id = `r${++count}`;
  panel.receive({ kind: 'request', id, method, params });
  const replied = (): HostFrame | undefined =>
    (panel.frames as HostFrame[]).find((frame) => frame.kind === 'reply' && frame.id === id);
  await expect.poll(replied).toBeDefined();
  const reply = replied();
  if (reply?.kind !== 'reply' || !reply.ok) throw new Error(JSON.stringify(reply));
  return reply.result as RecordingResults[M];
}

const pick = (label: string) => (items: { label: string }[]) => items.find((item) => item.label === label);

async function stored(number: number): Promise<RecordedRow[]> {
  await expect
    .poll(async () => (await ask('recording/rows', { from: 1 })).filter(({ phase }) => !phase).length)
    .toBe(number);
  return ask('recording/rows', { from: 1 });
}

const KEY = 'sk-canary-of-the-connection';

async function serve(): Promise<{ url: string; authorization: () => unknown }> {
  const server = await startServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: [], echo: KEY }));
  });
  settings.user = {
    connections: { mine: { label: 'Mine', provider: 'hosted-api', host: `${server.url}/v1` } },
  };
  return { url: server.url, authorization: () => server.requests.at(-1)?.headers['authorization'] };
}

async function giveKey(): Promise<void> {
  const target = await connections.keyTarget(connections.find('mine'));
  if (target) await keys.set(target.id, target.binding, KEY);
}

describe('a recording', () => {
  it('says what will happen, shows itself in the status bar, and repairs nothing until it is told', async () => {
    person.replies.push(pick('Demo (hosted protocol)'));
    await services.record();
    expect(person.messages[0]?.[1]).toMatchObject({ title: 'Record Another Program' });
    expect(await ask('recording/open', {})).toMatchObject({
      state: 'waiting',
      connection: { id: 'demo-hosted' },
      key: 'none',
      isRepairing: false,
      requestsLeaveFrom: 'this computer',
    });
    expect(statusItems).toMatchObject([{ isShown: true }]);
    await ask('recording/stop', {});
    expect((await ask('recording/open', {})).state).toBe('stopped');
    await expect.poll(() => statusItems[0]?.isShown).toBe(false);
  });

  it('asks once whether the key may be added, and shows it nowhere', async () => {
    const { authorization } = await serve();
    await giveKey();
    person.replies.push(pick('Mine'), 'Add Key');
    await services.record();
    const { address, key } = await ask('recording/open', {});
    expect(key).toBe('added');
    await fetch(`${address}/models`);
    expect(authorization()).toBe(`Bearer ${KEY}`);
    await stored(1);
    await ask('recording/start', {});
    expect(person.messages).toHaveLength(2);
    const again = await ask('recording/open', {});
    expect(again.address).not.toBe(address);
    await fetch(`${again.address}/models`);
    await stored(2);
    const view = await ask('recording/read', { number: 1 });
    expect(view.changedHeaders).toEqual(['authorization']);
    await services.close();
    const ids = (await store.list()).map(({ sessionId }) => sessionId);
    const everything = [editor.panels, person.messages, ids, await store.read(ids[0] ?? '')];
    expect(JSON.stringify(everything)).not.toContain(KEY);
  });

  it('adds no key that the person keeps back, and does not begin when they cancel', async () => {
    const { authorization } = await serve();
    await giveKey();
    person.replies.push(pick('Mine'), 'Do Not Add');
    await services.record();
    const { address, key } = await ask('recording/open', {});
    expect(key).toBe('missing');
    await fetch(`${address}/models`);
    expect(authorization()).toBeUndefined();
    person.replies.push(pick('Mine'), undefined);
    await services.record();
    expect(editor.panels).toHaveLength(1);
  });

  it('confirms an address that the workspace gives', async () => {
    const { url } = await serve();
    settings.workspace = settings.user;
    settings.user = {};
    person.replies.push(pick('Mine'), undefined);
    await services.record();
    expect(person.messages[1]?.[0]).toBe(`The settings of this workspace say where Mine is: ${url}`);
    expect(editor.panels).toEqual([]);
  });

  it('is found again when the window was reloaded, and says that it stopped', async () => {
    await serve();
    person.replies.push(pick('Mine'));
    await services.record();
    await fetch(`${(await ask('recording/open', {})).address}/models`);
    const rows = await stored(1);
    await services.close();
    const [session] = await store.list();
    services = open();
    const key = /recording:([\w-]+):/.exec(session?.sessionId ?? '')?.[1];
    await services.restore(createPanel(1) as never, { scratch: key });
    expect(await ask('recording/open', {})).toMatchObject({
      state: 'stopped',
      problem: { code: 'recording-ended' },
      connection: { id: 'mine', label: 'Mine' },
    });
    expect(await ask('recording/rows', { from: 1 })).toEqual(rows);
  });
});

describe('a recorded file', () => {
  it('is shown without a server, with what of it cannot be read', async () => {
    const path = join(folder, 'agent.recording.jsonl');
    const exchange = {
      number: 4,
      startedAt: 5,
      program: 'agent/1',
      request: { method: 'GET', url: 'http://a.example/v1/models', headers: {}, body: '' },
      endMs: 1,
      endedBy: 'server' as const,
    };
    const head = toHeadLine({ target: 'http://a.example/v1', startedAt: 1, madeBy: 'x' });
    writeFileSync(path, `${head}${toExchangeLine(exchange)}{"number":`);
    await services.openFile(new FileUri(path));
    expect(await ask('recording/open', {})).toMatchObject({
      state: 'file',
      file: 'agent.recording.jsonl',
      connections: [],
      target: 'http://a.example/v1',
      problem: { what: 'Line 3 of agent.recording.jsonl cannot be read, and is left out.' },
    });
    expect(await stored(1)).toMatchObject([{ number: 1, path: '/v1/models' }]);
  });

  it('is refused in words when it is none', async () => {
    const path = join(folder, 'other.jsonl');
    writeFileSync(path, '{}\n');
    await services.openFile(new FileUri(path));
    expect(editor.panels).toEqual([]);
    expect(person.messages[0]?.[0]).toContain('other.jsonl is no recording.');
  });
});
