import { describe, expect, test } from 'vitest';
import { isServerError, toServerFailure } from '../../../../../src/library/wire/reply/server-words';

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

describe('the failure for an error inside a stream', () => {
  test.each([
    [{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 529, '529'],
    [{ type: 'error', error: { type: 'rate_limit_error' } }, 429, '429'],
    [{ error: { code: 500, message: 'the runner stopped', type: 'server_error' } }, 500, '500'],
    [{ type: 'error', code: 'rate_limit_exceeded', message: 'Slow down' }, 429, 'rate_limit_exceeded'],
    [{ error: { code: 'insufficient_quota', message: 'no money' } }, 429, 'insufficient_quota'],
    [
      { error: { type: 'server_error', code: 'server_is_overloaded', message: 'x' } },
      503,
      'server_is_overloaded',
    ],
    [{ error: { code: '1302', message: 'too many' } }, undefined, '1302'],
    [{ error: 'the runner stopped' }, undefined, undefined],
  ])('for %j tells the status %s', (document, status, code) => {
    expect(toServerFailure(JSON.stringify(document)).told).toMatchObject({ status, code });
  });
});
