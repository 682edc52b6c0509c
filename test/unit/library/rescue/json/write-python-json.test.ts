import { describe, expect, it } from 'vitest';
import { writePythonJson } from '../../../../../src/library/rescue/json/write-python-json';

describe('writePythonJson', () => {
  it.each([
    [{ a: true, b: [false, null, 1.5] }, "{'a': True, 'b': [False, None, 1.5]}"],
    ["it's", `"it's"`],
    [`it's "so"`, `'it\\'s "so"'`],
    ['a\n\\', `'a\\n\\\\'`],
  ])('writes %j as Python prints it', (value, text) => {
    expect(writePythonJson(value)).toBe(text);
  });
});
