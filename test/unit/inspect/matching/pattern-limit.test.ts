import { describe, expect, test } from 'vitest';
import { patternLimit } from '../../../../src/inspect/matching/pattern-limit';
import { computedMsSince } from '../../../support/computed-ms';

const SAFE = [
  '',
  '^.*$',
  '^[a-z]+$',
  '^\\d{4}-\\d{2}-\\d{2}$',
  '^(\\d{1,3}\\.){3}\\d{1,3}$',
  '^(?:[01]\\d|2[0-3]):[0-5]\\d$',
  '^#([0-9a-f]{3}|[0-9a-f]{6})$',
  '^\\p{L}\\u{1F600}\\x41\\cA(?<name>a)\\k<name>\\1[\\]\\\\a-]?(?!b)(?<=c)$',
];
const QUADRATIC = [
  '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$',
  '^[a-z0-9]+(-[a-z0-9]+)*$',
  '^([\\w-]+\\.)+[a-z]{2,}$',
  '^[A-Z][a-z]+(?: [A-Z][a-z]+)*$',
  '^(?=.*[A-Z])(?=.*\\d).{8,}$',
  '^(foo|bar)(,(foo|bar))*$',
];
const HOSTILE = [
  '^(a+)+$',
  '(a*)*b',
  '^(a|a)*$',
  '^(a|ab|b)*c',
  '^(a?){60}$',
  '(x+x+)+y',
  '^(.*a){20}$',
  '^(-a*a*)*$',
  '^(-[^b]*)*$',
  '^(a*b?)*$',
  '^(?:(?:a+)+)+$',
  '^(?<n>a+)*\\k<n>$',
  'a*a*a*a*a*b',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  `^${'(a|b)?'.repeat(60)}$`,
  'a'.repeat(1_001),
];

describe('patternLimit', () => {
  test.each(SAFE)('permits %s for up to 1,000 characters', (pattern) => {
    expect(patternLimit(pattern)).toBe(1_000);
  });

  test.each(QUADRATIC)('permits %s for short texts only', (pattern) => {
    expect(patternLimit(pattern)).toBeGreaterThanOrEqual(40);
    expect(patternLimit(pattern)).toBeLessThan(1_000);
  });

  test.each(HOSTILE)('permits %s for no text', (pattern) => {
    expect(patternLimit(pattern)).toBeUndefined();
  });

  test('permits only lengths that are tested within a second', () => {
    for (const pattern of [...SAFE, ...QUADRATIC]) {
      const expression = new RegExp(pattern, 'u');
      const limit = patternLimit(pattern) ?? 0;
      for (const part of ['a', 'Aa ', 'a-', 'a.', 'a@a.', '1.', 'foo,', '-', ' ']) {
        const text = `${part.repeat(limit).slice(0, limit - 1)}\u0001`;
        const start = process.cpuUsage();
        expression.test(text);
        expect(computedMsSince(start), `${pattern} on ${part}`).toBeLessThan(1_000);
      }
    }
  });

  test('analyses a pattern of a thousand characters quickly', () => {
    for (const part of ['(', '((a)*)*', '(a-)*', '[a]', '\\p{L}', 'a{1,9}', '|']) {
      const start = process.cpuUsage();
      patternLimit(part.repeat(1_000 / part.length));
      expect(computedMsSince(start)).toBeLessThan(1_000);
    }
  });
});
