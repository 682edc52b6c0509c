import { describe, expect, test } from 'vitest';
import { formatJson } from '../../../../src/inspect';
import { fc, runs } from '../../../support/arbitrary/properties';

describe('formatJson', () => {
  test('writes every value as received', () => {
    const text = '{"a":1.50,"a":[],"b":{},"c":[1e400,{"d":"x\\u00e9 , : {\\""}],"n":null}';
    expect(formatJson(text)).toBe(
      '{\n  "a": 1.50,\n  "a": [],\n  "b": {},\n  "c": [\n    1e400,\n    {\n      "d": "x\\u00e9 , : {\\""\n    }\n  ],\n  "n": null\n}',
    );
  });

  test('equals JSON.stringify for ordinary values', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value: unknown = JSON.parse(text);
        expect(formatJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
        expect(JSON.parse(formatJson(`\uFEFF ${text}\n`))).toEqual(value);
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('limits the indentation of short values in deep lists', () => {
    const text = `${'['.repeat(100)}${'1,'.repeat(200_000)}1${']'.repeat(100)}`;
    const formatted = formatJson(text);
    expect(formatted.length).toBeLessThan(text.length * 12);
    expect(formatted.replaceAll(/\s/g, '')).toBe(text);
    const ordinary = JSON.stringify({ data: [{ embedding: Array.from({ length: 50_000 }, () => 0.01) }] });
    expect(formatJson(ordinary)).toBe(JSON.stringify(JSON.parse(ordinary), null, 2));
  });

  test('stops at a length, with one token more at most', () => {
    const text = `[${'"ab",'.repeat(100_000)}1]`;
    const whole = formatJson(text);
    const begun = formatJson(text, 1_000);
    expect(begun.length).toBeGreaterThan(1_000);
    expect(begun.length).toBeLessThan(1_010);
    expect(whole.startsWith(begun)).toBe(true);
    expect(formatJson(text, whole.length)).toBe(whole);
  });

  test('formats deep and long documents', () => {
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    expect(formatJson(deep).length).toBeLessThan(3_000_000);
    const long = JSON.stringify({ text: 'a\\"'.repeat(1_000_000) });
    expect(JSON.parse(formatJson(long))).toEqual(JSON.parse(long));
  });
});
