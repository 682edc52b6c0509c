import { describe, expect, it } from 'vitest';
import { parseJson, showJson } from '../../../../webview/tools/json-field';

describe('parseJson', () => {
  it('returns the value, or an error', () => {
    expect(parseJson('{"a": [1]}')).toEqual({ value: { a: [1] } });
    expect(parseJson('{"a": ').problem).toMatch(/^This is not JSON: .+\.$/);
  });

  it('refuses what a document refuses, at any depth', () => {
    expect(parseJson('[{"__proto__": 1}]').problem).toBe('A key cannot be named `__proto__`.');
    expect(parseJson('{"constructor": 1}').problem).toBeUndefined();
    expect(parseJson(`${'['.repeat(5_000)}${']'.repeat(5_000)}`).problem).toBe(
      'This is nested more than 150 deep.',
    );
    expect(parseJson(`"${'a'.repeat(2_000_001)}"`).problem).toBe('This is longer than 2,000,000 characters.');
  });
});

describe('showJson', () => {
  it('is one line if it is short, and keeps its texts unchanged', () => {
    expect(showJson({ city: 'Oslo' })).toBe('{ "city": "Oslo" }');
    expect(showJson({ a: 'x'.repeat(80) })).toContain('\n  "a"');
    const odd = { 'a\n  b': 'c\n   d', e: '\ud800' };
    expect(JSON.parse(showJson(odd))).toEqual(odd);
  });
});
