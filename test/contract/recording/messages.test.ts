// Anthropic's official client through a recording, in a loop over its tools.
import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { runMessagesLoop } from '../../support/agents/messages-loop';
import { record } from '../../support/servers/recorded-server';
import type { ReplyWriter } from '../../support/agents/calls-as-text';
import { ANSWER, modelServer, PROSE, TEXTS } from '../../support/agents/calls-as-text';

const THINKING = { type: 'thinking', thinking: 'Hm.', signature: 's' };
const HEAD = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null };
const USAGE = { input_tokens: 10, output_tokens: 5 };
const event = (document: { type: string; [key: string]: unknown }): string =>
  `event: ${document.type}\ndata: ${JSON.stringify(document)}\n\n`;

const WRITER: ReplyWriter = {
  type: 'text/event-stream',
  whole: (text) => ({
    ...HEAD,
    content: [THINKING, { type: 'text', text }],
    stop_reason: 'end_turn',
    usage: USAGE,
  }),
  stream: (pieces) => [
    event({ type: 'message_start', message: { ...HEAD, content: [], stop_reason: null, usage: USAGE } }),
    event({ type: 'content_block_start', index: 0, content_block: { ...THINKING, thinking: '' } }),
    event({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } }),
    event({ type: 'content_block_stop', index: 0 }),
    event({ type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } }),
    event({ type: 'ping' }),
    ...pieces.map((text) =>
      event({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text } }),
    ),
    event({ type: 'content_block_stop', index: 1 }),
    event({ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: USAGE }),
    event({ type: 'message_stop' }),
  ],
};

async function open(text: string, size: number, isRepairing: boolean) {
  const opened = await record(modelServer(WRITER, text, size), { isRepairing: () => isRepairing });
  const client = new Anthropic({ baseURL: opened.recording.root, apiKey: 'unused', maxRetries: 0 });
  return { ...opened, client };
}

describe.each<[string, boolean, number]>([
  ['whole', false, 1],
  ['in single characters', true, 1],
  ['at once', true, 10_000],
])('a reply that comes %s', (_, stream, size) => {
  it.each(TEXTS)('has native calls for the program once it is repaired: %s', async (__, text, cities) => {
    const stuck = await open(text, size, false);
    expect(await runMessagesLoop(stuck.client, stream)).toMatchObject({ text, cities: [] });
    const { client, ended } = await open(text, size, true);
    const { replies, ...end } = await runMessagesLoop(client, stream);
    expect(end).toEqual({ text: ANSWER, cities });
    expect(replies[0]).toMatchObject({ id: 'msg_1', usage: USAGE });
    expect(replies[0]?.content[0]).toMatchObject(THINKING);
    await expect.poll(() => ended.length).toBe(2);
    expect(ended[0]?.repaired()?.calls).toHaveLength(cities.length);
  });

  it.each(PROSE)('stays as it is: %s', async (__, text) => {
    const { client } = await open(text, size, true);
    expect(await runMessagesLoop(client, stream)).toMatchObject({ text, cities: [] });
  });
});
