// A program with OpenAI's official client over the Responses protocol that calls its tool for as long as the model asks for that.
import type OpenAI from 'openai';
import type { Response, ResponseInputItem } from 'openai/resources/responses/responses';
import { expect } from 'vitest';
import type { Told } from './weather-tool';
import { PARAMETERS, QUESTION, RESULT } from './weather-tool';

interface Reply {
  text: string;
  /** As the events of a stream give them one by one, or as the reply has them. */
  calls: { name: string; arguments: string; call_id: string }[];
  response: Response | undefined;
}

/** Expects of a stream that its events are numbered in order, and that its end repeats the calls. */
async function ask(
  client: OpenAI,
  model: string,
  input: ResponseInputItem[],
  { stream }: { stream: boolean },
): Promise<Reply> {
  const tool = { type: 'function' as const, name: 'get_weather', parameters: PARAMETERS, strict: false };
  const request = { model, input, tools: [tool] };
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

export async function runResponsesLoop(client: OpenAI, stream: boolean, model = 'm'): Promise<Told> {
  const input: ResponseInputItem[] = [{ role: 'user', content: QUESTION }];
  const cities: string[] = [];
  for (;;) {
    const { text, calls } = await ask(client, model, input, { stream });
    if (calls.length === 0) return { text, cities };
    for (const { name, arguments: args, call_id } of calls) {
      cities.push((JSON.parse(args) as { city: string }).city);
      input.push({ type: 'function_call', name, arguments: args, call_id });
      input.push({ type: 'function_call_output', call_id, output: RESULT });
    }
  }
}
