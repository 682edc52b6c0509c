// Agents with the demo back end: real requests in its protocols.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DemoServer } from '../../../../src/demo';
import { startDemoServer } from '../../../../src/demo';
import type { Providers } from '../../../../src/library';
import {
  closeConnections,
  HostedApiProvider,
  LocalHostProvider,
  MessagesApiProvider,
  ResponsesApiProvider,
  runAgent,
} from '../../../../src/library';
import { WEATHER } from './agent-fixtures';

const INPUT = 'What is the weather in Oslo?';
const costPer1kTokens = { input: 1, output: 2 };

let demo: DemoServer;
beforeAll(async () => {
  demo = await startDemoServer();
});
afterAll(async () => {
  await closeConnections();
  await demo.close();
});

type MakeProvider = (model: string) => Providers;
const PROVIDERS: [string, MakeProvider][] = [
  ['local', (model) => new LocalHostProvider({ host: demo.localHost, model, costPer1kTokens, ...RETRY })],
  [
    'hosted',
    (model) =>
      new HostedApiProvider({
        host: demo.hostedHost,
        apiKey: '',
        auth: 'none',
        model,
        costPer1kTokens,
        ...RETRY,
      }),
  ],
  [
    'messages',
    (model) =>
      new MessagesApiProvider({ host: demo.localHost, apiKey: 'any', model, costPer1kTokens, ...RETRY }),
  ],
  [
    'responses',
    (model) =>
      new ResponsesApiProvider({ host: demo.hostedHost, apiKey: 'any', model, costPer1kTokens, ...RETRY }),
  ],
];
const RETRY = { retry: { initialDelayMs: 1, respectRetryAfter: false } };

describe.each(PROVIDERS)('an agent with the %s demo', (_, make) => {
  test('answers from the result of a native call', async () => {
    const report = await runAgent({ provider: make('native-call'), tools: [WEATHER] }, INPUT);
    expect(report).toMatchObject({
      output: 'It is −2 °C in Oslo.',
      stopReason: 'answer',
      attempts: 2,
      steps: [{ calls: [{ name: 'get_weather', source: 'native' }], results: [{ isError: false }] }, {}],
    });
    const { promptTokens = 0, completionTokens = 0 } = report.usage;
    const turns = report.steps.map(({ turn }) => turn.usage);
    expect(promptTokens).toBe(turns.reduce((sum, usage) => sum + (usage.promptTokens ?? 0), 0));
    expect(report.costUsd).toBeCloseTo((promptTokens + 2 * completionTokens) / 1000);
    expect(report.costUsd).toBeGreaterThan(0);
  });

  test('gets every field of a result, and the failure of a call', async () => {
    const provider = make('uses-result');
    const good = await runAgent({ provider, tools: [WEATHER] }, INPUT);
    expect(good.output).toBe('The tool get_weather answered: city is "Oslo", temp_c is -2.');
    const broken = { ...WEATHER, execute: () => Promise.reject(new Error('no station')) };
    const bad = await runAgent({ provider, tools: [broken] }, INPUT);
    expect(bad.output).toBe('The tool get_weather failed: The tool get_weather failed: no station');
  });

  test('copes with two refused requests and a call written as text', async () => {
    const report = await runAgent({ provider: make('first-look'), tools: [WEATHER] }, INPUT);
    expect(report).toMatchObject({
      output: 'It is −2 °C in Oslo.',
      attempts: 4,
      steps: [{ calls: [{ name: 'get_weather', source: 'rescued' }] }, {}],
    });
  });
});

test('an agent with the messages demo sends its thinking back, which the demo demands', async () => {
  const raw = { thinking: { type: 'enabled', budget_tokens: 1024 } };
  const provider = new MessagesApiProvider({
    host: demo.localHost,
    apiKey: 'any',
    model: 'native-call',
    raw,
  });
  const report = await runAgent({ provider, tools: [WEATHER] }, INPUT);
  expect(report).toMatchObject({ output: 'It is −2 °C in Oslo.', stopReason: 'answer' });
  expect(report.steps.map(({ turn }) => turn.assistant.reasoning)).toEqual([
    'The message says: “What is the weather in Oslo?”. I call get_weather for it.',
    'The result is here. I answer from it.',
  ]);
});
