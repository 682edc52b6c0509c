// When the tree is refreshed and when the refresh waits: VS Code moves the focus to the tree when it is refreshed.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ConnectionService } from '../../../../src/connections/connection-service';
import { ConnectionViewServices } from '../../../../src/host/connections-view/view-services';
import { FakeClock } from '../../../support/fake-clock';
import type { Input } from '../../../support/vscode/vscode-views';
import { person, resetPerson } from '../../../support/vscode/vscode-views';

vi.mock('vscode', () => import('../../../support/vscode/vscode-views'));
// The real search would connect to ports of this machine and might still be loading the engine when the tests have ended.
vi.mock('../../../../src/connections/local-servers', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  findLocalServers: () => Promise.resolve([]),
}));
beforeEach(resetPerson);

const toConnection = (id: string) => ({ id, label: id, scope: 'user', setting: { provider: 'local-host' } });

function open(change: object = {}) {
  const refreshed: unknown[] = [];
  const connections = {
    list: () => [],
    refresh: () => Promise.resolve(),
    misplaced: () => [],
    redactor: () => Promise.resolve(undefined),
    ...change,
  } as unknown as ConnectionService;
  const services = new ConnectionViewServices(
    {
      connections,
      clock: new FakeClock(),
      chatWindow: () => ({ isTrusted: true }),
      explain: () => Promise.resolve({ code: 'network', title: 'No answer', what: '', why: '', next: '' }),
      keys: { storedFor: () => Promise.resolve([]), forget: () => Promise.resolve(0) },
    } as unknown as ConstructorParameters<typeof ConnectionViewServices>[0],
    (node) => refreshed.push(node),
  );
  return { services, refreshed };
}

describe('ViewServices', () => {
  test('refreshes the tree after a dialog rather than between its steps', async () => {
    const { services, refreshed } = open();
    services.connectionsChanged();
    await expect.poll(() => refreshed.length).toBe(1);
    person.answers.push(async (input: Input) => {
      services.connectionsChanged();
      await new Promise((resolve) => setImmediate(resolve));
      expect(refreshed).toHaveLength(1);
      input.escape();
    });
    await services.actions.add(undefined);
    expect(refreshed).toHaveLength(2);
  });

  test('lists the providers of modules and extensions while the view is visible', async () => {
    const provided: object[] = [];
    let found = [{ ...toConnection('module:a'), provided: {} }];
    const { services, refreshed } = open({
      list: () => provided,
      refresh: () => Promise.resolve(void provided.splice(0, provided.length, ...found)),
      keyTarget: () => Promise.resolve(),
      describeServer: () => Promise.reject(new Error('no answer')),
    });
    services.connectionsChanged();
    await expect.poll(() => refreshed.length).toBe(1);
    expect(services.tree.children()).toEqual([]);
    services.setVisible(true);
    await expect.poll(() => services.tree.children()).toMatchObject([{ id: 'module:a' }]);
    await expect.poll(() => refreshed).toContain(undefined);
    found = [{ ...toConnection('module:b'), provided: {} }];
    services.connectionsChanged();
    await expect.poll(() => services.tree.children()).toMatchObject([{ id: 'module:b' }]);
    services.setVisible(false);
  });

  test('refreshes a connection only after the editor has received all items of the tree, without which it ignores the refresh', async () => {
    let readKey = (): void => undefined;
    const keyRead = new Promise<void>((resolve) => (readKey = resolve));
    const { services, refreshed } = open({
      list: () => [toConnection('quick'), toConnection('slow')],
      keyTarget: () => Promise.resolve(),
      withKey: () => undefined,
      givenKey: ({ id }: { id: string }) => (id === 'slow' ? keyRead : Promise.resolve()),
      secretHeaderNames: () => Promise.resolve([]),
      describeServer: () => Promise.reject(new Error('no answer')),
    });
    const { tree } = services;
    const nodes = await tree.children();
    const items = Promise.all(nodes.map((node) => tree.item(node)));
    await tree.item(tree.nodeOf('quick'));
    services.setVisible(true);
    const state = () => tree.children(tree.nodeOf('quick'));
    await expect.poll(state).toMatchObject([{ kind: 'reason' }]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(refreshed).not.toContain(tree.nodeOf('quick'));
    readKey();
    await items;
    await expect.poll(() => refreshed).toContain(tree.nodeOf('quick'));
    services.setVisible(false);
  });
});
