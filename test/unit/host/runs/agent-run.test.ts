// Runs to the end through the run service, against the demo server: the mocks of the tools answer.
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiKeys } from '../../../../src/host/connections/api-keys';
import { ConnectionService } from '../../../../src/host/connections/connection-service';
import { DemoBackEnd } from '../../../../src/host/connections/demo-back-end';
import { RunService } from '../../../../src/host/runs/run-service';
import { TOOL_SAMPLES } from '../../../../src/host/tools/tool-samples';
import { closeConnections } from '../../../../src/library';
import type { AgentForm, AgentOutcome, AgentStepView, RunProgress } from '../../../../src/protocol';
import type { TestServer } from '../../../support/http-server';
import { FakeSecrets, settings } from '../../../support/vscode-stub';
import type { AskingReply } from './asking-server';
import { startAskingServer, toCall } from './asking-server';

const KEY = 'canary-0123456789-canary';
const MOCK = TOOL_SAMPLES.find(({ name }) => name === 'get_weather')?.mock;
const lines: string[] = [];
const note = (line: string | Error): void => void lines.push(String(line));
const demo = new DemoBackEnd();
let steps: AgentStepView[];
let progress: RunProgress[];
let keys: ApiKeys;
let runs: RunService;
let server: TestServer | undefined;

const form = (fields: Partial<AgentForm> = {}): AgentForm => ({
  runId: 'agent',
  connectionId: 'demo',
  model: 'native-call',
  systemPrompt: '',
  messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
  toolNames: ['get_weather'],
  sampling: {},
  rescueToolCalls: true,
  maxSteps: 10,
  ...fields,
});
const run = (fields?: Partial<AgentForm>): Promise<AgentOutcome> =>
  runs.startToEnd(form(fields), new AbortController().signal);

/** A connection to a server that asks for the same tool for ever, unless the reply is something else. */
async function startAsking(reply?: AskingReply): Promise<string> {
  server = await startAskingServer(reply);
  const asking = {
    provider: 'hosted-api',
    host: `${server.url}/v1`,
    costPer1kTokens: { input: 1, output: 2 },
  };
  settings.user = { connections: { asking } };
  await keys.set('asking', server.url, KEY);
  return 'asking';
}

beforeEach(() => {
  lines.length = 0;
  steps = [];
  progress = [];
  settings.user = {};
  keys = new ApiKeys(new FakeSecrets());
  runs = new RunService(
    new ConnectionService(keys, demo),
    { info: note, warn: note, error: note },
    {
      onProgress: (event) => void progress.push(event),
      onStep: (step) => void steps.push(step),
    },
  );
});
afterEach(async () => {
  runs.dispose();
  await server?.[Symbol.asyncDispose]();
  server = undefined;
});
afterAll(async () => {
  await demo.stop();
  await closeConnections();
});

