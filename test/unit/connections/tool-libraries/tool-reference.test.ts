import { describe, expect, test } from 'vitest';
import {
  LIBRARY_PATH,
  makeReference,
  parseReference,
} from '../../../../src/connections/tool-libraries/tool-reference';
import { fc } from '../../../support/arbitrary/properties';

describe('parseReference', () => {
  test('returns library and name of any reference', () => {
    fc.assert(
      fc.property(fc.constantFrom('user', LIBRARY_PATH), fc.string({ minLength: 1 }), (library, name) => {
        const parsed = parseReference(makeReference(library, name));
        expect(parsed).toMatchObject({ library });
        expect(typeof parsed === 'string' ? [] : parsed.keys[0]).toBe(name);
      }),
    );
  });

  test('reads a name that is percent-encoded', () => {
    expect(parseReference('user#/get%20weather')).toMatchObject({ keys: ['get%20weather', 'get weather'] });
  });

  test.each([
    ['user', 'names no tool'],
    ['user#get_weather', 'names no tool'],
    ['#/a', 'does not name a library'],
    ['/etc/tools.json#/a', 'must be a relative path'],
    ['C:/tools.json#/a', 'must be a relative path'],
    ['https://example.com/tools.json#/a', 'must be a relative path'],
    ['..\\tools.json#/a', 'must be a relative path'],
    ['./tools.txt#/a', 'does not name a .json file'],
  ])('reports the error in %s', (reference, problem) => {
    expect(parseReference(reference)).toContain(problem);
  });
});
