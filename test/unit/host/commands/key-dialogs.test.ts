import { beforeEach, describe, expect, test, vi } from 'vitest';
import { askForKey } from '../../../../src/host/commands/key-dialogs';
import type { Connection, ConnectionScope } from '../../../../src/host/connections/connection';

const asked = vi.hoisted(() => [] as { title: string; prompt: string }[]);
vi.mock('vscode', () => ({
  EventEmitter: class {
    readonly event = (): void => undefined;
  },
  l10n: {
    t: (text: string, ...values: string[]) =>
      text.replaceAll(/\{(\d)\}/g, (_, at: string) => values[Number(at)] ?? ''),
  },
  window: {
    showInputBox: (options: { title: string; prompt: string }) => {
      asked.push(options);
      return Promise.resolve(undefined);
    },
  },
}));

const recipient = 'https://acme.example (acme.models)';
const target = { id: 'x', binding: 'y', recipient, origin: 'https://acme.example' };
const ask = async (scope: ConnectionScope): Promise<string | undefined> => {
  const connection = { id: 'x', label: 'Acme', scope, provided: {} } as Connection;
  const connections = { keyTarget: () => Promise.resolve(target) };
  await askForKey({ connections, keys: {} } as never, connection);
  return asked[0]?.prompt;
};
beforeEach(() => void (asked.length = 0));

describe('askForKey', () => {
  test('promises of an extension no more than holds: it says itself who it is', async () => {
    expect(await ask('extension')).toContain('given to the code that registered itself under this name');
    expect(asked[0]?.title).toBe(`API key for ${recipient} (extension)`);
  });

  test('says that a module has a key to itself until it changes', async () => {
    expect(await ask('module')).toContain(
      'given to this module, as long as it does not change; no other connection gets it',
    );
  });
});
