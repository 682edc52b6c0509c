// The AI SDK, with its own loop over tools, through a recording.
import { describe, expect, it } from 'vitest';
import { runAiSdkLoop } from '../../support/agents/ai-sdk-loop';
import { record } from '../../support/servers/recorded-server';
import { ANSWER, modelServer, PROSE, TEXTS } from '../../support/agents/calls-as-text';
import { WRITER } from '../../support/agents/chat-completions-writer';

describe.each([
  ['whole', false, 1],
  ['in single characters', true, 1],
])('a reply that comes %s', (_, isStreamed, size) => {
  it.each(TEXTS)('has native calls for the program once it is repaired: %s', async (__, text, cities) => {
    const stuck = await record(modelServer(WRITER, text, size));
    expect(await runAiSdkLoop(stuck.recording.address, isStreamed)).toEqual({ text, cities: [] });
    const { recording } = await record(modelServer(WRITER, text, size), { isRepairing: () => true });
    expect(await runAiSdkLoop(recording.address, isStreamed)).toEqual({ text: ANSWER, cities });
  });

  it.each(PROSE)('stays as it is: %s', async (__, text) => {
    const { recording } = await record(modelServer(WRITER, text, size), { isRepairing: () => true });
    expect(await runAiSdkLoop(recording.address, isStreamed)).toEqual({ text, cities: [] });
  });
});
