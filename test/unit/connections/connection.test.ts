import { describe, expect, test } from 'vitest';
import type { HostedApiCredentials, LocalHostCredentials } from '../../../src/library';
import { isSecretName } from '../../../src/library';
import { connectionSettingSchema, toConnection as readConnection } from '../../../src/connections/connection';
import { isLoopback, originOf } from '../../../src/connections/origin';
import { editorFace } from '../../../src/host/connections/editor-face';

const toConnection = (id: string, entry: unknown) => readConnection(id, entry, 'user', editorFace());

describe('toConnection', () => {
  test('keeps a complete entry unchanged', () => {
    const entry = {
      label: 'Mine',
      provider: 'hosted-api',
      host: 'https://host.example/v1',
      retry: { timeoutMs: 5 },
    };
    expect(toConnection('mine', entry)).toEqual({
      id: 'mine',
      label: 'Mine',
      scope: 'user',
      setting: entry,
    });
  });

  /** Fields that no provider is given. */
  const OWN_FIELDS = ['label', 'provider', 'offerToChat', 'chatRawOptions'];

  test('has a field for every option of a provider except keys and network', () => {
    const credentials: Record<
      Exclude<keyof LocalHostCredentials | keyof HostedApiCredentials, 'apiKey' | 'network'>,
      true
    > = {
      auth: true,
      costPer1kTokens: true,
      embedModel: true,
      headers: true,
      host: true,
      model: true,
      raw: true,
      rescueToolCalls: true,
      retry: true,
      sampling: true,
      tokenLimitKey: true,
    };
    const fields = Object.keys(connectionSettingSchema().entries).filter(
      (name) => !OWN_FIELDS.includes(name),
    );
    expect(fields.toSorted()).toEqual(Object.keys(credentials).toSorted());
  });

  test.each([
    [{ provider: 'local-host', model: '' }, 'mine.model'],
    [{ provider: 'local-host', sampling: { temperature: 'hot' } }, 'mine.sampling.temperature'],
    [{ provider: 'local-host', sampling: { stop: 'x' } }, 'mine.sampling.stop'],
    [{ provider: 'local-host', sampling: { heat: 1 } }, 'mine.sampling.heat'],
    [{ provider: 'local-host', costPer1kTokens: { input: -1, output: 0 } }, 'mine.costPer1kTokens.input'],
    [{ provider: 'other' }, 'mine.provider'],
    [{ provider: 'local-host', host: 5 }, 'mine.host'],
    [{ provider: 'local-host', apiKey: 'k' }, 'mine.apiKey'],
    ['text', 'mine'],
    [{ provider: 'local-host', model: ' ' }, 'mine.model'],
    [{ provider: 'local-host', retry: { timeoutMs: '1' } }, 'mine.retry.timeoutMs'],
    [{ provider: 'local-host', retry: 5 }, 'mine.retry'],
    [null, 'mine'],
  ])('turns an invalid entry into a connection with an error that names the place: %o', (entry, place) => {
    const { problem, id } = toConnection('mine', entry);
    expect(id).toBe('mine');
    expect(problem).toContain(`In providerPlayground.connections, ${place}: `);
  });

  test('names the choices in words', () => {
    const { problem } = toConnection('mine', { provider: 'ollama' });
    expect(problem).toMatch(
      /, mine\.provider: one of local-host, hosted-api, messages-api, responses-api is expected\.$/,
    );
  });

  test.each(['Authorization', 'x-api-key', 'API-KEY', 'Cookie', 'proxy-authorization'])(
    'refuses a header %s without repeating its value',
    (name) => {
      const { problem } = toConnection('m', { provider: 'local-host', headers: { [name]: 'hidden-value' } });
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
    [{ provider: 'local-host', host: 'http://me:canary@host' }, 'must not be in an address'],
    [{ provider: 'hosted-api', host: 'https://host/v1?api_key=canary' }, 'a key must not be in an address'],
    [
      { provider: 'hosted-api', host: 'https://host/v1?v=2&subscription-key=canary' },
      'use Set API Key, or Set Secret Header',
    ],
    [{ provider: 'local-host', retry: { maxAttempts: 0 } }, 'retry'],
    ['canary', 'mine'],
  ])('names the place and never the value: %o', (entry, words) => {
    const { problem } = toConnection('mine', entry);
    expect(problem).toContain(words);
    expect(problem).not.toContain('canary');
  });

  test.each([
    ['a switch', true],
    ['a number', 4],
  ])('calls no unknown field a secret that is %s', (_, value) => {
    const { problem } = toConnection('mine', { provider: 'local-host', needsKey: value });
    expect(problem).toBe('In providerPlayground.connections, mine.needsKey: there is no such field.');
  });

  test('is set for exactly the headers that redaction treats as secrets', () => {
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
      const { problem } = toConnection('m', { provider: 'local-host', headers: { [name]: 'v' } });
      expect([name, problem !== undefined]).toEqual([name, isSecretName(name)]);
    }
  });
});

describe('originOf', () => {
  test('consists of scheme, host and port', () => {
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
  test('recognizes this machine by its names', () => {
    const origins = ['http://localhost:1', 'http://127.0.0.1', 'http://127.1.2.3', 'http://[::1]:8'];
    expect(origins.map(isLoopback)).toEqual([true, true, true, true]);
    expect(
      ['http://localhost.evil.example', 'http://10.0.0.1', 'http://1270.example'].map(isLoopback),
    ).toEqual([false, false, false]);
  });
});
