// The items of the tree as a user sees them, from what the monitor knows.
import { beforeEach, describe, expect, test } from 'vitest';
import type * as vscode from 'vscode';
import type { Connection } from '../../../../src/connections/connection';
import type { MisplacedEntry } from '../../../../src/connections/sources/source';
import type { ConnectionState } from '../../../../src/host/connections-view/connection-monitor';
import type { ConnectionMonitor } from '../../../../src/host/connections-view/connection-monitor';
import type { TreeNode } from '../../../../src/host/connections-view/connection-tree';
import { ConnectionTree } from '../../../../src/host/connections-view/connection-tree';
import type { FoundServer } from '../../../../src/connections/local-servers';
import type { ErrorInfo } from '../../../../src/protocol';
import { TreeItemCollapsibleState } from '../../../support/vscode/vscode-views';

const ERROR: ErrorInfo = {
  code: 'network',
  title: 'No connection',
  what: 'Nothing answers.',
  why: 'ECONNREFUSED.',
  next: 'Start it.',
};
const DEMO: Connection = {
  id: 'demo',
  label: 'Demo',
  scope: 'built-in',
  builtIn: { gate: 'demo', host: () => Promise.resolve('') },
  setting: { provider: 'local-host' },
};
const OWN: Connection = {
  id: 'own',
  label: 'Own',
  scope: 'user',
  setting: { provider: 'hosted-api', host: 'https://h.example/v1', model: 'm' },
};
const FOUND: FoundServer = {
  product: 'ollama',
  label: 'Ollama',
  provider: 'local-host',
  host: 'http://127.0.0.1:11434',
  models: [{ id: 'a' }],
};

let states: Record<string, ConnectionState>;
let found: FoundServer[];
let listed: Connection[];
let misplaced: MisplacedEntry[];
let keysOf: string[];
let headersOf: Record<string, string[]>;
let isChecking: boolean;
let chatWindow: { isTrusted: boolean; split?: string };
let tree: ConnectionTree;

beforeEach(() => {
  [states, found, listed, misplaced, keysOf, isChecking] = [{}, [], [DEMO], [], [], false];
  headersOf = {};
  chatWindow = { isTrusted: true };
  const connections = {
    list: () => listed,
    misplaced: () => misplaced,
    withKey: (connection: Connection) => (connection.id === 'own' ? connection : undefined),
    givenKey: ({ id }: Connection) =>
      Promise.resolve(keysOf.includes(id) ? { givenAt: 0, isSessionOnly: false } : undefined),
    secretHeaderNames: ({ id }: Connection) => Promise.resolve(headersOf[id] ?? []),
    keyTarget: ({ id }: Connection) =>
      Promise.resolve(id === 'own' ? { id, binding: 'b', recipient: 'r', origin: undefined } : undefined),
    hasKey: ({ id }: Connection) => Promise.resolve(keysOf.includes(id)),
  };
  const monitor = {
    get found() {
      return found;
    },
    stateOf: ({ id }: Connection) => states[id] ?? { kind: 'unknown' },
    isChecking: () => isChecking,
    describeModels: () => Promise.resolve(),
    protocolsOf: (server: FoundServer) =>
      Promise.resolve([
        { ...server, provider: 'messages-api', title: 'Messages API', host: 'http://127.0.0.1:11434' },
      ]),
  };
  tree = new ConnectionTree({
    connections,
    monitor: monitor as unknown as ConnectionMonitor,
    chatWindow: () => chatWindow,
  });
});

const items = async (node?: TreeNode): Promise<vscode.TreeItem[]> =>
  Promise.all((await tree.children(node)).map((child) => tree.item(child)));
const words = async (node?: TreeNode): Promise<string[]> =>
  (await items(node)).map((item) => item.accessibilityInformation?.label ?? '');

const iconOf = (item: vscode.TreeItem | undefined): string | undefined =>
  (item?.iconPath as vscode.ThemeIcon | undefined)?.id;

