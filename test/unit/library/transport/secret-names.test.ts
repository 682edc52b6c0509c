// The names of headers that hold secrets are defined in three places that cannot import each other; these tests keep them
// equal.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { toConnection } from '../../../../src/connections/connection';
import { editorFace } from '../../../../src/host/connections/editor-face';
import { isSecretName, SECRET_NAME } from '../../../../src/library/transport/redact/redact';
import { SECRET_NAME as OF_BOTH_SIDES } from '../../../../src/protocol';
import { fc, runs } from '../../../support/arbitrary/properties';

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

/** Both cases of each letter, because a pattern in a JSON schema has no flags. */
const inBothCases = (source: string): string =>
  source.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);

describe('the names of secret headers', () => {
  test('are equal in the checks of settings and of documents', () => {
    expect(OF_BOTH_SIDES).toEqual(SECRET_NAME);
  });

  test('are equal in the manifest’s schema of settings', () => {
    expect(pattern).toBe(inBothCases(SECRET_NAME.source));
    expect(SECRET_NAME.flags).toBe('i');
  });

  test('are recognized by all three, in any case and with any neighbours', () => {
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
        const isRefused = toConnection('mine', setting, 'user', editorFace()).problem !== undefined;
        expect([isRefused, schema.test(header)]).toEqual([isSecretName(header), isSecretName(header)]);
      }),
      { numRuns: runs(300) },
    );
  });
});
