// The names of header fields that hold secrets stand in three places that cannot load each other; here they are held together.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { toConnection } from '../../../../src/host/connections/connection';
import { isSecretName, SECRET_NAME } from '../../../../src/library/transport/redact';
import { SECRET_NAME as OF_BOTH_SIDES } from '../../../../src/protocol';
import { fc, runs } from '../../../support/properties';

interface Manifest {
  contributes: {
    configuration:
      { properties: Record<string, SettingSchema> }[] | { properties: Record<string, SettingSchema> };
  };
}
interface SettingSchema {
  additionalProperties?: { properties?: { headers?: { propertyNames: { not: { pattern: string } } } } };
}

const manifest = JSON.parse(
  readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
) as Manifest;
const pattern = [manifest.contributes.configuration]
  .flat()
  .map(({ properties }) => properties['providerPlayground.connections'])
  .find((schema) => schema !== undefined)?.additionalProperties?.properties?.headers?.propertyNames
  .not.pattern;

/** A schema's pattern has no flags, so each letter stands in both cases. */
const inBothCases = (source: string): string =>
  source.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);

describe('the names of secret headers', () => {
  test('are the same in the checks of settings and of documents', () => {
    expect(OF_BOTH_SIDES).toEqual(SECRET_NAME);
  });

  test('are the same in the manifest’s schema of settings', () => {
    expect(pattern).toBe(inBothCases(SECRET_NAME.source));
    expect(SECRET_NAME.flags).toBe('i');
  });

  test('are judged alike by all three, in any case and with anything around them', () => {
    const words = SECRET_NAME.source.match(/[a-z]+/g) ?? [];
    const ordinary = [
      'x',
      'title',
      'http',
      'referer',
      'accept',
      'user',
      'agent',
      'organization',
      'monkeys',
      'tokens',
    ];
    const part = fc.constantFrom(...words, ...ordinary);
    const name = fc
      .array(part, { minLength: 1, maxLength: 3 })
      .chain((parts) => fc.constantFrom('-', '_', '').map((joint) => parts.join(joint)))
      .chain((text) => fc.mixedCase(fc.constant(text)));
    const schema = new RegExp(pattern ?? '', 'u');
    fc.assert(
      fc.property(name, (header) => {
        const setting = { provider: 'local-host', headers: { [header]: 'v' } };
        const isRefused = toConnection('mine', setting, 'user').problem !== undefined;
        expect([isRefused, schema.test(header)]).toEqual([isSecretName(header), isSecretName(header)]);
      }),
      { numRuns: runs(300) },
    );
  });
});
