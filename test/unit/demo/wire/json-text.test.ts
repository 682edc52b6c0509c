import { describe, expect, test } from 'vitest';
import { readJson } from '../../../../src/demo/wire/json-text';

describe('readJson', () => {
  test.each([
    ['{"a":[1,{"b":null}]} rest', 20, { a: [1, { b: null }] }],
    ['[] []', 2, []],
    [' "a\\"b" x', 7, 'a"b'],
    ['-1.5e3,', 6, -1500],
    ['{"a":"}"}}', 9, { a: '}' }],
  ])('reads the first JSON value of %s', (text, end, value) => {
    expect(readJson(text)).toEqual({ ok: true, value, end });
  });

  test.each([
    ['', 0, 'value'],
    ['{"model": "tiny", ', 18, 'key'],
    ['{"messages": [', 14, 'value'],
    ['{"a"', 4, 'separator'],
    ['{"a":', 5, 'value'],
    ['{"a":1', 6, 'object'],
    ['[1', 2, 'array'],
    ['[tru', 4, 'value'],
    ['{"a":"b', 7, 'value'],
  ])('reports that %s ends too early, and what was expected', (text, at, state) => {
    expect(readJson(text)).toEqual({ ok: false, at, isAtEnd: true, state });
  });

  test.each([
    ["{'a':1}", 1, 'key'],
    ['{"a" 1}', 5, 'separator'],
    ['{"a":1 "b"}', 7, 'object'],
    ['[1 2]', 3, 'array'],
    ['[1,]', 3, 'value'],
    ['{"a":1,}', 7, 'key'],
    ['nope{', 0, 'value'],
  ])('reports the position of the error in %s', (text, at, state) => {
    expect(readJson(text)).toEqual({ ok: false, at, isAtEnd: false, state });
  });

  test('reads nesting deeper than the call stack', () => {
    const deep = '['.repeat(300_000);
    expect(readJson(deep)).toMatchObject({ ok: false, isAtEnd: true });
  });
});
