import { describe, expect, it } from 'vitest';
import { unwrapAnswer } from '../../../../../src/library/rescue/decide/build-report';

const TAGS = [{ open: '<response>', close: '</response>' }];

describe('unwrapAnswer', () => {
  it('takes the tags off that stand around everything', () => {
    expect(unwrapAnswer('<response>\nIch sehe nach.\n</response>', TAGS)).toBe('Ich sehe nach.');
  });

  it.each([
    'Ich sehe nach.',
    '<response>half',
    'half</response>',
    '<response>one</response><response>two</response>',
    '',
  ])('leaves %j as it is', (content) => {
    expect(unwrapAnswer(content, TAGS)).toBe(content);
  });

  it('takes the opening tag off where a call came before the other', () => {
    expect(unwrapAnswer('<response>\nIch sehe nach.', TAGS, true)).toBe('Ich sehe nach.');
    expect(unwrapAnswer('<response>\n<item>1</item>', TAGS, true)).toBe('<response>\n<item>1</item>');
  });
});
