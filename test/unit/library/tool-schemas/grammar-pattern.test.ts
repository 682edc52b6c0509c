import { describe, expect, test } from 'vitest';
import {
  anchorPattern,
  isAnchored,
  rewriteEscapes,
} from '../../../../src/library/tool-schemas/grammar-pattern';
import { fc } from '../../../support/arbitrary/properties';

describe('rewriteEscapes', () => {
  test.each([
    ['^\\d{2}:\\d{2}$', '^[0-9]{2}:[0-9]{2}$'],
    ['^\\w+\\S$', '^[A-Za-z0-9_]+[^ \\t\\r\\n]$'],
    ['^[\\w.\\-/]+$', '^[A-Za-z0-9_.\\x2D/]+$'],
    ['^https:\\/\\/[\\^\\.]$', '^https://[\\x5E.]$'],
    ['^\\f\\0$', '^\\x0C\\x00$'],
    ['^a\\.b\\\\\\u0041\\n\\[$', '^a\\.b\\\\\\u0041\\n\\[$'],
    ['', ''],
  ])('writes %j as %j', (pattern, expected) => {
    expect(rewriteEscapes(pattern)).toBe(expected);
  });

  test.each(['\\bword\\b', '(a)\\1', '[\\D]', '\\p{L}', '\\k<n>'])('has no other form for %j', (pattern) => {
    expect(rewriteEscapes(pattern)).toBeUndefined();
  });
});

describe('anchorPattern', () => {
  test.each([
    ['[a-z]+', '^.*[a-z]+.*$'],
    ['a|b', '^.*(a|b).*$'],
    ['^https?:', '^https?:.*$'],
    ['\\.md$', '^.*\\.md$'],
    ['[|$^]', '^.*[|$^].*$'],
    ['a\\$', '^.*a\\$.*$'],
  ])('writes %j as %j', (pattern, expected) => {
    expect(anchorPattern(pattern)).toBe(expected);
  });

  test.each(['', '^', '^a|b', 'a|b$', '(^a|b)', 'a$b'])('has no such form for %j', (pattern) => {
    expect(anchorPattern(pattern)).toBeUndefined();
  });

  const part = fc.constantFrom(
    'a',
    'b',
    '.',
    '\\d',
    '\\w',
    '\\s',
    '[^a\\d]',
    '[\\w-]',
    '\\.',
    '\\/',
    '(a|b)',
    '|',
  );
  const pattern = fc
    .tuple(fc.constantFrom('', '^'), fc.array(part, { maxLength: 5 }), fc.constantFrom('', '$'))
    .map(([start, parts, end]) => start + parts.join('') + end);
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', ' ', '.', '/', '-', '|'), maxLength: 6 });

  test('matches the same texts as before', () => {
    fc.assert(
      fc.property(pattern, text, (given, tried) => {
        const known = rewriteEscapes(given);
        if (known === undefined) return;
        expect(new RegExp(known).test(tried)).toBe(new RegExp(given).test(tried));
        const anchored = isAnchored(known) ? known : anchorPattern(known);
        if (anchored === undefined) return;
        expect(isAnchored(anchored)).toBe(true);
        expect(new RegExp(anchored).test(tried)).toBe(new RegExp(given).test(tried));
      }),
    );
  });
});
