import { describe, expect, test } from 'vitest';
import { readErrorBody, tellsError } from '../../../../../src/library/transport/answer/error-body';

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

  test.each<[string, object, string]>([
    ['a list of errors (Cloudflare)', { success: false, errors: [{ code: 10_000, message: 'no' }] }, '10000'],
    ['another name of the message', { error: { msg: 'no' } }, ''],
    ['a detail that is an object (FastAPI)', { detail: { error: 'no' } }, ''],
    ['Zhipu', { code: 1113, msg: 'no' }, '1113'],
    ['MiniMax', { choices: null, base_resp: { status_code: 1008, status_msg: 'no' } }, '1008'],
    ['Baidu', { error_code: 18, error_msg: 'no' }, '18'],
    ['Spark', { header: { code: 10_013, message: 'no' } }, '10013'],
    ['Tencent', { Response: { Error: { Code: 'Denied', Message: 'no' }, RequestId: 'r' } }, 'Denied'],
    ['an error in an error', { error: { error: { message: 'no', code: 7 } } }, '7'],
    ['a list of words', { errors: ['no'] }, ''],
    ['a fault (Apigee)', { fault: { faultstring: 'no', detail: { errorcode: 'x' } } }, ''],
    ['a word as the document', 'no' as unknown as object, ''],
  ])('reads the error of %s', (_, document, code) => {
    expect(readErrorBody(JSON.stringify(document))).toMatchObject({ message: 'no', code: code || undefined });
  });

  test.each<[string, object, string]>([
    [
      'a refused part of the request (vLLM)',
      { object: 'error', message: { detail: [{ loc: ['body', 'tools', 0], msg: 'Extra inputs' }] } },
      'body.tools.0: Extra inputs',
    ],
    [
      'a word with its sentence beside it (Spring)',
      { error: 'Not Found', message: 'No such path' },
      'Not Found: No such path',
    ],
    [
      'a word with its sentence in param (Xiaomi)',
      { error: { message: 'Param Incorrect', param: 'The role must be known.' } },
      'Param Incorrect: The role must be known.',
    ],
    [
      'a sentence that is the key (Ollama)',
      { 'error parsing tool call': 'unexpected end' },
      'error parsing tool call: unexpected end',
    ],
  ])('joins the words of %s', (_, document, message) => {
    expect(readErrorBody(JSON.stringify(document)).message).toBe(message);
  });

  test('returns the document itself when no key of it is known', () => {
    const text = JSON.stringify({ what: 'No such key' });
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
    const error = 'llama-server returned invalid tool call arguments for "f": invalid character';
    const { words, modelText } = readErrorBody(JSON.stringify({ error }));
    expect([words?.cause, modelText]).toEqual(['unread-call', undefined]);
    expect(readErrorBody(JSON.stringify({ error: 'server busy' })).words).toBeUndefined();
  });
});

describe('readErrorBody, for an error inside an error', () => {
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
    expect(readErrorBody(JSON.stringify(body)).message).toBe(expected);
  });
});

describe('tellsError', () => {
  test.each<[string, object, boolean]>([
    ['a code and words', { code: 1113, msg: 'Insufficient balance' }, true],
    ['words alone', { detail: 'quota used up' }, true],
    ['a failure that names no code', { success: false, message: 'no' }, true],
    ['a success', { code: 0, msg: 'whatever' }, false],
    ['a success in words', { message: 'OK' }, false],
    ['the same words beside a reply', { code: 7, msg: 'note', choices: [{ index: 0 }] }, false],
    ['a chat of Ollama', { message: { content: 'no' }, error_msg: 'x' }, false],
    ['a last chunk', { choices: [], usage: {}, base_resp: { status_code: 0, status_msg: '' } }, false],
  ])('judges %s', (_, document, expected) => {
    expect(tellsError(document)).toBe(expected);
  });
});
