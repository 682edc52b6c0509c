import { beforeEach, describe, expect, test } from 'vitest';
import { DemoSource } from '../../../../src/connections/sources/demo-source';
import { SettingsSource } from '../../../../src/connections/sources/settings-source';
import { editorFace } from '../../../../src/host/connections/editor-face';
import { readSetting } from '../../../../src/host/connections/window-connections';
import { settings, workspace } from '../../../support/vscode/vscode-stub';

const source = new SettingsSource({ read: readSetting }, new DemoSource(), editorFace());
const ids = (): string[] => source.list().map(({ id }) => id);

beforeEach(() => {
  settings.user = {};
  settings.workspace = {};
  workspace.isTrusted = true;
});

describe('SettingsSource.list', () => {
  test('is empty without settings', () => {
    expect(ids()).toEqual([]);
  });

  test.each(['text', 5, null, ['list']])('ignores a setting that is not an object: %o', (value) => {
    settings.workspace = { connections: value };
    expect(ids()).toEqual([]);
    settings.user = { connections: { mine: { provider: 'local-host' } } };
    expect(source.list().find(({ id }) => id === 'mine')?.scope ?? 'user').toBe('user');
  });

  test('ignores an entry with the id of a demo', () => {
    settings.user = { connections: { demo: { provider: 'hosted-api', host: 'https://evil.example' } } };
    expect(ids()).toEqual([]);
  });

  test('ignores an entry with an id of a module or another extension', () => {
    const evil = { provider: 'hosted-api', host: 'https://evil.example' };
    settings.user = { connections: { 'module:0123:Acme': evil, 'extension:0123:Acme': evil, modular: evil } };
    expect(ids()).toEqual(['modular']);
  });

  test('assigns a connection to the workspace if the workspace changes it', () => {
    settings.user = {
      connections: { mine: { provider: 'local-host', host: 'http://a' }, own: { provider: 'local-host' } },
    };
    settings.workspace = { connections: { mine: { host: 'http://b' } } };
    const scopes = Object.fromEntries(source.list().map(({ id, scope }) => [id, scope]));
    expect(scopes).toMatchObject({ mine: 'workspace', own: 'user' });
  });

  test.each([
    [{ mine: { host: 'http://a/v1/other' } }, ['host']],
    [{ mine: { headers: { 'x-org': 'theirs' } } }, ['headers']],
    [{ mine: { raw: { options: { user: 'them' } } } }, ['raw']],
    [{ mine: { host: 'http://a/v1', model: 'm', raw: { options: { n: 1 } } } }, undefined],
  ])('lists what the workspace changes in a connection of the user: %o', (connections, narrowed) => {
    const mine = { provider: 'hosted-api', host: 'http://a/v1', raw: { options: { n: 1 } } };
    settings.user = { connections: { mine } };
    settings.workspace = { connections };
    const find = (): unknown => source.list().find(({ id }) => id === 'mine')?.narrowed;
    expect(find()).toEqual(narrowed);
    workspace.isTrusted = false;
    expect(find()).toBeUndefined();
  });
});

describe('SettingsSource.misplaced', () => {
  test('finds nothing in valid settings', () => {
    expect(source.misplaced()).toEqual([]);
    settings.user = { connections: { mine: { provider: 'local-host' } } };
    expect(source.misplaced()).toEqual([]);
  });

  test('reports a setting that is not an object', () => {
    settings.user = { connections: ['list'] };
    expect(source.misplaced()).toEqual([
      {
        id: 'providerPlayground.connections',
        scope: 'user',
        problem: expect.stringContaining('must be an object') as string,
      },
    ]);
  });

  test('reports an empty id, which no lane could name', () => {
    settings.user = { connections: { ' ': { provider: 'local-host' } } };
    expect(source.misplaced()[0]?.problem).toContain('“ ” is empty');
    expect(ids()).toEqual([]);
  });

  test('reports reserved ids', () => {
    const entry = { provider: 'local-host' };
    settings.user = { connections: { demo: entry, mine: entry } };
    settings.workspace = { connections: { 'module:1:Acme': entry } };
    expect(source.misplaced().map(({ id, scope }) => [id, scope])).toEqual([
      ['demo', 'user'],
      ['module:1:Acme', 'workspace'],
    ]);
    expect(source.misplaced()[0]?.problem).toContain('“demo” is the id of a built-in connection');
  });
});
