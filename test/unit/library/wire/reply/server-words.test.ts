import { describe, expect, test } from 'vitest';
import { isServerError } from '../../../../../src/library/wire/reply/server-words';

describe('isServerError', () => {
  test.each([
    ['an error object', { error: { message: 'x' } }, true],
    ['an error string', { error: 'x' }, true],
    ['a flat error (vLLM, Mistral)', { object: 'error', message: 'x' }, true],
    ['a reply', { object: 'chat.completion', choices: [] }, false],
    ['a reply without an error', { error: null, choices: [] }, false],
    ['a reply with an empty error', { error: '', choices: [] }, false],
    ['a reply with error: false', { error: false, choices: [] }, false],
  ])('for %s, %j, returns %s', (_, document, expected) => {
    expect(isServerError(document)).toBe(expected);
  });
});
