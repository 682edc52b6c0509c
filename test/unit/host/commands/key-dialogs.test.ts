import type { SecretStorage } from 'vscode';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { askForKey } from '../../../../src/host/commands/key-dialogs';
import { ApiKeys } from '../../../../src/connections/keys/api-keys';
import type { Connection, ConnectionScope } from '../../../../src/connections/connection';

const asked = vi.hoisted(() => [] as { title: string; prompt: string }[]);
const warned = vi.hoisted(() => Object.assign([] as string[], { answer: undefined as string | undefined }));
vi.mock('vscode', () => ({
  EventEmitter: class {
    readonly event = (): void => undefined;
    fire(): void {}
  },
  l10n: {
    t: (text: string, ...values: string[]) =>
      text.replaceAll(/\{(\d)\}/g, (_, at: string) => values[Number(at)] ?? ''),
  },
  window: {
    showWarningMessage: (message: string, options: { detail: string }) => {
      warned.push(`${message} ${options.detail}`);
      return Promise.resolve(warned.answer);
    },
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
  const connections = { keyTarget: () => Promise.resolve(target) } as never;
  await askForKey({ connections, keys: new ApiKeys(openSecrets()) }, connection);
  return asked[0]?.prompt;
};
beforeEach(() => void (asked.length = warned.length = 0));

function openSecrets(): SecretStorage {
  const stored = new Map<string, string>();
  return {
    onDidChange: () => ({ dispose: () => undefined }),
    keys: () => Promise.resolve([...stored.keys()]),
    get: (name) => Promise.resolve(stored.get(name)),
    store: (name, value) => Promise.resolve(void stored.set(name, value)),
    delete: (name) => Promise.resolve(void stored.delete(name)),
  };
}

describe('askForKey', () => {
  test('says that an extension’s key goes to whatever code registered itself under this name', async () => {
    expect(await ask('extension')).toContain('given to the code that is registered under this name');
    expect(asked[0]?.title).toBe(`API key for ${recipient} (extension)`);
  });

  test('says that a module gets the key only until it changes, and no other connection gets it', async () => {
    expect(await ask('module')).toContain(
      'given to this module until the module changes; no other connection gets it',
    );
  });

  describe('when the workspace changes requests of the connection', () => {
    const binding = 'https://acme.example#1';
    const wider = { binding: 'https://acme.example', changes: 'the raw keys user' };
    const connection = { id: 'x', label: 'Acme', scope: 'workspace' } as Connection;
    const answer = async (choice: string | undefined): Promise<ApiKeys> => {
      warned.answer = choice;
      const keys = new ApiKeys(openSecrets());
      await keys.set('x', wider.binding, 'the-key');
      const connections = { keyTarget: () => Promise.resolve({ ...target, binding, wider }) };
      await askForKey({ connections, keys } as never, connection);
      return keys;
    };

    test('asks for permission before it uses the stored key', async () => {
      expect(await (await answer('Use Stored Key')).get('x', binding)).toBe('the-key');
      expect([...warned]).toEqual([
        expect.stringContaining('The workspace settings change the requests of Acme: the raw keys user.'),
      ]);
      expect(asked).toEqual([]);
    });

    test('does not use the stored key without permission', async () => {
      expect(await (await answer(undefined)).get('x', binding)).toBeUndefined();
      expect(asked).toEqual([]);
      expect(await (await answer('Enter Another Key')).get('x', binding)).toBeUndefined();
      expect(asked[0]?.prompt).toContain(
        'as long as the workspace settings change nothing other than the raw keys user',
      );
    });
  });
});
