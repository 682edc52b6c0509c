// The AI SDK, with its own loop over tools, through a recording.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { record } from '../../support/servers/recorded-server';
import { ANSWER, modelServer, PARAMETERS, PROSE, QUESTION, TEXTS, TOOL } from './calls-as-text';
import { WRITER } from './chat-completions-writer';

/** Runs the loop of the SDK. @returns its final text, and the cities for which it called the tool */
async function runLoop(baseURL: string, isStreamed: boolean): Promise<{ text: string; cities: string[] }> {
  const cities: string[] = [];
  const weather = tool({
    description: TOOL.description,
    inputSchema: jsonSchema<{ city: string }>(PARAMETERS),
    execute: ({ city }) => {
      cities.push(city);
      return '4 °C';
    },
  });
  const asked = {
    model: createOpenAICompatible({ name: 'recorded', baseURL })('m'),
    prompt: QUESTION,
    tools: { [TOOL.name]: weather },
    stopWhen: stepCountIs(4),
    maxRetries: 0,
  };
  const { text } = isStreamed ? streamText(asked) : await generateText(asked);
  return { text: await text, cities };
}

describe.each([
  ['whole', false, 1],
  ['in single characters', true, 1],
])('a reply that comes %s', (_, isStreamed, size) => {
  it.each(TEXTS)('has native calls for the program once it is repaired: %s', async (__, text, cities) => {
    const stuck = await record(modelServer(WRITER, text, size));
    expect(await runLoop(stuck.recording.address, isStreamed)).toEqual({ text, cities: [] });
    const { recording } = await record(modelServer(WRITER, text, size), { isRepairing: () => true });
    expect(await runLoop(recording.address, isStreamed)).toEqual({ text: ANSWER, cities });
  });

  it.each(PROSE)('stays as it is: %s', async (__, text) => {
    const { recording } = await record(modelServer(WRITER, text, size), { isRepairing: () => true });
    expect(await runLoop(recording.address, isStreamed)).toEqual({ text, cities: [] });
  });
});
