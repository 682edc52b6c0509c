import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_MODELS, startDemoServer } from '../../../../src/demo';
import type { DemoServer } from '../../../../src/demo';
import { embedText } from '../../../../src/demo/model/embed-text';
import { askEmbedding } from '../ask-embedding';
import type { EmbeddingAnswer } from '../ask-embedding';
import { sendRequest } from '../raw-request';

let server: DemoServer;
let keyed: DemoServer;
beforeAll(async () => {
  [server, keyed] = await Promise.all([startDemoServer(), startDemoServer({ apiKey: 'sekrit' })]);
});
afterAll(() => Promise.all([server.close(), keyed.close()]));

const ask = (body: Record<string, unknown>): Promise<EmbeddingAnswer> =>
  askEmbedding(server, '/v1/embeddings', body);
const vectorsOf = ({ json }: EmbeddingAnswer): unknown[] | undefined =>
  json.data?.map(({ embedding }) => embedding);

function fromBase64(text: string): number[] {
  const bytes = Buffer.from(text, 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}

describe.each(['/v1/embeddings', '/embeddings'])('POST %s', (path) => {
  test('answers with one vector per text, with its index in the order of the texts', async () => {
    const texts = ['b b', 'a', '', 'b b'];
    const answer = await askEmbedding(server, path, { input: texts });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      model: 'demo-embed',
      object: 'list',
      usage: { prompt_tokens: 7, total_tokens: 7 },
      data: texts.map((text, index) => ({ embedding: embedText(text), index, object: 'embedding' })),
    });
  });
});

describe('toHostedEmbeddings', () => {
  test('answers a single text, even an empty one, with one vector', async () => {
    expect(vectorsOf(await ask({ input: 'hello' }))).toEqual([embedText('hello')]);
    expect(vectorsOf(await ask({ input: '' }))).toEqual([embedText('')]);
  });

  test('ignores the requested dimensions', async () => {
    expect(vectorsOf(await ask({ input: 'a', dimensions: 8 }))).toEqual([embedText('a')]);
  });

  test('encodes the same float32 values as base64', async () => {
    const { json } = await ask({ input: 'hello', encoding_format: 'base64' });
    expect(json.data?.[0]).toMatchObject({ index: 0, encoding_format: 'base64' });
    expect(fromBase64(String(json.data?.[0]?.embedding))).toEqual(embedText('hello'));
  });

  test('reads a list of tokens as one input, and a list of lists as several', async () => {
    const one = await ask({ input: [300, 301] });
    const several = await ask({ input: [[300, 301], [7], 'hello'] });
    expect(vectorsOf(one)).toHaveLength(1);
    expect(one.json.usage?.prompt_tokens).toBe(2);
    expect(vectorsOf(several)).toHaveLength(3);
    expect(vectorsOf(several)?.[0]).toEqual(vectorsOf(one)?.[0]);
    expect(vectorsOf(several)?.[1]).not.toEqual(vectorsOf(one)?.[0]);
    expect(vectorsOf(several)?.[2]).toEqual(embedText('hello'));
  });

  test('accepts an object with a text, and tokens mixed with texts', async () => {
    expect(vectorsOf(await ask({ input: { prompt_string: 'hello' } }))).toEqual([embedText('hello')]);
    expect(vectorsOf(await ask({ input: [1, 'hello', 2] }))).toHaveLength(1);
  });

  test('answers a request with the older field with a plain list', async () => {
    const answer = await ask({ content: ['a', 'b'] });
    expect(answer.json).toEqual([
      { index: 0, embedding: [embedText('a')] },
      { index: 1, embedding: [embedText('b')] },
    ]);
  });

  const unreadable =
    '"prompt" elements must be a string, a list of tokens, a JSON object containing a prompt string, or a list of mixed strings & tokens.';
  test.each([
    [{}, 400, '"input" or "content" must be provided'],
    [{ input: null }, 400, '"input" or "content" must be provided'],
    [{ input: [] }, 400, '"input" must not be empty'],
    [{ input: [[]] }, 400, 'Input content cannot be empty'],
    [{ input: 5 }, 400, unreadable],
    [{ input: true }, 400, unreadable],
    [{ input: ['a', null] }, 400, unreadable],
    [{ input: [1.5] }, 400, unreadable],
    [{ input: {} }, 400, unreadable],
    [
      { input: 'a', encoding_format: 'int8' },
      400,
      'The format to return the embeddings in. Can be either float or base64',
    ],
    [{ model: '', input: 'a' }, 400, 'model name is missing from the request'],
    [
      { input: Array.from({ length: 2049 }, () => '') },
      400,
      'too many inputs: 2049, and one request may have 2048',
    ],
  ])('refuses %j with %d', async (body, code, message) => {
    const error = { code, message, type: 'invalid_request_error' };
    expect(await ask(body)).toEqual({ status: code, json: { error } });
  });

  test('refuses an unknown model, and a text that is too long', async () => {
    expect((await ask({ model: 'nope', input: 'a' })).json.error).toEqual({
      code: 404,
      message: "model 'nope' not found",
      type: 'not_found_error',
    });
    expect((await ask({ input: 'x'.repeat(2044) })).status).toBe(200);
    expect((await ask({ input: 'x'.repeat(2045) })).json.error).toEqual({
      code: 500,
      message:
        'input (513 tokens) is too large to process. increase the physical batch size (current batch size: 512)',
      type: 'server_error',
    });
  });

  test.each(DEMO_MODELS.filter((name) => name !== 'demo-embed'))(
    '%s refuses to create embeddings',
    async (model) => {
      const { status, json } = await ask({ model, input: 'a' });
      const message = 'This server does not support embeddings. Start it with `--embeddings`';
      expect([status, json.error]).toEqual([501, { code: 501, message, type: 'not_supported_error' }]);
    },
  );

  test('requires the key if there is one', async () => {
    const url = `${keyed.hostedHost}/embeddings`;
    const body = JSON.stringify({ model: 'demo-embed', input: 'a' });
    expect((await sendRequest(url, { body })).status).toBe(401);
    const headers = { authorization: 'Bearer sekrit' };
    expect((await sendRequest(url, { body, headers })).status).toBe(200);
  });
});
