import { describe, expect, test } from 'vitest';
import { titleOf } from '../../../../../src/host/playground/scratches/title-of';
import type { DocumentMessage } from '../../../../../src/protocol';
import { anyText } from '../../../../support/arbitrary/arbitrary-text';
import { fc } from '../../../../support/arbitrary/properties';

const user = (content: string): DocumentMessage => ({ role: 'user', content });

describe('titleOf', () => {
  test('returns the first words of the user’s first message', () => {
    expect(
      titleOf({
        messages: [{ role: 'system', content: 'Be short.' }, user('What is\n the  weather?'), user('x')],
      }),
    ).toBe('What is the weather?');
  });

  test.each([[[]], [[user('')]], [[user(' \n\t ')]], [[{ role: 'assistant' as const, content: 'x' }]]])(
    'returns a general title without words: %o',
    (messages) => {
      expect(titleOf({ messages })).toBe('Playground');
    },
  );

  test('returns the name, if there is one, on one short line', () => {
    const messages = [user('What is the weather?')];
    expect(titleOf({ name: ' Weather\nat noon ', messages })).toBe('Weather at noon');
    expect(titleOf({ name: ' ', messages })).toBe('What is the weather?');
    expect(titleOf({ name: 'x'.repeat(200), messages })).toBe(`${'x'.repeat(60)}…`);
    expect(titleOf(undefined)).toBe('Playground');
  });

  test('truncates with an ellipsis, never within a character', () => {
    expect(titleOf({ messages: [user('word '.repeat(20))] })).toBe('word word word word word word wo…');
    expect(titleOf({ messages: [user(`${'x'.repeat(31)}😀 and more`)] })).toBe(`${'x'.repeat(31)}…`);
    expect(titleOf({ messages: [user('exe.\u202eoediv')] })).toBe('exe.\\u{202e}oediv');
  });

  test('returns one short line for any text', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 80 }), (text) => {
        const title = titleOf({ messages: [user(text)] });
        expect(title.length).toBeLessThanOrEqual(33);
        expect(title).not.toMatch(/[\r\n\t]/);
        expect(title).not.toBe('');
        expect(title).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });

  test('is fast for a message of megabytes', () => {
    expect(titleOf({ messages: [user(' '.repeat(2_000_000))] })).toBe('Playground');
  });
});
