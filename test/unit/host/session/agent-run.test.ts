// Agent runs of a session, with the demo server and one that makes tool calls; the mocks of the document give the results.
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { HostSession } from '../../../support/vscode/host-session';
import { QUESTION, TestHost, WEATHER_RESULT, WEATHER_TOOL } from '../../../support/vscode/host-session';
import type { TestServer } from '../../../support/servers/http-server';
import { sendJson, startServer } from '../../../support/servers/http-server';
import { settings } from '../../../support/vscode/vscode-stub';
import type { AskingReply } from './asking-server';
import { startAskingServer, toCall } from './asking-server';

const KEY = 'canary-0123456789-canary';
const MOCK = JSON.stringify(WEATHER_RESULT);
const host = new TestHost();
let server: TestServer | undefined;

afterEach(async () => {
  await host.reset();
  await server?.[Symbol.asyncDispose]();
  server = undefined;
});
afterAll(() => host.close());

/**
 * Starts a server that makes the same tool call each time, unless the reply is given. @returns the fields of a lane on it.
 */
async function startAsking(reply?: AskingReply): Promise<{ connection: string; model: string }> {
  server = await startAskingServer(reply);
  const costPer1kTokens = { input: 1, output: 2 };
  settings.user = {
    connections: { asking: { provider: 'hosted-api', host: `${server.url}/v1`, costPer1kTokens } },
  };
  await host.keys.set('asking', server.url, KEY);
  return { connection: 'asking', model: 'm' };
}

/** Returns this reply first, then an answer. */
function once(reply: object): AskingReply {
  let asked = 0;
  return () => (asked++ === 0 ? reply : { content: 'Sorry.' });
}

async function run(lane: object, text = QUESTION): Promise<HostSession> {
  const one = await host.open({ lane: { model: 'native-call', ...lane } });
  await one.start('agent', text);
  await one.settled();
  return one;
}
const endingOf = (one: HostSession) => one.runs().at(-1)?.ending;
const bodies = (): { messages: { role: string; content: string }[] }[] =>
  (server?.requests ?? []).map(({ body }) => JSON.parse(body) as { messages: [] });

