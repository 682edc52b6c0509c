import { describe, expect, test } from 'vitest';
import { toGoJsonError, toNlohmannError } from '../../../../src/demo/wire/json-errors';
import { readJson } from '../../../../src/demo/wire/json-text';

function errorsOf(text: string): [string, string] {
  const read = readJson(text);
  if (read.ok) throw new Error('It parses.');
  const nlohmann = toNlohmannError(text, read).replace(
    '[json.exception.parse_error.101] parse error at ',
    '',
  );
  return [toGoJsonError(text, read), nlohmann];
}

describe('toGoJsonError and toNlohmannError', () => {
  test.each([
    [
      '{"a": [',
      'unexpected EOF',
      "line 1, column 8: syntax error while parsing value - unexpected end of input; expected '[', '{', or a literal",
    ],
    [
      '{',
      'unexpected EOF',
      'line 1, column 2: syntax error while parsing object key - unexpected end of input; expected string literal',
    ],
    [
      "{'a'",
      "invalid character ''' looking for beginning of object key string",
      "line 1, column 2: syntax error while parsing object key - invalid literal; last read: '''; expected string literal",
    ],
    [
      '[1\n2]',
      "invalid character '2' after array element",
      "line 2, column 1: syntax error while parsing array - invalid literal; last read: '2'; expected ']'",
    ],
    [
      ' ',
      'EOF',
      "line 1, column 2: syntax error while parsing value - unexpected end of input; expected '[', '{', or a literal",
    ],
  ])('describe the error in %s', (text, go, nlohmann) => {
    expect(errorsOf(text)).toEqual([go, nlohmann]);
  });
});
