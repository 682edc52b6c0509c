// OpenAI's official client over the Responses protocol through a recording, in a loop over its tools.
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { runResponsesLoop } from '../../support/agents/responses-loop';
import { record } from '../../support/servers/recorded-server';
import type { ReplyWriter } from '../../support/agents/calls-as-text';
import { ANSWER, modelServer, PROSE, TEXTS } from '../../support/agents/calls-as-text';

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

describe.each<[string, boolean, number]>([
  ['whole', false, 1],
  ['in single characters', true, 1],
  ['at once', true, 10_000],
])('a reply that comes %s', (_, stream, size) => {
  it.each(TEXTS)('has native calls for the program once it is repaired: %s', async (__, text, cities) => {
    const stuck = await open(text, size, false);
    expect(await runResponsesLoop(stuck.client, stream)).toEqual({ text, cities: [] });
    const { client, ended } = await open(text, size, true);
    expect(await runResponsesLoop(client, stream)).toEqual({ text: ANSWER, cities });
    await expect.poll(() => ended.length).toBe(2);
    expect(ended[0]?.repaired()?.calls).toHaveLength(cities.length);
  });

  it.each(PROSE)('stays as it is: %s', async (__, text) => {
    const { client } = await open(text, size, true);
    expect(await runResponsesLoop(client, stream)).toEqual({ text, cities: [] });
  });
});
