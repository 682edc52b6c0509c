import { describe, expect, test } from 'vitest';
import { isServerError, readServerWords } from '../../../../../src/library/wire/reply/server-words';

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

describe('readServerWords', () => {
  const inner = JSON.stringify({ error: { code: 400, message: 'too long' } });

  test.each([
    ['a plain message', { error: { message: 'too long' } }, 'too long'],
    ['a document in the string (Ollama)', { error: inner }, 'too long'],
    ['a document in the message (Ollama on /v1)', { error: { message: inner } }, 'too long'],
    ['a message that only looks like one', { error: { message: '{braces}' } }, '{braces}'],
    [
      'the message of the upstream provider as JSON (OpenRouter)',
      { error: { message: 'Provider returned error', metadata: { raw: inner } } },
      'Provider returned error: too long',
    ],
    [
      'the message of the upstream provider as text',
      { error: { message: 'Failed', metadata: { raw: 'busy' } } },
      'Failed: busy',
    ],
    ['an empty message', { error: { message: '' } }, undefined],
  ])('reads %s', (_, body, expected) => {
    expect(readServerWords(JSON.stringify(body))).toBe(expected);
  });
});
