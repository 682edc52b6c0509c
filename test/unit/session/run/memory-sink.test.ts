import { describe, expect, test } from 'vitest';
import type { ToolMock } from '../../../../src/protocol';
import type { AgentRequest } from '../../../../src/session/run/agent-run';
import { AgentRun } from '../../../../src/session/run/agent-run';
import { openRun } from '../../../../src/session/run/setup';
import { MemorySink } from '../../../../src/session/run/memory-sink';
import { toAsked } from '../../../support/session/make-setup';
import type { SessionSetup } from '../../../support/session/scripted-session';
import { calling, inTurn, scriptedServices } from '../../../support/session/scripted-session';

async function runAgent(setup: SessionSetup, rest: Partial<AgentRequest> = {}) {
  const { services, asked } = scriptedServices(setup);
  const sink = new MemorySink();
  sink.addMessage({ role: 'user', content: 'Weather?' });
  const mocks: ToolMock[] = [{ call: 1, result: { temp_c: -2 } }, { ask: true }];
  const { signal } = new AbortController();
  const request: AgentRequest = {
    agentRunId: 'r',
    opened: await openRun(services, toAsked({ tools: [{ name: 'get_weather', mocks }] }), signal),
    isStepMode: false,
    signal,
    ask: () => Promise.resolve({ content: 'by hand', isError: true, source: 'given' }),
    pause: () => Promise.resolve(false),
    ...rest,
  };
  const ending = await new AgentRun({ ...services, knownConnections: () => [] }, sink, request).run();
  return { ending, sink, asked };
}

describe('MemorySink', () => {
  test('receives a whole agent run: replies, results, asked calls and the ending', async () => {
    const script = inTurn(calling('get_weather', 'get_weather', 'gone'), { content: 'Cold.' });
    const { ending, sink, asked } = await runAgent({ script });
    expect(ending).toMatchObject({ stopReason: 'answer', steps: 2, answered: 3, errors: 2 });
    const [message, first, last] = sink.items;
    expect(sink.items).toHaveLength(3);
    expect(message).toMatchObject({ kind: 'message', message: { content: 'Weather?' } });
    expect(first).toMatchObject({
      kind: 'run',
      id: 'r/1',
      step: { agentRunId: 'r', number: 1 },
      asked: new Set(),
      results: new Map([
        [0, { content: '{"temp_c":-2}', isError: false, source: 'mock' }],
        [1, { content: 'by hand', isError: true, source: 'given' }],
        [2, expect.objectContaining({ isError: true, source: 'refused' })],
      ]),
    });
    expect(last).toMatchObject({ id: 'r/2', ending, record: { turn: { assistant: { content: 'Cold.' } } } });
    expect(asked[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'tool']);
    expect(sink.setups.get('r/1')).toBe(sink.setups.get('r/2'));
    expect(sink.wires.get('r/2')?.record()).toMatchObject({ connectionId: 'demo' });
  });

  test('gets a message that was said in a pause before the next step is sent', async () => {
    const { sink, asked } = await runAgent(
      { script: inTurn(calling('get_weather'), { content: 'Cold.' }) },
      {
        isStepMode: true,
        pause: (_signal, say) => {
          say('Hurry.');
          return Promise.resolve(false);
        },
      },
    );
    expect(sink.items.map(({ kind }) => kind)).toEqual(['message', 'run', 'message', 'run']);
    expect(asked[1]?.messages.at(-1)).toEqual({ role: 'user', content: 'Hurry.' });
  });

  test('keeps a failed run, and ignores what is said of an unknown one', async () => {
    const { ending, sink } = await runAgent({ script: () => Promise.reject(new Error('off')) });
    expect(ending).toMatchObject({ stopReason: 'error', steps: 1 });
    expect(sink.items.at(-1)).toMatchObject({ verdict: { kind: 'failed' } });
    sink.setResult('other', 0, { content: '', isError: false, source: 'given' });
    expect(sink.items).toHaveLength(2);
  });
});
