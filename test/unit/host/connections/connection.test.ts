import { describe, expect, test } from 'vitest';
import { isSecretName } from '../../../../src/library';
import { isLoopback, originOf, toConnection } from '../../../../src/host/connections/connection';

describe('toConnection', () => {
  test('takes a whole entry as it is', () => {
    const entry = {
      label: 'Mine',
      provider: 'hosted-api',
      host: 'https://host.example/v1',
      retry: { timeoutMs: 5 },
    };
    expect(toConnection('mine', entry, 'user')).toEqual({
      id: 'mine',
      label: 'Mine',
      scope: 'user',
      setting: entry,
    });
  });

  test.each([
    [{ provider: 'other' }, 'mine.provider'],
    [{ provider: 'local-host', host: 5 }, 'mine.host'],
    [{ provider: 'local-host', apiKey: 'k' }, 'mine.apiKey'],
    ['text', 'mine'],
    [null, 'mine'],
  ])('an entry that is wrong becomes a connection that says where: %o', (entry, place) => {
    const { problem, id } = toConnection('mine', entry, 'user');
    expect(id).toBe('mine');
    expect(problem).toContain(`In providerPlayground.connections, ${place}: `);
  });

  test.each(['Authorization', 'x-api-key', 'API-KEY', 'Cookie', 'proxy-authorization'])(
    'a header %s is refused, and the message does not repeat its value',
    (name) => {
      const { problem } = toConnection(
        'm',
        { provider: 'local-host', headers: { [name]: 'hidden-value' } },
        'user',
      );
      expect(problem).toContain('holds a secret');
      expect(problem).not.toContain('hidden-value');
    },
  );
});

describe('the problem of an entry', () => {
  test.each([
    [{ provider: 'hosted-api', headers: 'Authorization: Bearer canary' }, 'headers'],
    [{ provider: 'hosted-api', auth: 'canary' }, 'auth'],
    [{ provider: 'canary' }, 'provider'],
    [{ provider: 'local-host', apiKey: 'canary' }, 'use Set API Key'],
    [{ provider: 'local-host', host: 'http://me:canary@host' }, 'do not belong into an address'],
    [{ provider: 'local-host', retry: { maxAttempts: 0 } }, 'retry'],
    ['canary', 'mine'],
  ])('names the place and never the value: %o', (entry, words) => {
    const { problem } = toConnection('mine', entry, 'user');
    expect(problem).toContain(words);
    expect(problem).not.toContain('canary');
  });

  test('refuses the headers that the redaction takes for secrets, and no other', () => {
    const names = [
      'authorization',
      'x-goog-api-key',
      'x-auth-token',
      'ocp-apim-subscription-key',
      'cookie',
      'x-title',
      'http-referer',
      'accept',
    ];
    for (const name of names) {
      const { problem } = toConnection('m', { provider: 'local-host', headers: { [name]: 'v' } }, 'user');
      expect([name, problem !== undefined]).toEqual([name, isSecretName(name)]);
    }
  });
});

describe('originOf', () => {
  test('is scheme, host and port', () => {
    expect(originOf('https://API.example:443/v1?x=1')).toBe('https://api.example');
    expect(originOf('http://127.0.0.1:8080/v1')).toBe('http://127.0.0.1:8080');
    expect([originOf('localhost:1'), originOf(undefined), originOf('file:///x')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('isLoopback', () => {
  test('knows this machine by its names', () => {
    const origins = ['http://localhost:1', 'http://127.0.0.1', 'http://127.1.2.3', 'http://[::1]:8'];
    expect(origins.map(isLoopback)).toEqual([true, true, true, true]);
    expect(
      ['http://localhost.evil.example', 'http://10.0.0.1', 'http://1270.example'].map(isLoopback),
    ).toEqual([false, false, false]);
  });
});
