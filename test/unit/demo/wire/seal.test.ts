import { describe, expect, test } from 'vitest';
import { isSealed, seal } from '../../../../src/demo/wire/seal';

describe('seal', () => {
  test('is recognised for its scope alone', () => {
    const sealed = seal('thoughts', 'one');
    expect([isSealed(sealed, 'one'), isSealed(sealed, 'other')]).toEqual([true, false]);
  });

  test.each(['', 'AAAA', 'thoughts', ` ${seal('thoughts', 'one')}`, seal('thoughts', 'one').slice(0, -4)])(
    'is not recognised in %j',
    (text) => {
      expect(isSealed(text, 'one')).toBe(false);
    },
  );
});
