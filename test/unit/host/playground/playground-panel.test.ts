// The panel with providers of a module, over a channel that carries JSON only, as the editor's does.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiKeys } from '../../../../src/host/connections/api-keys';
import type { Connection } from '../../../../src/host/connections/connection';
import { ConnectionService } from '../../../../src/host/connections/connection-service';
import { DemoBackEnd } from '../../../../src/host/connections/demo-back-end';
import { PlaygroundPanel } from '../../../../src/host/playground/playground-panel';
import type { HostFrame } from '../../../../src/protocol';
import type { ModuleFolder } from '../../../support/custom-modules';
import { acmeModule, openModuleFolder } from '../../../support/custom-modules';
import { EventEmitter, FakeSecrets, settings } from '../../../support/vscode-stub';

vi.mock('vscode', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  Uri: { joinPath: (...parts: unknown[]) => parts.join('/') },
}));

const KEY = 'canary-0123456789-canary';
const frames: HostFrame[] = [];
const lines: string[] = [];
const note = (line: unknown): void => void lines.push(line instanceof Error ? `${line.stack}` : String(line));
const webview = {
  cspSource: '',
  asWebviewUri: String,
  onDidReceiveMessage: (listener: (message: unknown) => Promise<void>) => void (receive = listener),
  postMessage: (frame: HostFrame) =>
    Promise.resolve().then(() => frames.push(JSON.parse(JSON.stringify(frame)) as HostFrame)),
};
let receive: (message: unknown) => Promise<void>;
let modules: ModuleFolder;
let connections: ConnectionService;
let panel: PlaygroundPanel;

/** With the members of its class in place of those that the module has anyway. */
async function open(members: string): Promise<string> {
  let listed: readonly Connection[] = [];
  const keys = new ApiKeys(new FakeSecrets());
  const source = {
    list: () => listed,
    refresh: async () => void (listed = await modules.connections.read([])),
    onDidChange: new EventEmitter<void>().event,
  };
  connections = new ConnectionService(keys, new DemoBackEnd(), source);
  const key = 'get key() { return this.credentials.apiKey; }';
  const rest = `static playground = { needsKey: true }; ${key} ${members}`;
  await modules.write('acme.mjs', acmeModule('http://127.0.0.1:9', rest));
  await expect.poll(async () => (await connections.views()).at(-1)?.label).toBe('Acme');
  const acme = connections.list().at(-1) as Connection;
  const target = await connections.keyTarget(acme);
  await keys.set(target?.id ?? '', target?.binding ?? '', KEY);
  const log = { info: note, warn: note, error: note };
  const editorPanel = { webview, onDidDispose: () => undefined, dispose: () => undefined };
  panel = new PlaygroundPanel(
    editorPanel as never,
    { connections, keys, log, extensionUri: '', isRemote: false } as never,
  );
  return acme.id;
}
const ask = (method: string, params: object): Promise<void> =>
  receive({ kind: 'request', id: '1', method, params });

beforeEach(async () => {
  frames.length = 0;
  lines.length = 0;
  settings.user = {};
  modules = await openModuleFolder();
});
afterEach(async () => {
  panel.dispose();
  await modules[Symbol.asyncDispose]();
});

describe('PlaygroundPanel', () => {
  test('answers a request whose result is no JSON with an error', async () => {
    const connectionId = await open('async listModels() { return [10n]; }');
    await ask('connection/models', { connectionId });
    expect(frames).toMatchObject([
      {
        kind: 'reply',
        id: '1',
        ok: false,
        error: { code: 'internal', why: expect.stringContaining('BigInt') },
      },
    ]);
    expect(lines.join('')).toContain('BigInt');
  });

  test.each([
    ['an error', 'async listModels() { throw new Error("401 for " + this.key); }'],
    ['a text', 'async listModels() { throw "401 for " + this.key; }'],
    ['an error below a base class', 'async listModelsInternal() { throw new Error("401 for " + this.key); }'],
    ['a list', 'async listModels() { return ["401 for " + this.key]; }'],
  ])(
    'a key that a provider puts into %s of models reaches neither the panel nor the log',
    async (_, members) => {
      await ask('connection/models', { connectionId: await open(members) });
      expect(frames).toHaveLength(1);
      expect(JSON.stringify(frames)).toContain('401 for ****');
      expect(JSON.stringify([frames, lines])).not.toContain('canary');
    },
  );

  test('a key that a provider puts into the error of a run reaches neither the panel nor the log', async () => {
    const throwing = '{ throw new Error("401 for " + this.key); }';
    const connectionId = await open(`async chat() ${throwing} async embedMany() ${throwing}`);
    const form = { connectionId, model: 'm' };
    await ask('embed/run', { ...form, runId: 'e', texts: ['a'] });
    await ask('chat/run', {
      ...form,
      runId: 'c',
      systemPrompt: '',
      messages: [{ role: 'user', content: 'x' }],
      toolNames: [],
      sampling: {},
      rescueToolCalls: true,
    });
    expect(frames.filter(({ kind }) => kind === 'reply')).toHaveLength(2);
    expect(lines.filter((line) => line.includes('401 for ****'))).toHaveLength(2);
    expect(JSON.stringify([frames, lines])).not.toContain('canary');
  });
});