describe('a run to the end', () => {
  test('asks, answers with the mocks and asks again, until the model answers', async () => {
    const outcome = await run({
      model: 'parallel-calls',
      messages: [{ role: 'user', content: 'Weather in Oslo and Bergen?' }],
    });
    expect(outcome).toMatchObject({
      agentRunId: 'agent',
      steps: [
        {
          step: 1,
          outcome: { runId: 'agent/1', verdict: { kind: 'native', detail: '2 calls' } },
          answers: [
            { content: MOCK, isError: false },
            { content: MOCK, isError: false },
          ],
        },
        { step: 2, outcome: { runId: 'agent/2', turn: { toolCalls: [] } }, answers: [] },
      ],
      ending: { stopReason: 'answer', steps: 2, answered: 2, unmatched: 0 },
    });
    expect(outcome.ending.usage.promptTokens).toBeGreaterThan(0);
    expect(outcome.ending).not.toHaveProperty('costUsd');
    expect(steps).toEqual(outcome.steps);
    expect([...new Set(progress.map(({ runId }) => runId))]).toEqual(['agent/1', 'agent/2']);
    expect(progress.some(({ runId, reply }) => runId === 'agent/2' && reply?.content)).toBe(true);
    expect(lines.join()).not.toContain('Oslo');
  });

  test('goes on from open calls: they are answered before the model is asked', async () => {
    const call = {
      id: 'call_9',
      name: 'get_weather',
      arguments: { city: 'Oslo' },
      source: 'native' as const,
    };
    const outcome = await run({
      model: 'uses-result',
      messages: [
        { role: 'user', content: 'Weather in Oslo?' },
        { role: 'assistant', content: '', toolCalls: [call] },
      ],
    });
    expect(outcome.steps[0]).toEqual({
      agentRunId: 'agent',
      step: 0,
      answers: [{ callId: 'call_9', content: MOCK, isError: false }],
    });
    expect(outcome.steps[1]?.outcome?.turn?.assistant.content).toContain('snow');
    expect(outcome.ending).toMatchObject({ stopReason: 'answer', steps: 1, answered: 1 });
  });

  test('a call that no mock fits is told as an error and found, and the run goes on', async () => {
    let asked = 0;
    const connectionId = await startAsking(() =>
      asked++ === 0 ? toCall('book_hotel', { city: 'Oslo' }) : { content: 'Sorry.' },
    );
    const { steps: told, ending } = await run({ connectionId });
    expect(told[0]).toMatchObject({
      answers: [
        { callId: 'call_1', isError: true, content: expect.stringContaining('no tool named book_hotel') },
      ],
      outcome: {
        findings: [{ severity: 'warning', what: '`book_hotel` is no tool that was offered.' }, {}],
      },
    });
    expect(ending).toMatchObject({ stopReason: 'answer', answered: 1, unmatched: 1 });
  });

  test('a call whose arguments do not fit is told as such, though its tool has a mock', async () => {
    let asked = 0;
    const connectionId = await startAsking(() =>
      asked++ === 0 ? toCall('get_weather', {}) : { content: 'Sorry.' },
    );
    const { steps: told, ending } = await run({ connectionId });
    const [first] = told[0]?.outcome?.findings ?? [];
    expect(first?.what).toMatch(
      /^The call of `get_weather` was answered with an error\. The arguments of get_weather/,
    );
    expect(first?.next).toContain('parameters of the tool');
    expect(ending).toMatchObject({ answered: 1, unmatched: 1 });
  });

  test('ends at its step limit, with what it cost', async () => {
    const { steps: told, ending } = await run({ connectionId: await startAsking(), maxSteps: 2 });
    expect(told.map(({ answers }) => answers.length)).toEqual([1, 1]);
    expect(ending).toMatchObject({
      stopReason: 'max-steps',
      steps: 2,
      usage: { promptTokens: 20, completionTokens: 10 },
      costUsd: expect.closeTo(0.04),
    });
  });

  test.each([
    ['tokens', { maxTokens: 20 }, 'It used 30 tokens of at most 20.'],
    ['cost', { maxCostUsd: 0.03 }, 'of at most 0.03'],
  ])('ends at a budget of %s, and says which', async (_, limits, detail) => {
    const { ending } = await run({ connectionId: await startAsking(), ...limits });
    expect(ending).toMatchObject({ stopReason: 'budget', steps: 2, detail: expect.stringContaining(detail) });
  });

  test('a cost budget without rates is refused before anything is sent', async () => {
    const { steps: told, ending } = await run({ maxCostUsd: 1 });
    expect(ending).toMatchObject({ stopReason: 'error', steps: 1 });
    expect(told).toMatchObject([{ step: 1, outcome: { error: { code: 'invalid-options' }, ledger: [] } }]);
    expect(progress).toEqual([]);
  });

  test('a stop keeps the steps so far and ends the wait at once', async () => {
    let asked = 0;
    const controller = new AbortController();
    const connectionId = await startAsking(() => toCall('get_weather', { city: `Oslo ${asked++}` }));
    const running = runs.startToEnd(form({ connectionId, maxSteps: 100 }), controller.signal);
    await expect.poll(() => steps.length).toBeGreaterThan(1);
    controller.abort();
    const { steps: told, ending } = await running;
    expect(ending.stopReason).toBe('stopped');
    expect(told.slice(0, steps.length)).toEqual(steps);
    expect(told.at(-1)).toMatchObject({
      outcome: { verdict: { kind: 'stopped' }, error: { code: 'aborted' } },
    });
  });

  test('an error keeps the steps so far, and says what happened, why and what next', async () => {
    let asked = 0;
    const connectionId = await startAsking(() => {
      return asked++ === 0 ? toCall('get_weather', { city: 'Oslo' }) : undefined;
    });
    const { steps: told, ending } = await run({ connectionId });
    expect(ending).toMatchObject({ stopReason: 'error', steps: 2, answered: 1, usage: { promptTokens: 10 } });
    expect(told).toMatchObject([
      { outcome: { verdict: { kind: 'native' } } },
      { outcome: { runId: 'agent/2', verdict: { kind: 'failed' }, ledger: [{ status: 200 }] } },
    ]);
    expect(told[1]?.outcome?.error?.next).not.toBe('');
  });

  test('a connection that is gone is an outcome, too', async () => {
    expect(await run({ connectionId: 'gone' })).toMatchObject({
      steps: [{ step: 1, outcome: { runId: 'agent/1', error: { code: 'connection-unknown' } } }],
      ending: { stopReason: 'error' },
    });
  });

  test('a panel that came back is told all finished steps anew, and gets the outcome', async () => {
    const { signal } = new AbortController();
    let release: (reply: object) => void = () => undefined;
    const held = new Promise<object>((resolve) => (release = resolve));
    let asked = 0;
    const connectionId = await startAsking(() =>
      asked++ === 0 ? toCall('get_weather', { city: 'Oslo' }) : held,
    );
    const running = run({ connectionId });
    await expect.poll(() => steps.length).toBe(1);
    steps.length = 0;
    const attached = runs.attachToEnd('agent', signal);
    expect(steps).toMatchObject([
      { step: 1, outcome: { verdict: { kind: 'native' } }, answers: [{ content: MOCK }] },
    ]);
    release({ content: 'Cold.' });
    expect(await attached).toEqual(await running);
    expect(runs.attachToEnd('other', signal)).toBeUndefined();
  });

  test('a key that the model repeats appears nowhere', async () => {
    const connectionId = await startAsking(() => ({ content: `Your key is ${KEY}.` }));
    const outcome = await run({ connectionId });
    expect(outcome.ending.stopReason).toBe('answer');
    expect(JSON.stringify([outcome, steps, progress, lines])).not.toContain('canary');
  });
});
