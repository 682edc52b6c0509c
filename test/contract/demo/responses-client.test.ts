// OpenAI's official client reads the responses side of the demo server.
import OpenAI, { InternalServerError, NotFoundError, RateLimitError } from 'openai';
import type {
  FunctionTool,
  Response,
  ResponseCreateParamsNonStreaming,
  ResponseInputItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startDemoServer } from '../../../src/demo';
import type { DemoServer } from '../../../src/demo';
import { PROMPT_MODELS } from './prompt-models';

const TOOL: FunctionTool = {
  type: 'function',
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  strict: false,
};
const QUESTION: ResponseInputItem = { role: 'user', content: 'What is the weather in Oslo and in Rome?' };
const REASONING = { effort: 'low', summary: 'auto' } as const;

/** The second one has not counted the requests to the first, so it answers as if each were the first. */
let servers: DemoServer[];
let client: OpenAI;
let otherClient: OpenAI;
beforeEach(async () => {
  servers = await Promise.all([startDemoServer(), startDemoServer()]);
  [client, otherClient] = servers.map(
    ({ hostedHost }) => new OpenAI({ baseURL: hostedHost, apiKey: 'any', maxRetries: 0 }),
  ) as [OpenAI, OpenAI];
});
afterEach(() => Promise.all(servers.map((server) => server.close())));

type Ask = Omit<ResponseCreateParamsNonStreaming, 'stream'>;

const askWhole = (ask: Ask): Promise<Response> => client.responses.create(ask);
/** What the client builds from the events, not the response at their end. */
const askStream = (ask: Ask): Promise<Response> => otherClient.responses.stream(ask).finalResponse();

/** The reply without what every reply has of its own. */
const turnOf = ({ output, usage, status, tools, incomplete_details }: Response): unknown => ({
  output: output.map((item) => ({
    ...item,
    id: undefined,
    call_id: undefined,
    encrypted_content: undefined,
    parsed_arguments: undefined,
    ...('content' in item ? { content: item.content?.map((part) => ({ ...part, parsed: undefined })) } : {}),
  })),
  usage,
  status,
  tools,
  incomplete_details,
});

const outputsOf = ({ output }: Response): ResponseInputItem[] =>
  output
    .filter((item) => item.type === 'function_call')
    .map(({ call_id }) => ({ type: 'function_call_output', call_id, output: '{"temp_c":-2}' }));

describe('the official client of the Responses API', () => {
  test.each(PROMPT_MODELS)('reads the same turn of %s whole and streamed', async (model) => {
    const tools = [TOOL];
    for (const more of [
      {},
      { tools },
      { tools, reasoning: REASONING },
      { tools, max_output_tokens: 16, reasoning: REASONING },
    ]) {
      const ask = { model, input: [QUESTION], ...more };
      expect(turnOf(await askStream(ask))).toEqual(turnOf(await askWhole(ask)));
    }
  });

  test('builds from the events the response that ends them', async () => {
    const ask = { model: 'hermes-text', input: [QUESTION], tools: [TOOL], reasoning: REASONING };
    const events: ResponseStreamEvent[] = [];
    for await (const event of await client.responses.create({ ...ask, stream: true })) events.push(event);
    const last = events.at(-1);
    const finished = last?.type === 'response.completed' ? last.response : undefined;
    const items = events.flatMap((event) => (event.type === 'response.output_item.done' ? [event.item] : []));
    expect(finished?.output).toEqual(items);
    const text = events
      .map((event) => (event.type === 'response.output_text.delta' ? event.delta : ''))
      .join('');
    expect(items.at(-1)).toMatchObject({ content: [{ text }] });
  });

  test('sends reasoning, calls and outputs back, and gets the answer', async () => {
    const ask = { model: 'parallel-calls', tools: [TOOL], reasoning: REASONING, store: false };
    const calling = await askWhole({ ...ask, input: [QUESTION] });
    expect(calling.output.map(({ type }) => type)).toEqual(['reasoning', 'function_call', 'function_call']);
    const items = [QUESTION, ...calling.output, ...outputsOf(calling)] as ResponseInputItem[];
    const answer = await askWhole({ ...ask, input: items });
    expect(answer.output_text).toContain('−2 °C');

    const forgetful = items.filter((item) => item.type !== 'reasoning');
    await expect(askWhole({ ...ask, input: forgetful })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("without its required 'reasoning' item"),
    });
  });

  test('goes on from a stored response', async () => {
    const ask = { model: 'parallel-calls', tools: [TOOL], reasoning: REASONING };
    const calling = await askWhole({ ...ask, input: 'What is the weather in Oslo and in Rome?' });
    const input = outputsOf(calling);
    const answer = await askWhole({ ...ask, input, previous_response_id: calling.id });
    expect(answer).toMatchObject({
      previous_response_id: calling.id,
      output_text: expect.stringContaining('−2 °C'),
    });
    expect((await client.responses.retrieve(answer.id)).output).toEqual(answer.output);
    await client.responses.delete(answer.id);
    await expect(client.responses.retrieve(answer.id)).rejects.toBeInstanceOf(NotFoundError);
  });

  test('makes one call at most when parallel calls are disabled', async () => {
    const ask = { model: 'parallel-calls', input: [QUESTION], tools: [TOOL], parallel_tool_calls: false };
    expect((await askWhole(ask)).output.map(({ type }) => type)).toEqual(['function_call']);
  });

  test.each([
    ['rate-limited', RateLimitError, 429, 'rate_limit_exceeded'],
    ['unavailable', InternalServerError, 503, 'server_is_overloaded'],
    ['unknown', NotFoundError, 404, 'model_not_found'],
  ])('reads the refusal of %s', async (model, errorClass, status, code) => {
    for (const send of [askWhole, askStream]) {
      const error: unknown = await send({ model, input: [QUESTION] }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(errorClass);
      expect(error).toMatchObject({ status, code, requestID: expect.stringMatching(/^req_/) });
    }
  });

  test('waits as long as the refusal says, and then gets the reply', async () => {
    const patient = client.withOptions({ maxRetries: 2 });
    const reply = await patient.responses.create({ model: 'rate-limited', input: [QUESTION], tools: [TOOL] });
    expect(reply.output.map(({ type }) => type)).toContain('function_call');
  });

  test('notices that a stream breaks off', async () => {
    await expect(askStream({ model: 'cut-off', input: [QUESTION], tools: [TOOL] })).rejects.toThrow();
  });

  test('counts tokens', async () => {
    const count = await client.responses.inputTokens.count({
      model: 'slow',
      input: [QUESTION],
      tools: [TOOL],
    });
    expect(count.input_tokens).toBeGreaterThan(10);
  });
});
