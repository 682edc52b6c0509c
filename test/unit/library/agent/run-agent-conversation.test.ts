// An agent that continues a conversation: open calls are answered first.
import { describe, expect, test, vi } from 'vitest';
import type { Message, ToolResult } from '../../../../src/library';
import { runAgent, RunStoppedError } from '../../../../src/library';
import { asks, callOf, errorOf, hang, OSLO, says, setUp, WEATHER } from './agent-fixtures';

const BERGEN = callOf('get_weather', { city: 'Bergen' }, 'id_bergen');
const QUESTION: Message = { role: 'user', content: 'How is it?' };
const ASKED: Message = { role: 'assistant', content: '', toolCalls: [OSLO, BERGEN] };

const answerTo = ({ id, name }: typeof OSLO, content: string): Message => ({
  role: 'tool',
  toolName: name,
  toolCallId: id,
  content,
});

describe('runAgent with a conversation', () => {
  test('answers the open calls of the last turn, then sends a request', async () => {
    const { provider, agent } = setUp([says('Cold.')], { prompt: 'Be brief.' });
    const report = await runAgent(agent, [QUESTION, ASKED]);
    expect(report).toMatchObject({
      output: 'Cold.',
      resumed: [
        { callId: OSLO.id, output: '{"city":"Oslo","temp_c":-2}', isError: false },
        { callId: BERGEN.id, output: '{"city":"Bergen","temp_c":-2}', isError: false },
      ],
      steps: [{ calls: [], results: [] }],
      stopReason: 'answer',
    });
    expect(provider.lastMessages).toEqual([
      { role: 'system', content: 'Be brief.' },
      QUESTION,
      ASKED,
      answerTo(OSLO, '{"city":"Oslo","temp_c":-2}'),
      answerTo(BERGEN, '{"city":"Bergen","temp_c":-2}'),
    ]);
  });

  test('runs no call twice, and keeps the results in the order of the calls', async () => {
    const { provider, agent } = setUp([says('Cold.')]);
    const { resumed } = await runAgent(agent, [QUESTION, ASKED, answerTo(BERGEN, 'by hand'), QUESTION]);
    expect(resumed?.map(({ callId }) => callId)).toEqual([OSLO.id]);
    expect(provider.lastMessages.slice(0, 5)).toEqual([
      QUESTION,
      ASKED,
      answerTo(OSLO, '{"city":"Oslo","temp_c":-2}'),
      answerTo(BERGEN, 'by hand'),
      QUESTION,
    ]);
  });

  test('runs no call whose result has only the name of its tool', async () => {
    const { provider, agent } = setUp([says('Cold.')]);
    const byName: Message = { role: 'tool', toolName: OSLO.name, content: 'by hand' };
    const { resumed } = await runAgent(agent, [QUESTION, ASKED, byName]);
    expect(resumed?.map(({ callId }) => callId)).toEqual([BERGEN.id]);
    expect(provider.lastMessages).toEqual([
      QUESTION,
      ASKED,
      answerTo(OSLO, 'by hand'),
      answerTo(BERGEN, '{"city":"Bergen","temp_c":-2}'),
    ]);
  });

  test('reports resumed calls before the first chat, and leaves calls of earlier turns alone', async () => {
    const resumed: (readonly ToolResult[])[] = [];
    const later: Message = { role: 'assistant', content: 'Never mind.' };
    const onResume = (results: readonly ToolResult[]): void => void resumed.push(results);
    const hooks = { onResume, beforePrompt: () => 'never asked' };
    const first = setUp([says('Hi')], { hooks });
    expect(await runAgent(first.agent, [QUESTION, ASKED, later, QUESTION])).not.toHaveProperty('resumed');
    expect(first.provider.chats[0]?.messages.slice(0, 4)).toEqual([QUESTION, ASKED, later, QUESTION]);
    const second = setUp([says('Hi')], { hooks });
    await runAgent(second.agent, [QUESTION, ASKED]);
    expect(resumed.map((results) => results.length)).toEqual([2]);
  });

  test('sends an error result for an open call of an unknown tool', async () => {
    const { provider, agent } = setUp([says('Sorry.')]);
    const open: Message = { ...ASKED, toolCalls: [callOf('no_such', {})] };
    const { resumed } = await runAgent(agent, [QUESTION, open]);
    expect(resumed).toMatchObject([{ name: 'no_such', isError: true }]);
    expect(provider.chats[0]?.messages[2]).toMatchObject({
      role: 'tool',
      isError: true,
      toolName: 'no_such',
    });
  });

  test('does not change the given messages', async () => {
    const messages = Object.freeze([QUESTION, ASKED]);
    await runAgent(setUp([asks(OSLO), says('Cold.')]).agent, messages);
    expect(messages).toEqual([QUESTION, ASKED]);
  });

  test('rejects with the finished results when it is aborted during open calls', async () => {
    const controller = new AbortController();
    const execute = ({ city }: { city: string }): Promise<string> | string => {
      if (city === 'Oslo') return 'cold';
      setImmediate(() => controller.abort());
      return hang();
    };
    const { provider, agent } = setUp([says('Hi')], { tools: [{ ...WEATHER, execute }] });
    const error = await errorOf(runAgent(agent, [QUESTION, ASKED], { signal: controller.signal }));
    expect(error).toBeInstanceOf(RunStoppedError);
    expect(error).toMatchObject({
      code: 'aborted',
      report: { resumed: [{ callId: OSLO.id, output: 'cold' }], steps: [] },
    });
    expect(provider.chats).toEqual([]);
  });

  test('refuses a conversation without messages', async () => {
    const { provider, agent } = setUp([says('Hi')]);
    for (const input of [[], [null], null, {}, 5]) {
      expect(await errorOf(runAgent(agent, input as Message[]))).toMatchObject({
        code: 'invalid-options',
        field: 'input',
      });
    }
    expect(provider.chats).toEqual([]);
  });

  test('refuses a message whose calls are not a list', async () => {
    const { provider, agent } = setUp([says('Hi')]);
    const input = [QUESTION, { ...ASKED, toolCalls: 'abc' }] as unknown as Message[];
    expect(await errorOf(runAgent(agent, input))).toMatchObject({
      code: 'invalid-options',
      field: 'input[1].toolCalls',
    });
    expect(provider.chats).toEqual([]);
  });

  test('runs no open call if an option is invalid', async () => {
    const execute = vi.fn<() => string>(() => 'cold');
    const sampling = { seed: '5' } as object;
    const { agent } = setUp([says('Hi')], { tools: [{ ...WEATHER, execute }], sampling });
    expect(await errorOf(runAgent(agent, [QUESTION, ASKED]))).toMatchObject({ field: 'sampling.seed' });
    expect(execute).not.toHaveBeenCalled();
  });
});
