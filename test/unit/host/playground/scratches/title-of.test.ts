import { describe, expect, test } from 'vitest';
import { titleOf } from '../../../../../src/host/playground/scratches/title-of';
import type { DocumentMessage } from '../../../../../src/protocol';
import { anyText } from '../../../../support/arbitrary/arbitrary-text';
import { fc } from '../../../../support/arbitrary/properties';

const user = (content: string): DocumentMessage => ({ role: 'user', content });

describe('titleOf', () => {
  test('returns the first words of the user’s first message', () => {
    expect(
      titleOf([{ role: 'system', content: 'Be short.' }, user('What is\n the  weather?'), user('x')]),
    ).toBe('What is the weather?');
  });

  test.each([[[]], [[user('')]], [[user(' \n\t ')]], [[{ role: 'assistant' as const, content: 'x' }]]])(
    'returns a general title without words: %o',
    (messages) => {
      expect(titleOf(messages)).toBe('Playground');
    },
  );

  test('truncates with an ellipsis, never within a character', () => {
    expect(titleOf([user('word '.repeat(20))])).toBe('word word word word word word wo…');
    expect(titleOf([user(`${'x'.repeat(31)}😀 and more`)])).toBe(`${'x'.repeat(31)}…`);
    expect(titleOf([user('exe.\u202eoediv')])).toBe('exe.\\u{202e}oediv');
  });

  test('returns one short line for any text', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 80 }), (text) => {
        const title = titleOf([user(text)]);
        expect(title.length).toBeLessThanOrEqual(33);
        expect(title).not.toMatch(/[\r\n\t]/);
        expect(title).not.toBe('');
        expect(title).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });

  test('is fast for a message of megabytes', () => {
    expect(titleOf([user(' '.repeat(2_000_000))])).toBe('Playground');
  });
});
