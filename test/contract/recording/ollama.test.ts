// Ollama's official client through a recording, in a loop over its tools.
import { Ollama } from 'ollama';
import type { Message } from 'ollama';
import { describe, expect, it } from 'vitest';
import { record } from '../../support/servers/recorded-server';
import type { ReplyWriter } from './calls-as-text';
import { ANSWER, modelServer, PARAMETERS, PROSE, QUESTION, TEXTS } from './calls-as-text';

const HEAD = { model: 'm', created_at: '2026-01-01T00:00:00Z' };
const END = { done: true, done_reason: 'stop', prompt_eval_count: 10, eval_count: 5 };
const message = (content: string) => ({ role: 'assistant', content });

const WRITER: ReplyWriter = {
  type: 'application/x-ndjson',
  whole: (content) => ({ ...HEAD, message: message(content), ...END }),
  stream: (pieces) => [
    ...pieces.map((content) => `${JSON.stringify({ ...HEAD, message: message(content), done: false })}\n`),
    `${JSON.stringify({ ...HEAD, message: message(''), ...END })}\n`,
  ],
};

async function open(text: string, size: number, isRepairing: boolean) {
  const opened = await record(modelServer(WRITER, text, size), { isRepairing: () => isRepairing });
  return { ...opened, client: new Ollama({ host: opened.recording.root }) };
}

const TOOLS = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'The weather',
      parameters: PARAMETERS,
    },
  },
];

async function ask(client: Ollama, messages: Message[], stream: boolean): Promise<Message> {
  const request = { model: 'm', messages, tools: TOOLS };
  if (!stream) return (await client.chat(request)).message;
  const whole: Message = { role: 'assistant', content: '', tool_calls: [] };
  for await (const { message: part } of await client.chat({ ...request, stream })) {
    whole.content += part.content;
    whole.tool_calls?.push(...(part.tool_calls ?? []));
  }
  return whole;
}

/** Asks until there is no call. @returns the final text, and the cities for which the tool was called */
async function runLoop(client: Ollama, stream: boolean): Promise<{ text: string; cities: string[] }> {
  const messages: Message[] = [{ role: 'user', content: QUESTION }];
  const cities: string[] = [];
  for (;;) {
    const reply = await ask(client, messages, stream);
    const calls = reply.tool_calls ?? [];
    if (calls.length === 0) return { text: reply.content, cities };
    messages.push(reply);
    for (const { function: called } of calls) {
      cities.push(String(called.arguments['city']));
      messages.push({ role: 'tool', content: '4 °C', tool_name: called.name });
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
