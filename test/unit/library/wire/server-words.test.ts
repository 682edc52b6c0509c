import { describe, expect, test } from 'vitest';
import { isServerError, readServerWords } from '../../../../src/library/wire/server-words';

describe('isServerError', () => {
  test.each([
    ['an error object', { error: { message: 'x' } }, true],
    ['an error text', { error: 'x' }, true],
    ['a flat error (vLLM, Mistral)', { object: 'error', message: 'x' }, true],
    ['a reply', { object: 'chat.completion', choices: [] }, false],
    ['a reply without an error', { error: null, choices: [] }, false],
    ['a reply with an empty error', { error: '', choices: [] }, false],
    ['a reply that denies an error', { error: false, choices: [] }, false],
  ])('recognizes %s', (_, document, expected) => {
    expect(isServerError(document)).toBe(expected);
  });
});

describe('readServerWords', () => {
  const inner = JSON.stringify({ error: { code: 400, message: 'too long' } });

  test.each([
    ['plain words', { error: { message: 'too long' } }, 'too long'],
    ['a document in the text (Ollama)', { error: inner }, 'too long'],
    ['a document in the message (Ollama on /v1)', { error: { message: inner } }, 'too long'],
    ['a message that only looks like one', { error: { message: '{braces}' } }, '{braces}'],
    [
      'what the provider behind it said (OpenRouter)',
      { error: { message: 'Provider returned error', metadata: { raw: inner } } },
      'Provider returned error: too long',
    ],
    ['it as a text', { error: { message: 'Failed', metadata: { raw: 'busy' } } }, 'Failed: busy'],
    ['nothing', { error: { message: '' } }, undefined],
  ])('reads %s', (_, body, expected) => {
    expect(readServerWords(JSON.stringify(body))).toBe(expected);
  });
});
