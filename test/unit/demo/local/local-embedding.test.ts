import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_MODELS, startDemoServer } from '../../../../src/demo';
import type { DemoServer } from '../../../../src/demo';
import { embedText, shortenVector, toShortFloat } from '../../../../src/demo/model/embed-text';
import { askEmbedding } from '../ask-embedding';
import type { EmbeddingAnswer } from '../ask-embedding';

let server: DemoServer;
beforeAll(async () => {
  server = await startDemoServer();
});
afterAll(() => server.close());

const embed = (body: Record<string, unknown>): Promise<EmbeddingAnswer> =>
  askEmbedding(server, '/api/embed', body);
const shortly = (text: string, dimensions = 0): number[] =>
  shortenVector(embedText(text), dimensions).map((value) => toShortFloat(value));

describe('POST /api/embed', () => {
  test('answers with one vector per text, in the order of the texts', async () => {
    const { status, json } = await embed({ input: ['b b', 'a', '', 'b b'] });
    expect(status).toBe(200);
    expect(json.embeddings).toEqual(['b b', 'a', '', 'b b'].map((text) => shortly(text)));
    expect(json.model).toBe('demo-embed');
    expect(json.prompt_eval_count).toBe(7);
  });

  test('answers a single text with one vector, and repeats the name of the model', async () => {
    const { json } = await embed({ model: 'DEMO-embed:latest', input: 'a' });
    expect(json).toMatchObject({ model: 'DEMO-embed:latest', embeddings: [shortly('a')] });
  });

  test('always answers the same text with the same vector', async () => {
    const [first, second] = [await embed({ input: 'same' }), await embed({ input: 'same' })];
    expect(first.json).toEqual(second.json);
  });

  test.each([{ input: '' }, { input: [] }, { input: null }, {}])(
    'answers %j without vectors and counts',
    async (body) => {
      expect(await embed(body)).toEqual({ status: 200, json: { model: 'demo-embed', embeddings: [] } });
    },
  );

  test('shortens and rescales vectors to the requested dimensions, and ignores more than there are', async () => {
    expect((await embed({ input: 'a', dimensions: 8 })).json.embeddings).toEqual([shortly('a', 8)]);
    expect((await embed({ input: 'a', dimensions: 9999 })).json.embeddings).toEqual([shortly('a')]);
  });

  test('truncates a text that is too long, or refuses it if truncation is off', async () => {
    const input = `${'a b '.repeat(2046)}the rest`;
    const cut = await embed({ input });
    expect(cut.json.embeddings).toEqual([shortly('a b '.repeat(2046))]);
    expect(cut.json.prompt_eval_count).toBe(2047);
    const refused = await embed({ input: ['a', input], truncate: false });
    expect([refused.status, refused.json.error]).toEqual([
      400,
      'the input length exceeds the context length',
    ]);
  });

  test.each([
    [{ input: 5 }, 400, 'invalid input type'],
    [{ input: {} }, 400, 'invalid input type'],
    [{ input: ['a', 5] }, 400, 'invalid input type'],
    [{ input: [[1, 2]] }, 400, 'invalid input type'],
    [{ model: 'nope', input: 5 }, 400, 'invalid input type'],
    [{ model: 'nope', input: 'a' }, 404, 'model "nope" not found, try pulling it first'],
    [{ model: '', input: 'a' }, 404, "model '' not found"],
    [{ model: 'no pe', input: 'a' }, 404, "model 'no pe' not found"],
    [
      { model: 5, input: 'a' },
      400,
      'json: cannot unmarshal number into Go struct field EmbedRequest.model of type string',
    ],
    [
      { input: 'a', dimensions: '8' },
      400,
      'json: cannot unmarshal string into Go struct field EmbedRequest.dimensions of type int',
    ],
    [
      { model: 'nope', input: 'a', options: { num_ctx: 'x' } },
      404,
      'model "nope" not found, try pulling it first',
    ],
    [{ input: 'a', keep_alive: 'soon' }, 400, 'time: invalid duration "soon"'],
    [{ input: 'a', options: { num_ctx: 'x' } }, 500, 'option "num_ctx" must be of type integer'],
    [
      { input: Array.from({ length: 2049 }, () => '') },
      400,
      'too many inputs: 2049, and one request may have 2048',
    ],
  ])('refuses %j with %d', async (body, status, error) => {
    expect(await embed(body)).toEqual({ status, json: { error } });
  });

  test('refuses chat models, except for an empty text, which needs no vector', async () => {
    const chatModels = DEMO_MODELS.filter((name) => name !== 'demo-embed');
    for (const model of chatModels) {
      const { status, json } = await embed({ model, input: 'a' });
      expect([status, json.error]).toEqual([
        501,
        'This server does not support embeddings. Start it with `--embeddings`',
      ]);
    }
    expect((await embed({ model: 'native-call', input: '' })).status).toBe(200);
  });
});

describe('POST /api/embeddings', () => {
  const ask = (body: Record<string, unknown>): Promise<EmbeddingAnswer> =>
    askEmbedding(server, '/api/embeddings', body);

  test('answers a text with one vector in double precision', async () => {
    expect(await ask({ prompt: 'hello' })).toEqual({ status: 200, json: { embedding: embedText('hello') } });
  });

  test('answers an empty text with an empty vector', async () => {
    expect(await ask({})).toEqual({ status: 200, json: { embedding: [] } });
  });

  test.each([
    [{ model: '', prompt: 'a' }, 400, 'model is required'],
    [{ model: 'nope', prompt: 'a' }, 404, 'model "nope" not found, try pulling it first'],
    [
      { prompt: ['a'] },
      400,
      'json: cannot unmarshal array into Go struct field EmbeddingRequest.prompt of type string',
    ],
    [
      { model: 'slow', prompt: 'a' },
      501,
      'This server does not support embeddings. Start it with `--embeddings`',
    ],
  ])('refuses %j with %d', async (body, status, error) => {
    expect(await ask(body)).toEqual({ status, json: { error } });
  });
});
