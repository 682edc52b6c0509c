import { describe, expect, test } from 'vitest';
import { readErrorBody } from '../../../../../src/library/transport/answer/error-body';

describe('readErrorBody', () => {
  const overflow = {
    error: JSON.stringify({
      error: { code: 400, message: 'request (20010 tokens) exceeds', type: 'exceed_context_size_error' },
    }),
  };

  test.each([
    [
      'OpenAI',
      { error: { message: 'bad key', type: 'invalid_request_error', code: 'invalid_api_key' } },
      'bad key',
      'invalid_api_key',
    ],
    [
      'llama-server, whose code is a number',
      { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
      'Loading model',
      '503',
    ],
    ['Ollama', { error: 'model is required' }, 'model is required', undefined],
    ['Ollama with its runner’s JSON inside', overflow, 'request (20010 tokens) exceeds', '400'],
    ['older vLLM', { object: 'error', message: 'no such model', code: 404 }, 'no such model', '404'],
    ['FastAPI', { detail: 'Not Found' }, 'Not Found', undefined],
    [
      'FastAPI validation',
      { detail: [{ loc: ['body', 'model'], msg: 'field required' }] },
      'body.model: field required',
      undefined,
    ],
    ['Gemini', [{ error: { code: 400, message: 'API key not valid' } }], 'API key not valid', '400'],
  ])('reads the error of %s', (_, body, message, code) => {
    expect(readErrorBody(JSON.stringify(body))).toMatchObject({ message, code });
  });

  test('reads the place of a validation error, of which servers make anything', () => {
    const nested = '['.repeat(50_000) + ']'.repeat(50_000);
    for (const odd of ['{"toString":1}', nested, 'null']) {
      const text = `{"detail":[{"loc":["body",${odd},"messages",0],"msg":"is odd"}]}`;
      expect(readErrorBody(text).message).toBe('body.messages.0: is odd');
    }
  });

  test('describes a page without quoting it', () => {
    expect(readErrorBody('<html><head><title>502 Bad Gateway</title></head></html>').message).toBe(
      'an HTML page titled “502 Bad Gateway”',
    );
  });

  test.each([
    ['a list of errors (Cloudflare)', { success: false, errors: [{ code: 10_000, message: 'No such key' }] }],
    ['another name of the message', { error: { msg: 'No such key' } }],
    ['a detail that is an object (FastAPI)', { detail: { error: 'No such key' } }],
  ])('returns the document itself for %s', (_, document) => {
    const text = JSON.stringify(document);
    expect(readErrorBody(`\n${text}\n`).message).toBe(text);
  });

  test.each(['', '{}', '{"error":{}}', '{"error":{"type":"x","message":""}}'])(
    'returns no message for %j, which has no words',
    (text) => {
      expect(readErrorBody(text).message).toBeUndefined();
    },
  );

  test('finds what the model wrote when the server could not parse it', () => {
    const ollama = `error parsing tool call: raw='{"name": "f", ', err=unexpected end of JSON input`;
    expect(readErrorBody(JSON.stringify({ error: ollama })).modelText).toBe('{"name": "f", ');
    const groq = {
      error: { code: 'tool_use_failed', message: 'Failed', failed_generation: '<function=f>{}' },
    };
    expect(readErrorBody(JSON.stringify(groq)).modelText).toBe('<function=f>{}');
  });

  test('recognizes a parse failure without the model’s text', () => {
    const error = 'llama-server returned invalid tool call arguments for "f": unexpected end of JSON input';
    expect(readErrorBody(JSON.stringify({ error }))).toMatchObject({
      isParseFailure: true,
      modelText: undefined,
    });
    expect(readErrorBody(JSON.stringify({ error: 'server busy' })).isParseFailure).toBe(false);
  });
});
