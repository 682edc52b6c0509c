// Ollama's official client through a recording, in a loop over its tools.
import { Ollama } from 'ollama';
import { describe, expect, it } from 'vitest';
import { runOllamaLoop } from '../../support/agents/ollama-loop';
import { record } from '../../support/servers/recorded-server';
import type { ReplyWriter } from '../../support/agents/calls-as-text';
import { ANSWER, modelServer, PROSE, TEXTS } from '../../support/agents/calls-as-text';

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

describe.each<[string, boolean, number]>([
  ['whole', false, 1],
  ['in single characters', true, 1],
  ['at once', true, 10_000],
])('a reply that comes %s', (_, stream, size) => {
  it.each(TEXTS)('has native calls for the program once it is repaired: %s', async (__, text, cities) => {
    const stuck = await open(text, size, false);
    expect(await runOllamaLoop(stuck.client, stream)).toEqual({ text, cities: [] });
    const { client, ended } = await open(text, size, true);
    expect(await runOllamaLoop(client, stream)).toEqual({ text: ANSWER, cities });
    await expect.poll(() => ended.length).toBe(2);
    expect(ended[0]?.repaired()?.calls).toHaveLength(cities.length);
  });

  it.each(PROSE)('stays as it is: %s', async (__, text) => {
    const { client } = await open(text, size, true);
    expect(await runOllamaLoop(client, stream)).toEqual({ text, cities: [] });
  });
});
