import { beforeEach, describe, expect, test } from 'vitest';
import type { Connection } from '../../../../src/connections/connection';
import {
  freeId,
  removeConnection,
  writeConnection,
} from '../../../../src/host/connections-view/own-settings';
import { resetPerson, settings } from '../../../support/vscode/vscode-views';

beforeEach(resetPerson);

const entry = { provider: 'local-host' } as const;

describe('the connections in the settings', () => {
  test('are added to the user settings, beside the others', async () => {
    settings.user = { connections: { one: entry } };
    settings.workspace = { connections: { two: entry } };
    await writeConnection('three', entry);
    expect(settings.user).toEqual({ connections: { one: entry, three: entry } });
    expect(settings.workspace).toEqual({ connections: { two: entry } });
  });

  test('are removed from the scope that they come from; the setting is removed with the last one', async () => {
    settings.user = { connections: { one: entry, two: entry } };
    settings.workspace = { connections: { one: entry } };
    const of = (id: string, scope: Connection['scope']): Connection => ({
      id,
      label: id,
      scope,
      setting: entry,
    });
    await removeConnection(of('one', 'workspace'));
    expect(settings.workspace).toEqual({ connections: undefined });
    await removeConnection(of('two', 'user'));
    expect(settings.user).toEqual({ connections: { one: entry } });
  });

  test('can be added even if the setting is not an object', async () => {
    settings.user = { connections: ['list'] };
    await writeConnection('one', entry);
    expect(settings.user).toEqual({ connections: { one: entry } });
  });
});

describe('freeId', () => {
  test.each([
    ['Ollama Cloud', [], 'ollama-cloud'],
    ['Ollama', ['ollama', 'ollama-2'], 'ollama-3'],
    ['127.0.0.1:8080', [], '127-0-0-1-8080'],
    ['…', [], 'connection'],
  ])('derives from the label %s, with the ids %o taken, the id %s', (label, taken, id) =>
    expect(freeId(label, taken)).toBe(id),
  );
});