describe('an agent run', () => {
  test('sends requests and mocked results until the model answers', async () => {
    const one = await run({ model: 'parallel-calls' }, 'Weather in Oslo and Bergen?');
    const answer = { content: MOCK, isError: false, source: 'mock' };
    const [first, second] = one.runs();
    expect(first).toMatchObject({
      step: { number: 1 },
      outcome: { verdict: { kind: 'native', detail: '2 calls' } },
      results: { 0: answer, 1: answer },
    });
    expect(second).toMatchObject({
      step: { number: 2, agentRunId: first?.step?.agentRunId },
      outcome: { reply: { toolCalls: [] }, verdict: { kind: 'answer', detail: 'after 2 calls' } },
      results: {},
      ending: { stopReason: 'answer', steps: 2, answered: 2, errors: 0 },
    });
    expect(second?.ending?.usage.promptTokens).toBeGreaterThan(0);
    expect(second?.ending).not.toHaveProperty('costUsd');
    expect([...new Set(one.progress.map(({ runId }) => runId))]).toEqual([first?.id, second?.id]);
    expect(one.progress.some(({ runId, reply }) => runId === second?.id && reply?.content)).toBe(true);
    expect(host.lines.join()).not.toContain('Oslo');
  });

  test('continues from open calls: their results are sent before the next request', async () => {
    const one = await host.open({ lane: { model: 'uses-result' } });
    await one.start('chat', QUESTION);
    await one.settled();
    expect(one.runs()[0]?.results).toEqual({});
    await one.start('agent');
    await one.settled();
    const [first, second] = one.runs();
    expect(first?.results[0]).toMatchObject({ content: MOCK, isError: false });
    expect(second?.outcome?.reply?.raw.content).toContain('snow');
    expect(second?.ending).toMatchObject({ stopReason: 'answer', steps: 1, answered: 1 });
  });

  test('reports a call of an unknown tool as an error result and a finding, and continues', async () => {
    const one = await run(await startAsking(once(toCall('book_hotel', { city: 'Oslo' }))));
    const [first] = one.runs();
    expect(first?.results[0]).toMatchObject({
      isError: true,
      source: 'refused',
      content: expect.stringContaining('no tool named book_hotel'),
    });
    expect(first?.outcome?.findings[0]?.what).toContain('`book_hotel` was called natively, but was not');
    expect(first?.outcome?.reply?.schemaIssues[0]?.[0]?.message).toBe('`book_hotel` is not an offered tool.');
    expect(endingOf(one)).toMatchObject({ stopReason: 'answer', answered: 1, errors: 1 });
  });

  test('reports a call with invalid arguments as an error, even if its tool has a mock', async () => {
    const one = await run(await startAsking(once(toCall('get_weather', {}))));
    const [first] = one.runs();
    expect(first?.results[0]).toMatchObject({ isError: true, source: 'refused' });
    expect(first?.results[0]?.content).toMatch(/^The arguments of get_weather/);
    expect(first?.outcome?.findings[0]?.what).toContain('`get_weather`');
    expect(bodies()[1]?.messages.at(-1)?.content).toContain('The arguments of get_weather');
    expect(endingOf(one)).toMatchObject({ answered: 1, errors: 1 });
  });

  test('ends at its step limit, with its cost', async () => {
    const one = await run({ ...(await startAsking()), limits: { maxSteps: 2 } });
    expect(one.runs().map(({ results }) => Object.keys(results).length)).toEqual([1, 1]);
    expect(endingOf(one)).toMatchObject({
      stopReason: 'max-steps',
      steps: 2,
      usage: { promptTokens: 20, completionTokens: 10 },
      costUsd: expect.closeTo(0.04),
    });
  });

  test.each([
    ['tokens', { maxTokens: 20 }, 'It used 30 tokens of at most 20.'],
    ['cost', { maxCostUsd: 0.03 }, 'of at most 0.03'],
  ])('ends at a budget of %s, and names it', async (_, limits, detail) => {
    const one = await run({ ...(await startAsking()), limits });
    expect(endingOf(one)).toMatchObject({
      stopReason: 'budget',
      steps: 2,
      detail: expect.stringContaining(detail),
    });
  });

  test('refuses a cost budget without rates before anything is sent', async () => {
    const one = await run({ limits: { maxCostUsd: 1 } });
    expect(one.runs()).toMatchObject([
      {
        step: { number: 1 },
        outcome: { error: { code: 'invalid-options' }, ledger: [] },
        ending: { stopReason: 'error', steps: 1 },
      },
    ]);
    expect(one.progress).toEqual([]);
  });

  test('keeps its steps when it is stopped, and ends a wait at once', async () => {
    let asked = 0;
    const lane = await startAsking(() => toCall('get_weather', { city: `Oslo ${asked++}` }));
    const one = await host.open({ lane: { ...lane, limits: { maxSteps: 100 } } });
    await one.start('agent', QUESTION);
    await one.until(() => one.runs().length > 2);
    const before = one.runs().filter(({ outcome, results }) => outcome && results[0]);
    await one.ask('run/stop', {});
    await one.settled();
    expect(before.length).toBeGreaterThan(0);
    expect(one.runs().slice(0, before.length)).toEqual(before);
    expect(endingOf(one)?.stopReason).toBe('stopped');
    const last = one.runs().at(-1)?.outcome;
    expect(last?.verdict.kind === 'stopped' ? last.error?.code : 'aborted').toBe('aborted');
  });

  test('keeps its steps after an error, and explains the error', async () => {
    let asked = 0;
    const lane = await startAsking(() =>
      asked++ === 0 ? toCall('get_weather', { city: 'Oslo' }) : undefined,
    );
    const one = await run(lane);
    expect(one.runs()).toMatchObject([
      { outcome: { verdict: { kind: 'native' } }, results: { 0: { content: MOCK } } },
      { step: { number: 2 }, outcome: { verdict: { kind: 'failed' }, ledger: [{ status: 200 }] } },
    ]);
    expect(endingOf(one)).toMatchObject({
      stopReason: 'error',
      steps: 2,
      answered: 1,
      usage: { promptTokens: 10 },
    });
    expect(one.runs()[1]?.outcome?.error?.next).not.toBe('');
  });

  test('has an outcome for an unknown connection, too', async () => {
    expect((await run({ connection: 'gone' })).runs()).toMatchObject([
      {
        step: { number: 1 },
        outcome: { error: { code: 'connection-unknown' } },
        ending: { stopReason: 'error' },
      },
    ]);
  });

  test('sends all finished steps and later the outcome to a view that opens meanwhile', async () => {
    let release: (reply: object) => void = () => undefined;
    const held = new Promise<object>((resolve) => (release = resolve));
    let asked = 0;
    const lane = await startAsking(() => (asked++ === 0 ? toCall('get_weather', { city: 'Oslo' }) : held));
    const one = await host.open({ lane });
    await one.start('agent', QUESTION);
    await one.until(() => one.runs().length === 2);
    const { view, events } = one.addView();
    expect(view.open().lanes[0]?.entries).toMatchObject([
      { kind: 'message' },
      { outcome: { verdict: { kind: 'native' } }, results: { 0: { content: MOCK } } },
      { step: { number: 2 } },
    ]);
    release({ content: 'Cold.' });
    await one.settled();
    await one.until(() => JSON.stringify(events).includes('"stopReason":"answer"'));
  });
});

