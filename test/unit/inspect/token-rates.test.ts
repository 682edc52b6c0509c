import { describe, expect, test } from 'vitest';
import { tokenRates } from '../../../src/inspect';
import type { AttemptRecord } from '../../../src/types';
import { turnOf } from '../../support/diagnosis/diagnosis';

const rates = async (name: string) => {
  const { turn } = await turnOf(name);
  return tokenRates({ response: turn.exchange.response, usage: turn.usage, ledger: [] });
};

const attempt: AttemptRecord = {
  attempt: 1,
  startedAt: 0,
  endMs: 3_000,
  status: 200,
  endedBy: 'server',
  decision: 'done',
  reason: '',
};

describe('tokenRates', () => {
  test('of llama-server exclude the cached part of the prompt', async () => {
    expect(await rates('llamacpp-chat-tools')).toEqual({
      promptPerSecond: 42_900,
      completionPerSecond: 5_770,
      source: 'server',
    });
  });

  test('of Ollama are computed from its nanoseconds, with the load time of the model', async () => {
    expect(await rates('ollama-chat-tools')).toEqual({
      promptPerSecond: 13_400,
      completionPerSecond: 51.2,
      loadMs: 2.04537,
      source: 'server',
    });
  });

  test.each(['llamacpp-chat-stream-usage', 'ollama-chat-stream'])(
    'come from the last document of a stream: %s',
    async (name) => {
      expect((await rates(name))?.completionPerSecond).toBeGreaterThan(0);
    },
  );

  test('come from a last document of any length, such as that of Ollama with a long call', () => {
    const call = { function: { name: 'write_file', arguments: { text: 'x'.repeat(100_000) } } };
    const last = {
      message: { tool_calls: [call] },
      done: true,
      eval_count: 10,
      eval_duration: 1_000_000_000,
    };
    const body = `${JSON.stringify({ message: {}, done: false })}\n${JSON.stringify(last)}\n`;
    expect(tokenRates({ response: { body }, usage: {}, ledger: [] })).toMatchObject({
      completionPerSecond: 10,
      source: 'server',
    });
  });

  test('are measured from the first piece on if the server sends no times', () => {
    const run = { response: { body: '{"choices": []}' }, usage: { completionTokens: 41 }, ledger: [attempt] };
    expect(tokenRates({ ...run, firstTokenMs: 1_000 })).toEqual({
      completionPerSecond: 20,
      source: 'measured',
    });
  });

  test('are not measured for a reply that came in one piece', () => {
    const run = { response: undefined, usage: { completionTokens: 41 }, ledger: [attempt] };
    expect(tokenRates({ ...run, firstTokenMs: 2_997 })).toBeUndefined();
    expect(tokenRates({ ...run, firstTokenMs: 2_950 })?.completionPerSecond).toBe(800);
  });

  test('are undefined without valid data', () => {
    const usage = { completionTokens: 41 };
    expect(tokenRates({ response: undefined, usage, ledger: [attempt] })).toBeUndefined();
    expect(
      tokenRates({ response: { body: 'not JSON' }, usage: {}, ledger: [attempt], firstTokenMs: 1 }),
    ).toBeUndefined();
    const odd = { timings: { prompt_n: '5', prompt_ms: 0, predicted_n: 3, predicted_ms: -1 } };
    expect(tokenRates({ response: { body: JSON.stringify(odd) }, usage, ledger: [] })).toBeUndefined();
  });
});
