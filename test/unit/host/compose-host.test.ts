import { tmpdir } from 'node:os';
import { describe, expect, test, vi } from 'vitest';
import type * as vscode from 'vscode';

const channel = vi.hoisted(() => ({
  isDisposed: false,
  lost: [] as string[],
  dispose: () => void (channel.isDisposed = true),
  info: (line: string) => void (channel.isDisposed && channel.lost.push(line)),
}));

vi.mock('vscode', async () => {
  const stub = await import('../../support/vscode/vscode-stub');
  // Everything that is registered or subscribed to returns a disposable.
  const registers = (own: object): unknown =>
    new Proxy(own, {
      get: (target, name) => (Reflect.get(target, name) as unknown) ?? (() => ({ dispose: () => undefined })),
    });
  return {
    ...stub,
    window: registers({
      createOutputChannel: () => channel,
      createTreeView: () => registers({ dispose: () => undefined }),
    }),
    workspace: registers(stub.workspace),
    commands: registers({}),
    lm: registers({}),
    tasks: registers({}),
    tests: { createTestController: () => ({ createRunProfile: () => ({}), dispose: () => undefined }) },
    TestRunProfileKind: { Run: 1 },
    TestTag: Object,
    env: { remoteName: undefined },
    Disposable: { from: () => ({ dispose: () => undefined }) },
    UIKind: { Web: 2 },
    ExtensionKind: { Workspace: 2 },
  };
});

const { composeHost } = await import('../../../src/host/compose-host');

describe('composeHost', () => {
  test('keeps the log open until all runs have ended, even if the editor disposes of it earlier', async () => {
    const folder = { fsPath: tmpdir() };
    const context = {
      secrets: new (await import('../../support/vscode/vscode-stub')).FakeSecrets(),
      workspaceState: { get: () => undefined, update: () => Promise.resolve() },
      globalStorageUri: folder,
      extensionUri: folder,
      subscriptions: [],
      extension: { extensionKind: 2, packageJSON: { version: '1.2.3' } },
    };
    const host = composeHost(context as unknown as vscode.ExtensionContext);
    let end = (): void => undefined;
    const ending = new Promise<void>((resolve) => (end = resolve));
    vi.spyOn(host.services.pool, 'close').mockReturnValue(
      ending.then(() => host.services.log.info('the last line of a run')),
    );
    const stopped = host.stop();
    for (const disposable of host.disposables) disposable.dispose();
    end();
    await stopped;
    expect(channel.lost).toEqual([]);
    expect(channel.isDisposed).toBe(true);
  });
});
