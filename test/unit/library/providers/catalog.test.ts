import { describe, expect, test } from 'vitest';
import { PROVIDER_CATALOG } from '../../../../src/library';

describe('PROVIDER_CATALOG', () => {
  test('is deeply frozen, because a replaced `create` would receive keys', () => {
    expect(PROVIDER_CATALOG.length).toBeGreaterThan(1);
    for (const entry of PROVIDER_CATALOG) {
      for (const part of [PROVIDER_CATALOG, entry, entry.defaults, entry.samplingKeys])
        expect(Object.isFrozen(part)).toBe(true);
    }
  });

  test.each([undefined, null, 'key', ['key']])('refuses the credentials %j', (credentials) => {
    for (const { create } of PROVIDER_CATALOG)
      expect(() => create(credentials as object)).toThrow(
        expect.objectContaining({ code: 'invalid-options', field: 'credentials' }),
      );
  });
});
