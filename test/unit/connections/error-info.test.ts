import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Connection } from '../../../src/connections/connection';
import { ConnectionProblem } from '../../../src/connections/connection-problem';
import { toErrorInfo as describeError } from '../../../src/connections/error-info';
import type { Circumstances } from '../../../src/connections/provider-error-info';
import { editorFace } from '../../../src/host/connections/editor-face';
import type { AttemptRecord } from '../../../src/types';
import { HostedApiProvider, HttpError, ProviderError } from '../../../src/library';
import { RefusalError } from '../../../src/session';
import { ApiKeys } from '../../../src/connections/keys/api-keys';
import type { ConnectionService } from '../../../src/connections/connection-service';
import { connect } from '../../support/connections/connect';
import { startServer } from '../../support/servers/http-server';
import { FakeSecrets, settings } from '../../support/vscode/vscode-stub';

const toErrorInfo = (thrown: unknown, connection?: Connection, circumstances?: Circumstances) =>
  describeError(thrown, editorFace(), connection, circumstances);

const explanation = { what: 'What.', why: 'Why.', next: 'Next.' };
const local: Connection = {
  id: 'local',
  label: 'local',
  scope: 'user',
  setting: { provider: 'local-host' },
};
const hosted: Connection = { ...local, id: 'hosted', label: 'Hosted', setting: { provider: 'hosted-api' } };

const attempt = (fields: Partial<AttemptRecord>): AttemptRecord => ({
  attempt: 1,
  startedAt: 0,
  endMs: 1,
  endedBy: 'network',
  decision: 'stop',
  reason: '',
  ...fields,
});

describe('toErrorInfo', () => {
  test('has different titles for a connection that failed and an answer that broke off', () => {
    const refused = new ProviderError('network', explanation, {
      ledger: [attempt({ errorCode: 'ECONNREFUSED' })],
    });
    const cut = new ProviderError('network', explanation, { ledger: [attempt({ status: 200 })] });
    expect(toErrorInfo(refused, local).title).toBe('No connection to local');
    expect(toErrorInfo(cut, local).title).toBe('The answer of local broke off');
  });

  test.each([
    ['Nothing listens at that address. (ECONNREFUSED)', 'ECONNREFUSED', 'Nothing listens at that address.'],
    [
      'The stream ended without its end mark (UND_ERR_SOCKET); 2 characters had arrived.',
      'UND_ERR_SOCKET',
      'The stream ended without its end mark; 2 characters had arrived.',
    ],
    ['read EBADF (EBADF)', 'EBADF', 'The connection failed.'],
    ['The server says: ECONNREFUSED (42).', undefined, 'The server says: ECONNREFUSED (42).'],
  ])('says why without the code of the failure: %s', (why, errorCode, said) => {
    const failed = new ProviderError(
      'network',
      { ...explanation, why },
      { ledger: [attempt({ errorCode })] },
    );
    expect(toErrorInfo(failed, local).why).toBe(said);
  });

  test('names what was received instead of a reply, and no internal class', async () => {
    await using server = await startServer((_request, response) => response.end());
    const setting = { provider: 'hosted-api' as const, host: server.url };
    const provider = new HostedApiProvider({ ...setting, apiKey: 'k', retry: false });
    const chat = provider.chat({ messages: [{ role: 'user', content: 'x' }], onDelta: () => undefined });
    const thrown = await chat.catch((error: unknown) => error);
    const info = toErrorInfo(thrown, { ...hosted, setting });
    expect(info.title).toBe('Hosted answered 200 with an empty body');
    expect(info.what).toMatch(
      /^POST http:\/\/127\.0\.0\.1:\d+\/chat\/completions was answered 200 with an empty body/,
    );
    expect(info.causes).toEqual([]);
  });

  test('begins with what happened or with the connection, never with a class name', async () => {
    const what = async (text: string): Promise<string> =>
      toErrorInfo(new ProviderError('internal', { ...explanation, what: text }), local).what;
    expect(await what('LocalHostProvider: something failed.')).toBe('Something failed.');
    expect(await what('$Acme_2 cannot make embeddings.')).toBe('Local cannot make embeddings.');
    expect(await what('Acme failed while it handled the call.')).toBe(
      'Local failed while it handled the call.',
    );
    expect(await what('The run was stopped.')).toBe('The run was stopped.');
  });

  test('leaves out the partial text, which a run stores beside its error', async () => {
    const cut = new ProviderError('truncated-stream', explanation, { partial: { content: 'Let me' } });
    const info = toErrorInfo(cut, local);
    expect(info).toMatchObject({ code: 'truncated-stream', next: 'Next.' });
    expect(JSON.stringify(info)).not.toContain('Let me');
  });

  describe('of a refusal', () => {
    const startedAt = new Date(2026, 10, 28, 12).getTime();
    const refuse = (status: number, details: object = {}) =>
      new HttpError(status, 'no', explanation, { ledger: [attempt({ status, startedAt })], ...details });
    const keyless = { ...hosted, setting: { provider: 'hosted-api' as const, auth: 'none' as const } };
    const given = (givenAt?: number) => ({ key: { givenAt, isSessionOnly: false } });

    beforeEach(() => void vi.setSystemTime(startedAt + 1_000));
    afterEach(() => void vi.useRealTimers());

    test.each([
      ['today', startedAt - 60_000, 'the key that was set today'],
      [
        'on another day',
        startedAt - 86_400_000,
        `the key that was set on ${new Date(2026, 10, 27).toLocaleDateString()}`,
      ],
      ['at an unknown time', undefined, 'the key'],
    ])('says of a key that was set %s that the server refused it', (_when, givenAt, named) => {
      expect(toErrorInfo(refuse(401), hosted, given(givenAt))).toMatchObject({
        title: 'Hosted refused the key',
        why: `The server refused ${named}. Why.`,
        next: 'Set another one.',
        isKeyWanted: true,
      });
      // A key may be right, and have no right to this.
      expect(toErrorInfo(refuse(403), hosted, given(givenAt))).toMatchObject({
        why: `The server does not allow this with ${named}. Why.`,
        next: 'Next. Or set another one.',
        isKeyWanted: true,
      });
    });

    test('does not blame the key that was set after the request was sent', () => {
      expect(toErrorInfo(refuse(401), hosted, given(startedAt + 500))).toMatchObject({
        why: 'The server refused a key that was replaced since. Why.',
        next: 'Try again with the new one.',
      });
    });

    test('says that the server needs a key when none was sent', () => {
      expect(toErrorInfo(refuse(401), keyless)).toMatchObject({
        title: 'Hosted needs a key',
        why: 'It was sent without a key. Why.',
        next: 'Use Set API Key.',
        isKeyWanted: true,
      });
      expect(toErrorInfo(refuse(403), keyless)).toMatchObject({
        title: 'Hosted answered with an error',
        next: 'Next. If it needs a key, use Set API Key.',
        isKeyWanted: true,
      });
    });

    test('names the secret headers where they were sent instead of a key', () => {
      expect(toErrorInfo(refuse(401), keyless, { headers: ['x-gate'] })).toMatchObject({
        title: 'Hosted answered with an error',
        next: 'Set the secret header x-gate again, or use Set API Key.',
      });
    });

    test('offers no key to a connection whose protocol has none', () => {
      const info = toErrorInfo(refuse(401), local);
      expect(info.next).toMatch(/sends no key\. .* as a hosted connection/);
      expect(info).not.toHaveProperty('isKeyWanted');
    });

    test('says nothing of the key where the words of the server name another cause', () => {
      const serverWords = { id: 'x', cause: 'quota', quote: 'x', parts: {} } as const;
      const info = toErrorInfo(refuse(403, { serverWords }), hosted, given(1));
      expect(info).toMatchObject({ why: 'Why.', next: 'Next.' });
      expect(info).not.toHaveProperty('isKeyWanted');
    });
  });

  test('says that nothing was sent when a key is missing', async () => {
    const problem = new ConnectionProblem('key', 'Hosted needs an API key.');
    expect(toErrorInfo(problem)).toMatchObject({ code: 'connection-key', why: 'Nothing was sent.' });
  });

  test('keeps the texts of a refused command', async () => {
    const info = { code: 'refused', title: 'Not now', what: 'What.', why: '', next: 'Next.' };
    expect(toErrorInfo(new RefusalError(info))).toEqual(info);
  });

  test('reports any other error as internal, with its message', async () => {
    expect(toErrorInfo(new TypeError('x is no function'))).toMatchObject({
      code: 'internal',
      why: 'x is no function',
    });
  });
});