describe('ConnectionTree', () => {
  test('is empty while there is only the demo, so that the view shows its welcome text', () => {
    found = [FOUND];
    expect(tree.children()).toEqual([]);
  });

  test('lists the user’s connections first, below a discovered server', async () => {
    listed = [DEMO, OWN];
    found = [FOUND];
    expect(await words()).toEqual([
      'Use Ollama answers at 127.0.0.1:11434 · 1 model',
      'Own not asked yet · user settings',
      'Demo not asked yet · built in',
    ]);
    const [use] = await items();
    expect(use?.command).toMatchObject({
      command: 'providerPlayground.useLocalServer',
      arguments: ['ollama'],
    });
  });

  test('lists below a discovered server the other protocols that it speaks', async () => {
    listed = [OWN, DEMO];
    found = [FOUND];
    const [use] = await items();
    expect(use?.collapsibleState).toBe(TreeItemCollapsibleState.Collapsed);
    const [other] = await items({ kind: 'found', server: FOUND });
    expect(other).toMatchObject({
      label: 'Messages API',
      description: 'spoken at http://127.0.0.1:11434',
      command: { arguments: [{ product: 'ollama', provider: 'messages-api' }] },
    });
  });

  test('says of a discovered server that it needs a key', async () => {
    listed = [OWN, DEMO];
    found = [{ ...FOUND, models: [], needsKey: true }];
    expect((await items())[0]).toMatchObject({
      label: 'Use Ollama',
      description: 'answers at 127.0.0.1:11434 · needs a key',
      tooltip: expect.stringContaining('Click to enter its key') as string,
    });
  });

  test.each([
    [{ kind: 'unknown' }, 'not asked yet', 'circle-outline'],
    [
      { kind: 'unknown', error: { ...ERROR, code: 'unsupported' } },
      'cannot list its models',
      'circle-outline',
    ],
    [
      { kind: 'reachable', server: { product: 'vllm', version: '0.11', models: [{ id: 'a' }, { id: 'b' }] } },
      'reachable · vLLM 0.11 · 2 models',
      'pass',
    ],
    [{ kind: 'reachable', server: { models: [] } }, 'reachable · 0 models', 'pass'],
    [{ kind: 'no-key', error: ERROR }, 'needs a key', 'key'],
    [{ kind: 'setting', error: ERROR }, 'wrong setting', 'warning'],
    [{ kind: 'refused', error: ERROR }, 'no answer', 'error'],
    [{ kind: 'refused', error: { ...ERROR, code: 'http' } }, 'refused', 'error'],
    [{ kind: 'refused', error: { ...ERROR, code: 'http', isKeyWanted: true } }, 'key refused', 'error'],
  ] satisfies [ConnectionState, string, string][])(
    'shows %o as a word and an icon',
    async (state, said, icon) => {
      listed = [OWN];
      states = { own: state };
      const [item] = await items();
      expect(item?.description).toBe(`${said} · user settings`);
      expect(iconOf(item)).toBe(icon);
      expect(item?.tooltip).toContain('hosted-api · https://h.example · m');
    },
  );

  test('has no children before a check, and models after it', async () => {
    listed = [OWN];
    expect((await items())[0]?.collapsibleState).toBe(TreeItemCollapsibleState.None);
    states = { own: { kind: 'reachable', server: { models: [{ id: 'a' }] } } };
    expect((await items())[0]?.collapsibleState).toBe(TreeItemCollapsibleState.Collapsed);
  });

  test('shows that it is being checked', async () => {
    listed = [OWN];
    isChecking = true;
    const [item] = await items();
    expect([item?.description, iconOf(item)]).toEqual(['asking the server · user settings', 'loading~spin']);
  });

  test('expands a failed connection to show the reason and the next step', async () => {
    listed = [OWN];
    states = { own: { kind: 'refused', error: ERROR } };
    expect((await items())[0]?.collapsibleState).toBe(TreeItemCollapsibleState.Expanded);
    const [cause] = await items(tree.nodeOf('own'));
    expect([cause?.label, cause?.description]).toEqual(['ECONNREFUSED.', 'Start it.']);
    expect(cause?.command).toMatchObject({ command: 'providerPlayground.diagnoseConnection' });
    states = { own: { kind: 'no-key', error: { ...ERROR, code: 'connection-key', isKeyWanted: true } } };
    const [reason] = await items(tree.nodeOf('own'));
    expect(reason?.accessibilityInformation?.label).toBe('No connection Nothing answers. Start it.');
    expect(reason?.command).toMatchObject({
      command: 'providerPlayground.setApiKey',
      arguments: [{ kind: 'connection', id: 'own' }],
    });
  });

  test('shows errors in the settings without a request', async () => {
    listed = [{ ...OWN, problem: 'In providerPlayground.connections, own.host: string is expected.' }];
    misplaced = [{ id: 'module:x', scope: 'workspace', problem: 'Choose another one.' }];
    expect(await words()).toEqual([
      'module:x wrong setting · Choose another one.',
      'Own wrong setting · user settings',
    ]);
    expect(await words(tree.nodeOf('own'))).toEqual([
      'In providerPlayground.connections, own.host: string is expected.',
    ]);
  });

  test('shows exactly what the server says about a model', async () => {
    listed = [OWN];
    const models = [
      {
        id: 'a',
        sizeBytes: 5_225_374_208,
        parameterSize: '8.2B',
        quantization: 'Q4_K_M',
        maxContextLength: 40_960,
        contextLength: 4096,
        capabilities: ['completion', 'tools'],
        isRunning: true,
      },
      { id: 'b', contextLength: 2048, maxContextLength: 2048, capabilities: ['embedding'], isRunning: false },
      { id: 'c', sizeBytes: 999 },
      { id: 'd' },
    ];
    states = { own: { kind: 'reachable', server: { models } } };
    expect(await words(tree.nodeOf('own'))).toEqual([
      'a running · 8.2B · Q4_K_M · 5.2 GB · 4096 of 40960 tokens · tools',
      'b 2048 tokens · embedding',
      'c 999 B',
      'd',
    ]);
  });

  test('shows the state at the time when the item is created, not when the list was requested', async () => {
    listed = [OWN];
    isChecking = true;
    const drawing = items();
    [isChecking, states] = [false, { own: { kind: 'reachable', server: { models: [] } } }];
    expect((await drawing)[0]?.description).toBe('reachable · 0 models · user settings');
  });

  test('sets the context value for menus: the kind of connection and whether it has a key', async () => {
    listed = [OWN, DEMO, { ...OWN, id: 'bad', problem: 'x' }];
    const context = async (): Promise<unknown[]> => (await items()).map((item) => item.contextValue);
    expect(await context()).toEqual([
      'connection settings usable not-in-chat no-key',
      'connection settings',
      'connection built-in usable',
    ]);
    keysOf = ['own'];
    expect((await context())[0]).toBe('connection settings usable not-in-chat has-key');
    headersOf = { own: ['x-gate'] };
    expect((await context())[0]).toBe('connection settings usable not-in-chat has-header has-key');
  });

  test('shows when the key was set, and the names of secret headers', async () => {
    listed = [OWN];
    expect((await items())[0]?.tooltip).not.toContain('key');
    keysOf = ['own'];
    headersOf = { own: ['x-gate', 'x-other'] };
    const { tooltip } = (await items())[0] ?? {};
    expect(tooltip).toContain(`a key was given on ${new Date(0).toLocaleString()}`);
    expect(tooltip).toContain('secret headers: x-gate, x-other');
  });

  test('says of a connection with the switch on whether the chat gets its models, and why not', async () => {
    const offered = { ...OWN, setting: { ...OWN.setting, offerToChat: true } };
    listed = [offered];
    keysOf = ['own'];
    const first = async (): Promise<vscode.TreeItem | undefined> => (await items())[0];
    expect((await first())?.description).toBe('in chat · not asked yet · user settings');
    expect((await first())?.accessibilityInformation?.label).toMatch(
      /^Own in VS Code chat · not asked yet · user settings$/,
    );
    expect((await first())?.tooltip).toContain(
      'helper requests of the chat may still go to models of its own',
    );
    expect((await first())?.contextValue).toBe('connection settings usable in-chat has-key');
    keysOf = [];
    expect((await first())?.description).toContain('not in chat: needs a key');
    chatWindow = { isTrusted: true, split: 'The chat runs elsewhere.' };
    expect((await first())?.description).toContain('not in chat: not in this window');
    expect((await first())?.tooltip).toContain('The chat runs elsewhere.');
    listed = [{ ...offered, scope: 'workspace' }];
    expect((await first())?.description).toContain('not in chat: set by the workspace');
    expect((await first())?.accessibilityInformation?.label).toContain('not in VS Code chat: set by the');
    expect((await first())?.contextValue).not.toContain('in-chat');
  });

  test('makes hidden characters of a label visible', async () => {
    listed = [{ ...OWN, label: 'Safe\u202ekey' }];
    expect((await items())[0]?.label).toBe(String.raw`Safe\u{202e}key`);
  });
});
