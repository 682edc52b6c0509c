import { expect, test } from 'vitest';
import { withoutRepeat } from '../../../../../src/library/wire/reply/repeated-pieces';

test.each<[string, string, string | undefined, string]>([
  ['was opened once', '{"n":1}', undefined, '{"n":1}'],
  ['goes on', '{"n":', '1}', '{"n":1}'],
  ['begins again', '{"n":', '{"n":1}', '{"n":1}'],
  ['comes twice', '{"n":1}', '{"n":1}', '{"n":1}'],
  ['goes on as it began', '{"a":', '{"a":1}}', '{"a":{"a":1}}'],
  ['was opened twice before its pieces', '', '{"n":1}', '{"n":1}'],
  ['is another call', '{"n":1}', '{"n":2}', '{"n":1}{"n":2}'],
])('a text that %s: %j, then %j', (_, before, after, expected) => {
  expect(withoutRepeat(`${before}${after ?? ''}`, after === undefined ? undefined : before.length)).toBe(
    expected,
  );
});
