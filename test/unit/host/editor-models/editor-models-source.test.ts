import { afterAll, describe, expect, it, vi } from 'vitest';
import { loadEngine } from '../../../../src/host/load-engine';
import { ConnectionMonitor } from '../../../../src/host/connections-view/connection-monitor';
import { EditorModelsSource } from '../../../../src/host/editor-models/editor-models-source';
import { ApiKeys } from '../../../../src/connections/keys/api-keys';
import { connect } from '../../../support/connections/connect';
import { FakeClock } from '../../../support/fake-clock';
import { FakeEditorModels } from '../../../support/editor-models/fake-editor-models';
import { FakeSecrets, settings } from '../../../support/vscode/vscode-stub';

function open(stored = new Map<string, unknown>()) {
  const models = new FakeEditorModels().add({ vendor: 'copilot', id: 'gpt' }, () => []);
  const load = vi.fn(() => Promise.resolve(models));
  const source = new EditorModelsSource({
    models: load,
    memory: {
      get: (key) => stored.get(key),
      update: (key, value) => Promise.resolve(void stored.set(key, value)),
    },
  });
  settings.user = {};
  settings.workspace = {};
  const connections = connect(new ApiKeys(new FakeSecrets()), undefined, source);
  return { source, models, load, connections, stored };
}

// The monitor loads it for the other connections, and would go on after the last test.
afterAll(() => loadEngine());

describe('EditorModelsSource', () => {
  it('lists nothing and loads nothing until a person asks', async () => {
    const { connections, load } = open();
    await connections.views();
    expect(connections.list().map(({ id }) => id)).not.toContain('vscode-lm');
    expect(load).not.toHaveBeenCalled();
  });

  it('is found by its id, and listed from then on, in other windows too', async () => {
    const { connections, source, stored } = open();
    const changed = vi.fn();
    source.onDidChange(changed);
    expect(connections.find('vscode-lm').label).toBe("VS Code's models");
    await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1));
    expect(connections.list().map(({ id }) => id)).toContain('vscode-lm');
    expect(open(stored).source.list()).toHaveLength(1);
    connections.find('vscode-lm');
    await Promise.resolve();
    expect(changed).toHaveBeenCalledTimes(1);
  });

  it('is listed by a playground that names it, which asks the editor nothing yet', async () => {
    const { connections, load } = open();
    const ids = async (named: string[]) => (await connections.views(named)).map(({ id }) => id);
    expect(await ids(['no-such', 'demo'])).not.toContain('vscode-lm');
    expect((await ids(['vscode-lm', 'vscode-lm'])).filter((id) => id === 'vscode-lm')).toHaveLength(1);
    expect(await ids([])).toContain('vscode-lm');
    expect(load).not.toHaveBeenCalled();
  });

  it('has neither address nor key, and says whose the models are', async () => {
    const { connections } = open();
    const connection = connections.find('vscode-lm');
    expect(connection.provided?.privacy).toContain('belongs to the extension that offers it');
    expect(await connections.view(connection)).toMatchObject({
      address: 'inside VS Code',
      needsKey: false,
      hasKey: false,
      usesQuota: true,
      isInEditor: true,
      limits: { maxAttempts: 1 },
    });
  });

  it('leaves its id to no connection of the settings', () => {
    const { connections } = open();
    settings.user = { connections: { 'vscode-lm': { provider: 'local-host' } } };
    expect(connections.list().map(({ id }) => id)).not.toContain('vscode-lm');
    expect(connections.misplaced()).toMatchObject([{ id: 'vscode-lm' }]);
  });

  it('is not asked for its models when the view is shown, but when a person refreshes it', async () => {
    const { connections, models } = open();
    const connection = connections.find('vscode-lm');
    await Promise.resolve();
    const monitor = new ConnectionMonitor({
      connections,
      clock: new FakeClock(),
      explain: (error, of) => connections.explain(error, of),
      onChange: () => undefined,
      localServers: [],
    });
    monitor.show();
    await monitor.connectionsChanged();
    expect(models.selections).toBe(0);
    expect(monitor.stateOf(connection)).toEqual({ kind: 'unknown' });
    monitor.refresh();
    await vi.waitFor(() => expect(monitor.stateOf(connection).kind).toBe('reachable'));
    expect(models.selections).toBe(1);
    monitor.hide();
  });

  it('is drawn as asked after a person saw its models elsewhere, with those of now', async () => {
    const { connections, models, source } = open();
    const connection = connections.find('vscode-lm');
    await Promise.resolve();
    const monitor = new ConnectionMonitor({
      connections,
      clock: new FakeClock(),
      explain: (error, of) => connections.explain(error, of),
      onChange: () => undefined,
      localServers: [],
    });
    const changed = vi.fn(() => void monitor.connectionsChanged());
    source.onDidChange(changed);
    const limits = { signal: new AbortController().signal, timeoutMs: 1_000 };
    const listed = async (): Promise<unknown> => {
      await connections.describeServer(connection, limits).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve));
      const state = monitor.stateOf(connection);
      return state.kind === 'reachable' ? state.server.models.map(({ id }) => id) : state.kind;
    };
    expect(await listed()).toEqual(['copilot/gpt']);
    expect(await listed()).toEqual(['copilot/gpt']);
    expect(changed).toHaveBeenCalledTimes(1);
    await monitor.check(connection);
    models.add({ vendor: 'copilot', id: 'mini' }, () => []);
    expect(await listed()).toEqual(['copilot/gpt', 'copilot/mini']);
    models.select = () => Promise.resolve([]);
    expect(await listed()).toBe('unknown');
  });
});

describe('a front end without an editor', () => {
  it('says that these models are only there in VS Code', () => {
    const connections = connect(new ApiKeys(new FakeSecrets()));
    expect(() => connections.find('vscode-lm')).toThrow("VS Code's own models can be used in VS Code alone.");
  });
});
