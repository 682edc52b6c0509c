import { describe, expect, it } from 'vitest';
import { RepairLog } from '../../../../../src/library/rescue/core/repair-log';
import { readLiteral } from '../../../../../src/library/rescue/pythonic/literal-reader';
import { PYTHON_STYLE } from '../../../../../src/library/rescue/pythonic/read-python-call';
import { TextSource } from '../../../../../src/library/rescue/core/rescue-context';
import { kindsOf } from '../rescue-fixtures';

const read = (text: string, style = PYTHON_STYLE) => {
  const log = new RepairLog();
  const { value, end, failure } = readLiteral(new TextSource(`${text} `), 0, style, log);
  return { value, end, reason: failure?.reason, repairs: kindsOf(log.repairs) };
};

describe('readLiteral', () => {
  it.each([
    ["'a'", 'a'],
    ['"a\'b"', "a'b"],
    ["'''a\n'b' \"c\"'''", 'a\n\'b\' "c"'],
    ['r"\\d\\n"', '\\d\\n'],
    ['"\\x41\\u00e9\\U0001F600\\101\\0"', 'Aé😀A\0'],
    ['"\\d\\\\"', '\\d\\'],
    ['"a" \'b\'\n"c"', 'abc'],
    ['("a"\n "b")', 'ab'],
    ['-1', -1],
    ['+ .5', 0.5],
    ['1_000.5e-1', 100.05],
    ['0xFf', 255],
    ['0b101', 5],
    ['[True, false, None, null]', [true, false, null, null]],
    ['(1, "a",)', [1, 'a']],
    ['(1)', 1],
    ['()', []],
    ['{"a": [1, {"b": ()}], \'c\': None, 2: 3,}', { a: [1, { b: [] }], c: null, 2: 3 }],
    ['[1, # one\n 2]', [1, 2]],
  ])('reads %s', (text, value) => {
    expect(read(text)).toMatchObject({ value, reason: undefined, repairs: [] });
  });

  it.each([
    'name',
    'f(1)',
    '[x for x in y]',
    '[1 + 2]',
    '[a.b]',
    '["a"[0]]',
    'b"x"',
    'f"x"',
    'lambda: 1',
    '-x',
    '{**a}',
    '[*a]',
    '["a" if b else "c"]',
    '{a: 1}',
  ])('never evaluates %s', (text) => {
    expect(read(text).reason).toBe('non-literal-argument');
  });

  it.each(['"abc', "'''a''", '[1, 2', '{"a": ', '{"a"', '(1,', 'r"', '["a",'])(
    'says that %s is cut',
    (text) => {
      const { reason } = read(text);
      expect(reason).toBe('truncated');
    },
  );

  it('makes a list of a set, and says so', () => {
    expect(read("{'a', 'b'}")).toMatchObject({ value: ['a', 'b'], repairs: ['python-literal'] });
    expect(read('{1, 2,}').value).toEqual([1, 2]);
    expect(read("[{'a'}]").value).toEqual([['a']]);
    expect(read('{}').value).toEqual({});
    expect(read("{'a': 1, 'b'}").reason).toBe('malformed');
  });

  it.each(['[1 2]', '["a" b]', '007', '1e999', '[,]', '{"a" 1}'])('says that %s is malformed', (text) => {
    expect(read(text).reason).toBe('malformed');
  });

  it('keeps an apostrophe between two letters in the text, and nothing else', () => {
    expect(read("'it's'")).toMatchObject({ value: "it's", repairs: ['bad-escape'] });
    expect(read("['a' 'b']")).toMatchObject({ value: ['ab'], repairs: [] });
  });

  it('reads words as keys only where the style has them', () => {
    expect(read('{city: "a"}', { ...PYTHON_STYLE, hasBareKeys: true }).value).toEqual({ city: 'a' });
  });

  it('reads 128 levels and no more', () => {
    expect(read('['.repeat(128) + ']'.repeat(128)).reason).toBeUndefined();
    expect(read('['.repeat(129) + ']'.repeat(129)).reason).toBe('too-deep');
  });

  it('keeps a key that could reach a prototype as a key', () => {
    expect(Object.keys(read('{"__proto__": 1}').value as object)).toEqual(['__proto__']);
  });
});
