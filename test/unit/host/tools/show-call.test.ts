import { describe, expect, test } from 'vitest';
import { describeResult, showArguments } from '../../../../src/host/tools/show-call';

describe('showArguments', () => {
  test('makes hidden characters visible', () => {
    expect(showArguments({ path: 'a\u{202e}b' })).toContain('a\\u{202e}b');
  });

  test('says that it shows only the beginning', () => {
    const shown = showArguments({ list: Array.from({ length: 200 }, (_none, index) => index) });
    expect(shown.split('\n').length).toBeLessThan(45);
    expect(shown).toMatch(/only the beginning: the arguments have [\d]+ characters/);
  });
});

describe('describeResult', () => {
  test('contains the texts, and describes parts that are not text', () => {
    const image = { mimeType: 'image/png', data: new Uint8Array(3) };
    expect(describeResult([{ value: 'ok' }, image, { value: {} }, null, 7])).toBe(
      [
        'ok',
        '[image/png, 3 bytes]',
        '[a part that only the chat of the editor draws]',
        '[a part of an unknown kind]',
        '[a part of an unknown kind]',
      ].join('\n'),
    );
  });

  test('keeps the first million characters, and says that there were more', () => {
    const result = describeResult([{ value: 'x'.repeat(700_000) }, { value: 'y'.repeat(700_000) }]);
    expect(result.length).toBeLessThan(1_000_200);
    expect(result).toContain('only its first 1000000 characters');
  });
});
