import { describe, expect, test } from 'vitest';
import * as engine from '../../../../../src/host/engine';
import { connectionSettingSchema } from '../../../../../src/connections/connection';
import { checkHost } from '../../../../../src/host/connections-view/wizard/check-host';
import { localServersOf } from '../../../../../src/connections/local-servers';
import { othersOf, presetsOf, settingOfOther } from '../../../../../src/host/connections-view/wizard/presets';
import { HOST_PLACEHOLDER, PROVIDER_CATALOG } from '../../../../../src/library';
import { safeParse } from 'valibot';
import { InputBoxValidationSeverity } from '../../../../support/vscode/vscode-views';

const PRESETS = presetsOf(PROVIDER_CATALOG);

describe('presetsOf', () => {
  test.each(PRESETS.map((preset) => [preset.label, preset] as const))(
    '%s is a valid setting with an acceptable address',
    (_, { setting }) => {
      expect(safeParse(connectionSettingSchema(), setting).success).toBe(true);
      const host = setting.host?.replace(HOST_PLACEHOLDER, 'mine') ?? '';
      expect(checkHost(engine, setting.provider, host)).toBeUndefined();
    },
  );

  test('have unique names and a source, and the local ones are those that are discovered, in other protocols too', () => {
    const labels = PRESETS.map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
    for (const { source } of PROVIDER_CATALOG.flatMap(({ servers }) => servers))
      expect(new URL(source).protocol).toBe('https:');
    const found = localServersOf(PROVIDER_CATALOG);
    const local = PRESETS.filter(({ kind }) => kind === 'local');
    expect(local.slice(0, found.length).map(({ label, setting }) => [label, setting.host])).toEqual(
      found.map(({ label, host }) => [label, host]),
    );
    const places = ({ label, host = '' }: { label: string; host?: string | undefined }): string =>
      `${label.replace(/ \((?:Messages|Responses) API\)$/, '')} ${new URL(host).origin}`;
    const others = local
      .slice(found.length)
      .map(({ label, setting }) => places({ label, host: setting.host }));
    expect(others.toSorted()).toEqual([...found, ...found].map(places).toSorted());
  });
});

describe('settingOfOther', () => {
  test('is the usual protocol, without a key on this machine', () => {
    expect(settingOfOther(PROVIDER_CATALOG, 'local')).toEqual({ provider: 'hosted-api', auth: 'none' });
    expect(settingOfOther(PROVIDER_CATALOG, 'hosted')).toEqual({ provider: 'hosted-api' });
  });

  test('comes first, and can be each protocol of which a server may be anywhere', () => {
    const settings = othersOf(PROVIDER_CATALOG, 'local').map(({ setting }) => setting);
    expect(settings).toEqual(
      ['hosted-api', 'messages-api', 'responses-api'].map((provider) => ({ provider, auth: 'none' })),
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
    ['hosted-api', `https://${HOST_PLACEHOLDER}.openai.azure.com/openai/v1`, /name of your resource/],
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
