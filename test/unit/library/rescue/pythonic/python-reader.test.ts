import { describe, expect, it } from 'vitest';
import { RepairLog } from '../../../../../src/library/rescue/core/repair-log';
import {
  readPythonArguments,
  readPythonValue,
} from '../../../../../src/library/rescue/pythonic/python-reader';
import { TextSource } from '../../../../../src/library/rescue/core/rescue-context';
import { kindsOf } from '../rescue-fixtures';

const read = (text: string) => {
  const log = new RepairLog();
  const { value, end, failure } = readPythonValue(new TextSource(`${text} `), 0, log);
  return { value, end, reason: failure?.reason, repairs: kindsOf(log.repairs) };
};

const readArguments = (text: string) => {
  const log = new RepairLog();
  const { value, end, failure } = readPythonArguments(new TextSource(text), 0, log);
  return { ...value, end, failure, repairs: kindsOf(log.repairs) };
};

describe('readPythonValue', () => {
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
    ['{"a": "", "f(x=\\"y\\")": {}}', { a: '', 'f(x="y")': {} }],
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
    'reports %s as cut',
    (text) => {
      const { reason } = read(text);
      expect(reason).toBe('truncated');
    },
  );

  it('reads a set as a list, and notes the repair', () => {
    expect(read("{'a', 'b'}")).toMatchObject({ value: ['a', 'b'], repairs: ['python-literal'] });
    expect(read('{1, 2,}').value).toEqual([1, 2]);
    expect(read("[{'a'}]").value).toEqual([['a']]);
    expect(read('{}').value).toEqual({});
    expect(read("{'a': 1, 'b'}").reason).toBe('malformed');
  });

  it.each(['[1 2]', '["a" b]', '007', '1e999', '[,]', '{"a" 1}'])('reports %s as malformed', (text) => {
    expect(read(text).reason).toBe('malformed');
  });

  it('treats only an apostrophe between two letters as part of the string', () => {
    expect(read("'it's'")).toMatchObject({ value: "it's", repairs: ['bad-escape'] });
    expect(read("['a' 'b']")).toMatchObject({ value: ['ab'], repairs: [] });
  });

  it('reads at most 128 levels', () => {
    expect(read('['.repeat(128) + ']'.repeat(128)).reason).toBeUndefined();
    expect(read('['.repeat(129) + ']'.repeat(129)).reason).toBe('too-deep');
  });

  it('keeps the key `__proto__` as an own property', () => {
    expect(Object.keys(read('{"__proto__": 1}').value as object)).toEqual(['__proto__']);
  });
});

describe('readPythonArguments', () => {
  it('reads positional and named values', () => {
    expect(readArguments('(1, "a", city="Ghent", days=[1, 2,],) rest')).toEqual({
      keywords: { city: 'Ghent', days: [1, 2] },
      positional: [1, 'a'],
      end: 37,
      failure: undefined,
      repairs: [],
    });
    expect(readArguments('()')).toMatchObject({ keywords: {}, positional: [], end: 2 });
  });

  it('reads names written as in other languages, and notes the repair', () => {
    expect(readArguments('(city: "Ghent", days=1)')).toMatchObject({
      keywords: { city: 'Ghent', days: 1 },
      repairs: ['foreign-body'],
    });
    expect(readArguments('("city": "Ghent", "days": 1)')).toMatchObject({
      keywords: { city: 'Ghent', days: 1 },
      repairs: ['foreign-body', 'foreign-body'],
    });
  });

  it('reads unquoted keys only in an object that stands for all arguments', () => {
    expect(readArguments('({city: "Ghent", at: {lat: 1}})').positional).toEqual([
      { city: 'Ghent', at: { lat: 1 } },
    ]);
    expect(readArguments('(at={lat: 1})').failure?.reason).toBe('non-literal-argument');
    expect(readArguments('([{lat: 1}])').failure?.reason).toBe('non-literal-argument');
  });

  it.each([
    ['(city="a", city="b")', 'malformed', 19, 'the argument `city`'],
    ['(city="a" days=1)', 'malformed', 10, 'the argument `city`'],
    ['(city=get())', 'non-literal-argument', 6, 'the argument `city`'],
    ['(city="a" + "b")', 'non-literal-argument', 10, 'the argument `city`'],
    ['(city=="a")', 'non-literal-argument', 1, 'the arguments'],
    ['(city="a", {"b": c})', 'non-literal-argument', 17, 'the arguments'],
    ['(city="a", ', 'truncated', 11, 'the arguments'],
    ['(city="a", days=', 'truncated', 16, 'the argument `days`'],
    ['(city="a', 'truncated', 8, 'the argument `city`'],
  ])('reports the offset and the value of a failure: %s', (text, reason, at, inside) => {
    expect(readArguments(text).failure).toEqual({ reason, at, inside });
  });
});
