// A recording of a window with the demo as its server and the official client as its program, without an editor: what the program
// gets with and without repair, and what is stored of it.
import OpenAI from 'openai';
import type { RunnableToolFunctionWithoutParse } from 'openai/lib/RunnableFunction';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createConnectionSource } from '../../../../src/connections/connection-source';
import type { RecordedTarget } from '../../../../src/host/recording/live-recording';
import { LiveRecording } from '../../../../src/host/recording/live-recording';
import { loadEngine } from '../../../../src/host/load-engine';
import type { RecordedRow, RecordingChange } from '../../../../src/protocol';
import { toExchangeLine } from '../../../../src/recording';
import { MemoryRunStore, storedRuns, SYSTEM_CLOCK } from '../../../../src/session';
import { startServer } from '../../../support/servers/http-server';
import { QUESTION, TestHost, WEATHER_RESULT, WEATHER_TOOL } from '../../../support/vscode/host-session';

const host = new TestHost();
afterAll(() => host.close());

async function demoTarget(): Promise<RecordedTarget> {
  const demo = host.connections.find('demo-hosted');
  return {
    connection: { id: demo.id, label: demo.label },
    target: (await demo.builtIn?.host()) ?? '',
    clients: ['openai'],
    key: 'none',
  };
}

async function open(store = new MemoryRunStore()) {
  const engine = await loadEngine();
  const changes: RecordingChange[] = [];
  const problems: unknown[] = [];
  const live = new LiveRecording(
    {
      id: 'recording:x',
      engine,
      openBook: async ({ first, ...told }) => {
        if (first !== undefined) await store.remove('recording:x');
        return new engine.RecordingBook({
          journal: await store.open('recording:x'),
          services: {
            connections: createConnectionSource(host.connections, () => () => undefined),
            clock: SYSTEM_CLOCK,
          },
          first,
          ...told,
        });
      },
      requestsLeaveFrom: 'this computer',
      connections: () => [],
      explain: (error) => host.connections.explain(error),
      onProblem: (error) => problems.push(error),
      onStored: () => undefined,
    },
    { state: 'starting', since: 0 },
  );
  onTestFinished(async () => {
    await live.close();
    expect(problems).toEqual([]);
  });
  live.onDidChange((change) => changes.push(change));
  return { live, changes, store };
}

/** @returns the cities for which the program called its tool, and its final text */
async function runLoop(address: string, model = 'hermes-text') {
  const cities: string[] = [];
  const tool: RunnableToolFunctionWithoutParse = {
    type: 'function',
    function: {
      name: WEATHER_TOOL.name,
      description: WEATHER_TOOL.description,
      parameters: WEATHER_TOOL.parameters,
      function: (args: string) => {
        cities.push((JSON.parse(args) as { city: string }).city);
        return JSON.stringify(WEATHER_RESULT);
      },
    },
  };
  const client = new OpenAI({ baseURL: address, apiKey: 'sk-canary-of-the-program', maxRetries: 0 });
  const runner = client.chat.completions.runTools({
    model,
    stream: true,
    messages: [{ role: 'user', content: QUESTION }],
    tools: [tool],
  });
  return { text: await runner.finalContent(), cities };
}

const settled = async (live: LiveRecording, count: number): Promise<RecordedRow[]> => {
  await expect
    .poll(async () => (await live.rows(1)).filter(({ phase }) => phase === undefined).length, {
      timeout: 10_000,
    })
    .toBe(count);
  return live.rows(1);
};

