// OpenAI's official client over the Responses protocol through a recording, in a loop over its tools.
import OpenAI from 'openai';
import type { Response, ResponseInputItem } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import { record } from '../../support/servers/recorded-server';
import type { ReplyWriter } from './calls-as-text';
import { ANSWER, modelServer, PARAMETERS, PROSE, QUESTION, TEXTS } from './calls-as-text';

const PLACE = { item_id: 'msg_1', output_index: 0, content_index: 0 };
const partOf = (text: string) => ({ type: 'output_text', text, annotations: [] });
const itemOf = (text: string) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [partOf(text)],
});
const replyOf = (text: string) => ({
  id: 'resp_1',
  object: 'response',
  model: 'm',
  status: 'completed',
  output: [itemOf(text)],
  usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
});

const WRITER: ReplyWriter = {
  type: 'text/event-stream',
  whole: replyOf,
  stream: (pieces) => {
    const text = pieces.join('');
    const documents: { type: string; [key: string]: unknown }[] = [
      { type: 'response.created', response: { ...replyOf(''), status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: { ...itemOf(''), content: [] } },
      { type: 'response.content_part.added', ...PLACE, part: partOf('') },
      ...pieces.map((delta) => ({ type: 'response.output_text.delta', ...PLACE, delta })),
      { type: 'response.output_text.done', ...PLACE, text },
      { type: 'response.content_part.done', ...PLACE, part: partOf(text) },
      { type: 'response.output_item.done', output_index: 0, item: itemOf(text) },
      { type: 'response.completed', response: replyOf(text) },
    ];
    return documents.map(
      (document, sequence_number) =>
        `event: ${document.type}\ndata: ${JSON.stringify({ ...document, sequence_number })}\n\n`,
    );
  },
};

async function open(text: string, size: number, isRepairing: boolean) {
  const opened = await record(modelServer(WRITER, text, size), { isRepairing: () => isRepairing });
  const client = new OpenAI({ baseURL: opened.recording.address, apiKey: 'unused', maxRetries: 0 });
  return { ...opened, client };
}

interface Reply {
  text: string;
  /** As the events of a stream give them one by one, or as the reply has them. */
  calls: { name: string; arguments: string; call_id: string }[];
  response: Response | undefined;
}

async function ask(client: OpenAI, input: ResponseInputItem[], stream: boolean): Promise<Reply> {
  const tool = { type: 'function' as const, name: 'get_weather', parameters: PARAMETERS, strict: false };
  const request = { model: 'm', input, tools: [tool] };
  const reply: Reply = { text: '', calls: [], response: undefined };
  if (!stream) {
    reply.response = await client.responses.create(request);
    for (const item of reply.response.output) if (item.type === 'function_call') reply.calls.push(item);
    return { ...reply, text: reply.response.output_text };
  }
  const sequence: number[] = [];
  for await (const event of await client.responses.create({ ...request, stream })) {
    sequence.push(event.sequence_number);
    if (event.type === 'response.output_text.delta') reply.text += event.delta;
    if (event.type === 'response.output_item.done' && event.item.type === 'function_call')
      reply.calls.push(event.item);
    if (event.type === 'response.completed') reply.response = event.response;
  }
  expect(sequence).toEqual(sequence.toSorted((one, other) => one - other));
  expect(new Set(sequence).size).toBe(sequence.length);
  const final = reply.response?.output.filter(({ type }) => type === 'function_call');
  expect(final).toMatchObject(reply.calls);
  return reply;
}

async function runLoop(client: OpenAI, stream: boolean): Promise<{ text: string; cities: string[] }> {
  const input: ResponseInputItem[] = [{ role: 'user', content: QUESTION }];
  const cities: string[] = [];
  for (;;) {
    const { text, calls } = await ask(client, input, stream);
    if (calls.length === 0) return { text, cities };
    for (const { name, arguments: args, call_id } of calls) {
      cities.push((JSON.parse(args) as { city: string }).city);
      input.push({ type: 'function_call', name, arguments: args, call_id });
      input.push({ type: 'function_call_output', call_id, output: '4 °C' });
    }
  }
}

describe.each<[string, boolean, number]>([
  ['whole', false, 1],
  ['in single characters', true, 1],
  ['at once', true, 10_000],
])('a reply that comes %s', (_, stream, size) => {
  it.each(TEXTS)('has native calls for the program once it is repaired: %s', async (__, text, cities) => {
    const stuck = await open(text, size, false);
    expect(await runLoop(stuck.client, stream)).toEqual({ text, cities: [] });
    const { client, ended } = await open(text, size, true);
    expect(await runLoop(client, stream)).toEqual({ text: ANSWER, cities });
    await expect.poll(() => ended.length).toBe(2);
    expect(ended[0]?.repaired()?.calls).toHaveLength(cities.length);
  });

  it.each(PROSE)('stays as it is: %s', async (__, text) => {
    const { client } = await open(text, size, true);
    expect(await runLoop(client, stream)).toEqual({ text, cities: [] });
  });
});
