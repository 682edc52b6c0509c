import { describe, expect, it } from 'vitest';
import { decodeJsonText, readJson } from '../../../../../src/library/rescue/json/read-json';
import { readTolerant } from '../../../../../src/library/rescue/json/tolerant-reader';
import { TextSource } from '../../../../../src/library/rescue/core/rescue-context';
import { createRandom } from '../../../../support/arbitrary/random';
import type { Random } from '../../../../support/arbitrary/random';
import { kindsOf } from '../rescue-fixtures';

const read = (text: string) => {
  const { value, end, repairs, failure } = readJson(new TextSource(text), 0);
  return { value, end, repairs: kindsOf(repairs), failure };
};

const WORDS = [
  '',
  'Ghent',
  'a "b" c',
  "L'Aquila",
  'C:\\work',
  'x\ny\t',
  '“ok”',
  '{"a": 1}',
  '</tool_call>',
  '```',
  '😀',
  '\u2028',
];

function writeValue(random: Random, depth: number): unknown {
  const kind = random.below(depth > 3 ? 4 : 6);
  if (kind === 0) return random.pick(WORDS);
  if (kind === 1) return random.pick([0, -1, 3.25, 1e21, -2e-7, 9_007_199_254_740_991]);
  if (kind === 2) return random.pick([true, false]);
  if (kind === 3) return null;
  const items = Array.from({ length: random.below(4) }, () => writeValue(random, depth + 1));
  return kind === 4
    ? items
    : Object.fromEntries(items.map((item, index) => [`${random.pick(WORDS)}${index}`, item]));
}

describe('readJson', () => {
  it('reads any valid JSON, with the fast reader and with the tolerant one', () => {
    for (let seed = 0; seed < 500; seed += 1) {
      const value = [writeValue(createRandom(seed), 0)];
      const text = JSON.stringify(value, null, seed % 3);
      const readings = [readJson(new TextSource(text), 0), readTolerant(new TextSource(text), 0)];
      for (const reading of readings) expect(reading).toMatchObject({ value, end: text.length, repairs: [] });
    }
  });

  it('ends where the value ends', () => {
    expect(read('{"a": "}"} and more')).toMatchObject({ value: { a: '}' }, end: 10 });
  });

  it.each([
    ['trailing-comma', '{"a": [1, 2,],}', { a: [1, 2] }],
    ['single-quotes', "{'a': 'L'Aquila'}", { a: "L'Aquila" }],
    ['smart-quotes', '{“a”: “x "y" z”}', { a: 'x "y" z' }],
    ['python-literal', '{"a": [True, False, None]}', { a: [true, false, null] }],
    ['unquoted-key', '{a: 1, b_c: 2}', { a: 1, b_c: 2 }],
    ['control-char', '{"a": "x\ny\t"}', { a: 'x\ny\t' }],
    ['bad-escape', '{"a": "x:\\\\y \\d \\\'q\\\'"}', { a: "x:\\y \\d 'q'" }],
    ['bad-escape', '{"a": "C:\\Users\\tom"}', { a: 'C:\\Users\\tom' }],
    ['bad-escape', '{"a": "print("hi")"}', { a: 'print("hi")' }],
    ['comment', '{"a": 1, // one\n /* two */ "b": "//"}', { a: 1, b: '//' }],
    ['missing-comma', '{"a": "x" "b": [{} {}]}', { a: 'x', b: [{}, {}] }],
    ['missing-closer', '{"name": "f", "arguments": {"a": 1}', { name: 'f', arguments: { a: 1 } }],
  ])('repairs %s in %s', (kind, text, value) => {
    const reading = read(text);
    expect(reading).toMatchObject({ value, failure: undefined });
    expect(reading.repairs).toContain(kind);
  });

  it('notes where each repair was made', () => {
    const { repairs } = readJson(new TextSource('{"a": 1, }'), 0);
    expect(repairs).toEqual([{ kind: 'trailing-comma', at: 7 }]);
  });

  it.each([
    ['truncated', '{"a": "x', 'the string `a`'],
    ['truncated', '{"a": 12', 'the number `a`'],
    ['truncated', '{"a": tru', 'the value `a`'],
    ['truncated', '{"a": 1, "b', 'a key'],
    ['truncated', '{"a": 1, "b"', 'a key'],
    ['truncated', '{"a": 1, ', 'a key'],
    ['truncated', '{"name": "f", "arguments": {"a": [1]', 'the value `a`'],
    ['truncated', '{"a": 1 /* and', 'a comment'],
    ['malformed', '{"a": bareword}', 'the value `a`'],
    ['malformed', '{"a": 007}', 'the value `a`'],
    ['malformed', '{"a": 1 | "b": 2}', 'the value `a`'],
    ['malformed', '{"name": "f", "arguments": {"a": [1}}', 'the value `a`'],
  ])('fails: %s at %s', (reason, text, inside) => {
    expect(read(text).failure).toMatchObject({ reason, inside });
  });

  it('refuses nesting beyond 128 levels without deep recursion', () => {
    expect(read('['.repeat(100_000)).failure?.reason).toBe('too-deep');
    expect(read(`${'['.repeat(128)}${']'.repeat(128)}`).failure).toBeUndefined();
  });

  it('notes repeated damage of one kind a few times only', () => {
    const text = `[${"'x',".repeat(10_000)}1]`;
    expect(read(text).repairs.length).toBeLessThan(100);
  });

  it('keeps the key `__proto__` as an own property', () => {
    const { value } = read("{'__proto__': {'admin': True}}");
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect((value as { admin?: boolean }).admin).toBeUndefined();
  });
});

describe('decodeJsonText', () => {
  it('decodes JSON that was encoded as text several times', () => {
    const once = JSON.stringify({ a: 1 });
    expect(decodeJsonText(once)).toEqual({ a: 1 });
    expect(decodeJsonText(JSON.stringify(JSON.stringify(once)))).toEqual({ a: 1 });
  });

  it.each(['', 'Ghent', '{"a": 1} and more', '{"a": [1', '"text"'])('returns undefined for %j', (text) => {
    expect(decodeJsonText(text)).toBeUndefined();
  });
});