describe('LiveRecording', () => {
  it('shows that the loop of a program ended for a call as text, and goes on once calls are repaired', async () => {
    const { live, changes, store } = await open();
    await live.start(await demoTarget());
    const { address } = live.snapshot();
    expect(live.snapshot()).toMatchObject({ state: 'waiting', isRepairing: false });
    const stuck = await runLoop(address);
    expect(stuck.cities).toEqual([]);
    expect(stuck.text).toContain('<tool_call>');
    const [first] = await settled(live, 1);
    expect(first).toMatchObject({ number: 1, verdict: { kind: 'rescued' }, messages: 1, tools: 1 });
    live.repair(true);
    const repaired = await runLoop(address);
    expect(repaired.cities).toEqual(['Oslo']);
    expect(repaired.text).not.toContain('<tool_call>');
    const rows = await settled(live, 3);
    expect(rows.map(({ number, session, isRepaired }) => [number, session, isRepaired])).toEqual([
      [1, 1, undefined],
      [2, 1, true],
      [3, 1, undefined],
    ]);
    const book = await live.book();
    const { record } = await book.run(rows[1]?.run?.runId ?? '');
    expect(record.findings[0]?.what).toBe('The call came as text. The program received it as a native call.');
    expect(live.snapshot()).toMatchObject({ state: 'recording', first: 1, last: 3 });
    await expect.poll(() => changes.at(-1)?.rows.length).toBeGreaterThan(0);
    await live.stop({ isNoted: true });
    expect(storedRuns(await store.read('recording:x'))).toHaveLength(3);
    const everything = JSON.stringify([
      changes,
      store,
      await store.read('recording:x'),
      await book.exported(rows[1]?.run?.runId ?? ''),
      toExchangeLine((await book.exchange(2)).exchange),
    ]);
    expect(everything).not.toContain('sk-canary-of-the-program');
  });

  it('adds the key of the connection for a program that sends none, and shows it nowhere', async () => {
    const server = await startServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: [], echo: 'sk-canary-of-the-connection' }));
    });
    const { live, changes } = await open();
    await live.start({
      connection: { id: 'a', label: 'A' },
      target: `${server.url}/v1`,
      clients: ['openai'],
      key: 'added',
      findKey: () => Promise.resolve('sk-canary-of-the-connection'),
    });
    const client = new OpenAI({ baseURL: live.snapshot().address, apiKey: 'unused', maxRetries: 0 });
    await client.models.list();
    expect(server.requests[0]?.headers['authorization']).toBe('Bearer sk-canary-of-the-connection');
    const [row] = await settled(live, 1);
    expect(row).toMatchObject({ method: 'GET', path: '/v1/models', status: 200 });
    expect(row).not.toHaveProperty('run');
    const stored = await (await live.book()).exchange(1);
    expect(stored.exchange.isKeyAdded).toBe(true);
    await live.stop();
    expect(JSON.stringify([changes, stored])).not.toContain('sk-canary-of-the-connection');
  });

  it('goes on with its numbers at a new address, and after everything was cleared', async () => {
    const { live } = await open();
    const target = await demoTarget();
    await live.start(target);
    const first = live.snapshot().address;
    await runLoop(first);
    await settled(live, 1);
    await live.start(target);
    expect(live.snapshot().address).not.toBe(first);
    await expect(runLoop(first)).rejects.toThrow('Connection error');
    await runLoop(live.snapshot().address);
    expect((await settled(live, 2)).map(({ number }) => number)).toEqual([1, 2]);
    await live.clear();
    expect(await live.rows(1)).toEqual([]);
    expect(live.snapshot()).toMatchObject({ state: 'waiting', first: 3, last: 2 });
    await runLoop(live.snapshot().address);
    expect((await settled(live, 1)).map(({ number }) => number)).toEqual([3]);
  });

  it('takes the same task of a program for another conversation, also after it was stopped', async () => {
    const { live } = await open();
    const target = await demoTarget();
    live.repair(true);
    await live.start(target);
    await runLoop(live.snapshot().address);
    await runLoop(live.snapshot().address);
    await settled(live, 4);
    await live.start(target);
    await runLoop(live.snapshot().address);
    const rows = await settled(live, 6);
    expect(rows.map(({ session }) => session)).toEqual([1, 1, 2, 2, 3, 3]);
    const book = await live.book();
    const { exchanges, lost } = await book.stored(2);
    expect(lost).toBe(0);
    expect(exchanges.map(({ number, session }) => [number, session])).toEqual([
      [3, 2],
      [4, 2],
    ]);
    expect(await book.exchanges([1, 99])).toHaveLength(1);
  });

  it('shows what was stored after its window was closed, and that it has stopped', async () => {
    const store = new MemoryRunStore();
    const { live } = await open(store);
    await live.start(await demoTarget());
    await runLoop(live.snapshot().address);
    const rows = await settled(live, 1);
    await live.close();
    const again = (await open(store)).live;
    const problem = { code: 'x', title: 'x', what: 'x', why: 'x', next: 'x' };
    await again.restore('Demo', problem);
    expect(await again.rows(1)).toEqual(rows);
    expect(again.snapshot()).toMatchObject({
      state: 'stopped',
      problem,
      connection: { id: 'demo-hosted' },
      first: 1,
      last: 1,
    });
  });

  it('says why it cannot begin', async () => {
    const { live } = await open();
    await live.start({ ...(await demoTarget()), target: 'ftp://127.0.0.1' });
    expect(live.isRunning).toBe(false);
    expect(live.snapshot()).toMatchObject({ state: 'stopped', problem: { code: expect.any(String) } });
  });
});
