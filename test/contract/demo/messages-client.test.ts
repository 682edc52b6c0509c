// Anthropic's official client reads the messages side of the demo server.
import Anthropic, { InternalServerError, NotFoundError, RateLimitError } from '@anthropic-ai/sdk';
import type { ContentBlock, Message, MessageParam, Tool } from '@anthropic-ai/sdk/resources/messages';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEMO_MODELS, startDemoServer } from '../../../src/demo';
import type { DemoServer } from '../../../src/demo';
import { PROMPT_MODELS } from './prompt-models';

const TOOL: Tool = {
  name: 'get_weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const QUESTION: MessageParam = { role: 'user', content: 'What is the weather in Oslo and in Rome?' };
const THINKING = { type: 'enabled', budget_tokens: 1024 } as const;

/** The second one has not counted the requests to the first, so it answers as if each were the first. */
let servers: DemoServer[];
let client: Anthropic;
let otherClient: Anthropic;
beforeEach(async () => {
  servers = await Promise.all([startDemoServer(), startDemoServer()]);
  [client, otherClient] = servers.map(
    ({ localHost }) => new Anthropic({ baseURL: localHost, apiKey: 'any', maxRetries: 0 }),
  ) as [Anthropic, Anthropic];
});
afterEach(() => Promise.all(servers.map((server) => server.close())));

type Ask = Omit<Anthropic.MessageCreateParamsNonStreaming, 'max_tokens'>;

const askWhole = (ask: Ask): Promise<Message> => client.messages.create({ max_tokens: 4096, ...ask });
const askStream = (ask: Ask): Promise<Message> =>
  otherClient.messages.stream({ max_tokens: 4096, ...ask }).finalMessage();

/** The reply without its ids and signatures, which every reply has of its own. */
const turnOf = ({ content, stop_reason, stop_sequence, model, usage }: Message): unknown => ({
  content: content.map((block) => ({ ...block, id: undefined, signature: undefined })),
  stop: [stop_reason, stop_sequence],
  model,
  usage,
});

/** The messages after a reply: its content, unchanged, and a result for each call. */
const withResults = ({ content }: Message): MessageParam[] => [
  QUESTION,
  { role: 'assistant', content },
  {
    role: 'user',
    content: content
      .filter((block) => block.type === 'tool_use')
      .map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content: '{"temp_c":-2}' })),
  },
];

const thinkingIn = (content: readonly ContentBlock[]): unknown[] =>
  content.filter(({ type }) => type === 'thinking');

describe('the official client of the Messages API', () => {
  test.each(PROMPT_MODELS)('reads the same turn of %s whole and streamed', async (model) => {
    const tools = [TOOL];
    for (const more of [{}, { tools }, { tools, thinking: THINKING }]) {
      const ask = { model, messages: [QUESTION], ...more };
      expect(turnOf(await askStream(ask))).toEqual(turnOf(await askWhole(ask)));
    }
  });

  test('sends thinking, calls and results back, and gets the answer', async () => {
    const ask = { model: 'parallel-calls', tools: [TOOL], thinking: THINKING };
    const calling = await askStream({ ...ask, messages: [QUESTION] });
    expect(calling.stop_reason).toBe('tool_use');
    expect(thinkingIn(calling.content)).toHaveLength(1);
    const answer = await askWhole({ ...ask, messages: withResults(calling) });
    expect(answer.stop_reason).toBe('end_turn');
    expect(answer.content.at(-1)).toMatchObject({ type: 'text', text: expect.stringContaining('−2 °C') });

    const [question, called, results] = withResults(calling);
    const content = calling.content.filter(({ type }) => type !== 'thinking');
    const forgetful = [question, { ...called, content }, results] as MessageParam[];
    await expect(askWhole({ ...ask, messages: forgetful })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('Expected `thinking`'),
    });
  });

  test('makes one call at most when parallel calls are disabled', async () => {
    const toolChoice = { type: 'any', disable_parallel_tool_use: true } as const;
    const ask = { model: 'parallel-calls', messages: [QUESTION], tools: [TOOL], tool_choice: toolChoice };
    expect((await askWhole(ask)).content.map(({ type }) => type)).toEqual(['tool_use']);
  });

  test.each([
    ['rate-limited', RateLimitError, 429, 'rate_limit_error'],
    ['unavailable', InternalServerError, 529, 'overloaded_error'],
    ['unknown', NotFoundError, 404, 'not_found_error'],
  ])('reads the refusal of %s', async (model, errorClass, status, type) => {
    for (const send of [askWhole, askStream]) {
      const error: unknown = await send({ model, messages: [QUESTION] }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(errorClass);
      expect(error).toMatchObject({ status, type, requestID: expect.stringMatching(/^req_/) });
    }
  });

  test('waits as long as the refusal says, and then gets the reply', async () => {
    const patient = client.withOptions({ maxRetries: 2 });
    const reply = await patient.messages.create({
      max_tokens: 100,
      model: 'rate-limited',
      messages: [QUESTION],
      tools: [TOOL],
    });
    expect(reply.stop_reason).toBe('tool_use');
  });

  test('notices that a stream breaks off', async () => {
    await expect(askStream({ model: 'cut-off', messages: [QUESTION], tools: [TOOL] })).rejects.toThrow();
  });

  test('lists the models page by page, and counts tokens', async () => {
    const ids: string[] = [];
    for await (const { id } of client.models.list({ limit: 5 })) ids.push(id);
    expect(ids).toEqual(DEMO_MODELS.filter((name) => name !== 'demo-embed'));
    const count = await client.messages.countTokens({ model: 'slow', messages: [QUESTION], tools: [TOOL] });
    expect(count.input_tokens).toBeGreaterThan(10);
  });
});
