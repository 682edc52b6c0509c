import { describe, expect, test } from 'vitest';
import * as engine from '../../../../src/host/engine';
import { connectionSettingSchema } from '../../../../src/connections/connection';
import { checkHost } from '../../../../src/host/connections-view/check-host';
import { LOCAL_SERVERS } from '../../../../src/host/connections-view/local-servers';
import { PLACEHOLDER, PRESETS } from '../../../../src/host/connections-view/presets';
import { safeParse } from 'valibot';
import { InputBoxValidationSeverity } from '../../../support/vscode-views';

describe('PRESETS', () => {
  test.each(PRESETS.map((preset) => [preset.label, preset] as const))(
    '%s is a valid setting with a source',
    (_, { setting, source }) => {
      expect(safeParse(connectionSettingSchema(), setting).success).toBe(true);
      expect(new URL(source).protocol).toBe('https:');
      const host = setting.host?.replace(PLACEHOLDER, 'mine') ?? '';
      expect(checkHost(engine, setting.provider, host)).toBeUndefined();
    },
  );

  test('have unique names, and the local ones are those that are discovered', () => {
    const labels = PRESETS.map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
    const local = PRESETS.filter(({ kind }) => kind === 'local');
    expect(local.map(({ label, setting }) => [label, setting.host])).toEqual(
      LOCAL_SERVERS.map(({ label, host }) => [label, host]),
    );
  });
});

describe('checkHost', () => {
  const check = (provider: 'local-host' | 'hosted-api', host: string): unknown =>
    checkHost(engine, provider, host);

  test.each([
    ['local-host', '', /must be an address/],
    [
      'local-host',
      'localhost:11434',
      /^Host must begin with http.* did you mean http:\/\/localhost:11434 here\?/,
    ],
    ['local-host', 'http://127.0.0.1:11434/v1', /must not end in \/v1/],
    ['hosted-api', 'https://me:secret@host.example/v1', /must not contain a user name or a password/],
    ['hosted-api', `https://${PLACEHOLDER}.openai.azure.com/openai/v1`, /name of your resource/],
  ] as const)('%s: “%s” is refused with the message of the library', (provider, host, words) => {
    expect(check(provider, host)).toMatch(words);
    expect(check(provider, host)).not.toContain('secret');
  });

  test('a key in the address is refused, and other parameters are not', () => {
    const words = check('hosted-api', 'https://host.example/v1?api_key=canary');
    expect(words).toMatch(/^Leave the key out of the address.*Set Secret Header/);
    expect(words).not.toContain('canary');
    expect(check('hosted-api', 'https://host.example/v1?api-version=2&key=')).toBeUndefined();
  });

  test('warns of unencrypted requests, except to this machine', () => {
    expect(check('hosted-api', 'http://host.example/v1')).toMatchObject({
      severity: InputBoxValidationSeverity.Warning,
      message: expect.stringContaining('http://host.example') as string,
    });
    expect(check('hosted-api', 'http://localhost:8080/v1')).toBeUndefined();
  });

  test.each([
    ['https://host.example/v1/chat/completions', '/chat/completions'],
    ['https://host.example/v1/models/', '/models'],
    ['http://host.example/v1/embeddings', '/embeddings'],
    ['https://host.example/v1/v1/', '/v1'],
  ])('warns of a path that is too long, but accepts it: %s', (host, excess) => {
    expect(check('hosted-api', host)).toEqual({
      severity: InputBoxValidationSeverity.Warning,
      message: `Leave out ${excess}: requests add their own path, such as /chat/completions.`,
    });
  });

  test.each(['https://host.example/v1/v2', 'https://host.example/models/v1', 'https://models.example/v1'])(
    'does not warn of %s',
    (host) => expect(check('hosted-api', host)).toBeUndefined(),
  );

  test('hints at a missing path, but accepts it', () => {
    expect(check('hosted-api', 'https://host.example/')).toMatchObject({
      severity: InputBoxValidationSeverity.Info,
    });
  });
});
