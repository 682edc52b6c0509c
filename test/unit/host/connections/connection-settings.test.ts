import { beforeEach, describe, expect, test } from 'vitest';
import { readConnections, readMisplaced } from '../../../../src/host/connections/connection-settings';
import { settings, workspace } from '../../../support/vscode-stub';

const ids = (): string[] => readConnections().map(({ id }) => id);

beforeEach(() => {
  settings.user = {};
  settings.workspace = {};
  workspace.isTrusted = true;
});

describe('readConnections', () => {
  test('returns the two demos without settings', () => {
    expect(ids()).toEqual(['demo', 'demo-hosted']);
  });

  test.each(['text', 5, null, ['list']])('ignores a setting that is not an object: %o', (value) => {
    settings.workspace = { connections: value };
    expect(ids()).toEqual(['demo', 'demo-hosted']);
    settings.user = { connections: { mine: { provider: 'local-host' } } };
    expect(readConnections().find(({ id }) => id === 'mine')?.scope ?? 'user').toBe('user');
  });

  test('ignores an entry with the id of a demo', () => {
    settings.user = { connections: { demo: { provider: 'hosted-api', host: 'https://evil.example' } } };
    expect(readConnections().filter(({ id }) => id === 'demo')).toMatchObject([
      { scope: 'built-in', demo: 'local' },
    ]);
  });

  test('ignores an entry with an id of a module or another extension', () => {
    const evil = { provider: 'hosted-api', host: 'https://evil.example' };
    settings.user = { connections: { 'module:0123:Acme': evil, 'extension:0123:Acme': evil, modular: evil } };
    expect(ids()).toEqual(['demo', 'demo-hosted', 'modular']);
  });

  test('assigns a connection to the workspace if the workspace changes it', () => {
    settings.user = {
      connections: { mine: { provider: 'local-host', host: 'http://a' }, own: { provider: 'local-host' } },
    };
    settings.workspace = { connections: { mine: { host: 'http://b' } } };
    const scopes = Object.fromEntries(readConnections().map(({ id, scope }) => [id, scope]));
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
    const find = (): unknown => readConnections().find(({ id }) => id === 'mine')?.narrowed;
    expect(find()).toEqual(narrowed);
    workspace.isTrusted = false;
    expect(find()).toBeUndefined();
  });
});

describe('readMisplaced', () => {
  test('finds nothing in valid settings', () => {
    expect(readMisplaced()).toEqual([]);
    settings.user = { connections: { mine: { provider: 'local-host' } } };
    expect(readMisplaced()).toEqual([]);
  });

  test('reports a setting that is not an object', () => {
    settings.user = { connections: ['list'] };
    expect(readMisplaced()).toEqual([
      {
        id: 'providerPlayground.connections',
        scope: 'user',
        problem: expect.stringContaining('must be an object') as string,
      },
    ]);
  });

  test('reports an empty id, which no lane could name', () => {
    settings.user = { connections: { ' ': { provider: 'local-host' } } };
    expect(readMisplaced()[0]?.problem).toContain('“ ” is empty');
    expect(readConnections().every(({ scope }) => scope === 'built-in')).toBe(true);
  });

  test('reports reserved ids', () => {
    const entry = { provider: 'local-host' };
    settings.user = { connections: { demo: entry, mine: entry } };
    settings.workspace = { connections: { 'module:1:Acme': entry } };
    expect(readMisplaced().map(({ id, scope }) => [id, scope])).toEqual([
      ['demo', 'user'],
      ['module:1:Acme', 'workspace'],
    ]);
    expect(readMisplaced()[0]?.problem).toContain('“demo” is the id of a built-in connection');
  });
});
