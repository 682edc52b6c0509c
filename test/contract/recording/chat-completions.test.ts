// The official client of the chat completions protocol, with its own loop over tools, through a recording.
import OpenAI from 'openai';
import type { RunnableToolFunctionWithoutParse } from 'openai/lib/RunnableFunction';
import { describe, expect, it } from 'vitest';
import { record } from '../../support/servers/recorded-server';
import { QUESTION, TOOL } from '../../support/agents/weather-tool';
import { ANSWER, modelServer, PROSE, TEXTS } from '../../support/agents/calls-as-text';
import { USAGE, WRITER } from '../../support/agents/chat-completions-writer';

async function open(text: string, size: number, isRepairing: boolean) {
  const opened = await record(modelServer(WRITER, text, size), { isRepairing: () => isRepairing });
  const client = new OpenAI({ baseURL: opened.recording.address, apiKey: 'unused', maxRetries: 0 });
  return { ...opened, client };
}

/** Runs the loop of the client. @returns its final text, and the cities for which it called the tool */
async function runLoop(client: OpenAI, stream: boolean): Promise<{ text: string | null; cities: string[] }> {
  const cities: string[] = [];
  const tool: RunnableToolFunctionWithoutParse = {
    type: 'function',
    function: {
      ...TOOL,
      function: (args: string) => {
        cities.push((JSON.parse(args) as { city: string }).city);
        return '4 °C';
      },
    },
  };
  const body = { model: 'm', messages: [{ role: 'user' as const, content: QUESTION }], tools: [tool] };
  const runner = stream
    ? client.chat.completions.runTools({ ...body, stream, stream_options: { include_usage: true } })
    : client.chat.completions.runTools(body);
  return { text: await runner.finalContent(), cities };
}

const WAYS: [name: string, stream: boolean, size: number][] = [
  ['whole', false, 1],
  ['in single characters', true, 1],
  ['in pieces', true, 7],
  ['at once', true, 10_000],
];

describe.each(WAYS)('a reply that comes %s', (_, stream, size) => {
  it.each(TEXTS)('has native calls for the program once it is repaired: %s', async (__, text, cities) => {
    const stuck = await open(text, size, false);
    expect(await runLoop(stuck.client, stream)).toEqual({ text, cities: [] });
    const { client, ended } = await open(text, size, true);
    expect(await runLoop(client, stream)).toEqual({ text: ANSWER, cities });
    expect(ended[0]?.repaired()?.calls.map(({ name, from }) => [name, from])).toEqual(
      cities.map(() => ['get_weather', 'text']),
    );
    expect(ended[1]?.repaired()).toBeUndefined();
  });

  it.each(PROSE)('stays as it is: %s', async (__, text) => {
    const { client, ended } = await open(text, size, true);
    expect(await runLoop(client, stream)).toEqual({ text, cities: [] });
    expect(ended[0]?.repaired()).toBeUndefined();
  });
});

describe('a repaired stream', () => {
  const ask = async (text: string, size: number, more: object = {}) => {
    const { client, ended } = await open(text, size, true);
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const each of await client.chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: QUESTION }],
      tools: [{ type: 'function', function: TOOL }],
      stream: true,
      ...more,
    }))
      chunks.push(each);
    return { chunks, ended };
  };

  it('keeps prose, reasoning, ids and usage, and says that it ends in calls', async () => {
    const [, text] = TEXTS[1] ?? ['', ''];
    const { chunks } = await ask(text, 3);
    const deltas = chunks.flatMap(({ choices }) => choices);
    const content = deltas.map(({ delta }) => delta.content ?? '').join('');
    expect(content).toBe('Let me look.\n\nOne moment – ☃.');
    expect(deltas.filter(({ delta }) => 'reasoning_content' in delta)).toHaveLength(1);
    expect(new Set(chunks.map(({ id }) => id))).toEqual(new Set(['chatcmpl-1']));
    expect(chunks.at(-1)?.usage).toEqual(USAGE);
    expect(deltas.at(-1)?.finish_reason).toBe('tool_calls');
    const calls = deltas.flatMap(({ delta }) => delta.tool_calls ?? []);
    expect(calls).toEqual([
      {
        index: 0,
        id: expect.stringMatching(/\S/),
        type: 'function',
        function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
      },
    ]);
  });

  it('changes nothing when calls are forbidden', async () => {
    const [, text] = TEXTS[0] ?? ['', ''];
    const { chunks } = await ask(text, 3, { tool_choice: 'none' });
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(text);
  });
});