describe('a key that the model repeats', () => {
  const expectNoKey = async (reply: AskingReply, mocks: object[] = WEATHER_TOOL.mocks): Promise<string> => {
    const { store, contents } = host.openFileStore();
    const lane = await startAsking(reply);
    const one = await host.open({ lane, store, document: { tools: [{ ...WEATHER_TOOL, mocks }] } });
    await one.start('agent', QUESTION);
    await one.settled();
    await one.session.flush();
    expect(endingOf(one)?.stopReason).toBe('answer');
    const everything = JSON.stringify([one.entries(), one.events, one.progress, host.lines, contents()]);
    expect(everything.includes('canary')).toBe(false);
    return everything;
  };

  test('is redacted everywhere if it is in its answer', async () => {
    expect(await expectNoKey(() => ({ content: `Your key is ${KEY}.` }))).toContain('Your key is ****');
  });

  test('is redacted everywhere if it is in arguments that no mock matches', async () => {
    const reply = once(toCall('get_weather', { city: KEY }));
    expect(await expectNoKey(reply, [{ when: { city: 'Oslo' }, result: 1 }])).toContain('the call has');
  });

  test('is redacted everywhere if it is in arguments that are not JSON', async () => {
    const call = {
      id: 'c',
      type: 'function',
      function: { name: 'get_weather', arguments: `{"city": ${KEY}` },
    };
    await expectNoKey(once({ content: '', tool_calls: [call] }));
  });
});

test('an agent run goes on with a reply that its service paused, also one without text', async () => {
  const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'Oslo' } };
  const replies = [
    { type: 'message', content: [search], stop_reason: 'pause_turn', usage: {} },
    { type: 'message', content: [{ type: 'text', text: 'Cold.' }], stop_reason: 'end_turn', usage: {} },
  ];
  server = await startServer((_, response, count) => sendJson(response, 200, replies[count - 1]));
  settings.user = { connections: { pausing: { provider: 'messages-api', host: server.url, auth: 'none' } } };
  const one = await run({ connection: 'pausing', model: 'm', stream: false });
  expect(endingOf(one)).toMatchObject({ stopReason: 'answer', steps: 2 });
  expect(bodies()[1]?.messages).toEqual([
    { role: 'user', content: QUESTION },
    { role: 'assistant', content: [search] },
  ]);
});
