import { describe, expect, it } from 'vitest';
import { PRINTED_VALUES, PYTHON_VALUES, writeJson } from '../../../../../src/library/rescue/json/write-json';

const VALUE = { a: true, b: [false, null, 1.5], c: undefined };

describe('writeJson', () => {
  it('writes JSON with a space after commas and colons', () => {
    expect(writeJson(VALUE)).toBe('{"a": true, "b": [false, null, 1.5]}');
  });

  it('writes the literals of Python', () => {
    expect(writeJson(VALUE, PYTHON_VALUES)).toBe('{"a": True, "b": [False, None, 1.5]}');
  });

  it.each([
    [VALUE, "{'a': True, 'b': [False, None, 1.5]}"],
    ["it's", `"it's"`],
    [`it's "so"`, `'it\\'s "so"'`],
    ['a\n\\', `'a\\n\\\\'`],
  ])('writes %j as Python prints it', (value, text) => {
    expect(writeJson(value, PRINTED_VALUES)).toBe(text);
  });
});