describe('ConnectionService.explain', () => {
  const lines: string[] = [];
  const log = { error: (line: string) => void lines.push(line) };
  let connections: ConnectionService;
  beforeEach(async () => {
    lines.length = 0;
    settings.user = { connections: { own: { provider: 'hosted-api', host: 'https://own.example/v1' } } };
    const keys = new ApiKeys(new FakeSecrets());
    connections = connect(keys, undefined, undefined, log);
    await keys.set('own', 'https://own.example', 'canary-0123456789');
    // Only secrets that were read are known.
    expect(await connections.hasKey(connections.find('own'))).toBe(true);
  });

  test('logs an internal error with its stack, and redacts keys everywhere', async () => {
    const info = await connections.explain(new Error('401 for canary-0123456789'));
    expect(info).toMatchObject({ code: 'internal', why: `401 for ${'*'.repeat(17)}` });
    expect(lines[0]).toMatch(/^Error: 401 for \*{17}\n\s+at /);
  });

  test('logs an internal error of the library with the stack of its cause', async () => {
    const cause = new TypeError('x is no function at canary-0123456789');
    const info = await connections.explain(new ProviderError('internal', explanation, { cause }), local);
    expect(info).toMatchObject({ code: 'internal', title: 'Something in Provider Playground failed' });
    expect(info.next).toContain('Check the log');
    expect(lines[0]).toMatch(/caused by TypeError: x is no function at \*{17}\n\s+at /);
  });

  test('does not log errors that are expected', async () => {
    await connections.explain(new ConnectionProblem('key', 'It needs a key.'));
    await connections.explain(new ProviderError('network', explanation, {}));
    await connections.explain(new RefusalError({ title: 'Not now', what: 'What.', why: '', next: 'Next.' }));
    expect(lines).toEqual([]);
  });

  test.each([
    ['null without a prototype', Object.create(null)],
    [
      'an error whose fields throw',
      Object.defineProperty(new Error('x'), 'message', {
        get: () => {
          throw new Error('boo');
        },
      }),
    ],
  ])('has a message for %s', async (_, thrown) => {
    expect(await connections.explain(thrown)).toMatchObject({ why: 'The thrown value cannot be read.' });
  });
});
