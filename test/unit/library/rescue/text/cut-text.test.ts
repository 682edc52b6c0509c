import { describe, expect, it } from 'vitest';
import { cutText } from '../../../../../src/library/rescue/text/cut-text';

/** Cuts every `#…#`. */
function cut(text: string): string {
  const places = [...text.matchAll(/#[^#]*#/g)];
  return cutText(
    text,
    places.map(({ 0: match, index }) => ({ start: index, end: index + match.length })),
  );
}

describe('cutText', () => {
  it.each([
    ['at an end', 'One.\n\n#x#', 'One.'],
    ['within a line', 'One #x# two', 'One two'],
    ['between words', 'One#x#two', 'Onetwo'],
    ['between paragraphs', 'One.\n\n#x#\n\nTwo.', 'One.\n\nTwo.'],
    ['between lines', 'One.\n#x#\nTwo.', 'One.\nTwo.'],
    ['before a paragraph', 'One.\n#x#\n\nTwo.', 'One.\n\nTwo.'],
    ['with only white space between', 'One.\n#x#\n\n\n#y#\nTwo.', 'One.\nTwo.'],
    ['everything', '#x#', ''],
  ])('cuts %s', (_, text, left) => {
    expect(cut(text)).toBe(left);
  });

  it('keeps blank lines that were there before', () => {
    expect(cut('One.\n\n\n\nTwo. #x#\n\n\n\nThree.')).toBe('One.\n\n\n\nTwo.\n\n\n\nThree.');
  });
});
