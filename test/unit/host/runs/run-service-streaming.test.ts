// What a panel is told while a reply streams: from a server that says each piece when the test wants it.
import type { ServerResponse } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiKeys } from '../../../../src/host/connections/api-keys';
import { ConnectionService } from '../../../../src/host/connections/connection-service';
import { DemoBackEnd } from '../../../../src/host/connections/demo-back-end';
import { RunService } from '../../../../src/host/runs/run-service';
import { closeConnections } from '../../../../src/library';
import type { RunOutcome, RunProgress } from '../../../../src/protocol';
import type { TestServer } from '../../../support/http-server';
import { startServer } from '../../../support/http-server';
import { FakeSecrets, settings } from '../../../support/vscode-stub';

const KEY = 'canary-0123456789-canary';
const ignore = (): void => undefined;
let progress: RunProgress[];
let keys: ApiKeys;
let runs: RunService;
let server: TestServer | undefined;

interface Stream {
  /** Sends the next piece of the message. */
  write: (delta: object) => void;
  end: () => void;
  outcome: Promise<RunOutcome>;
}

/** A run against a server with the hosted protocol that has sent its headers and nothing else. */
async function startStream(): Promise<Stream> {
  let onOpened: (response: ServerResponse) => void = ignore;
  const opened = new Promise<ServerResponse>((resolve) => {
    onOpened = resolve;
  });
  server = await startServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    onOpened(response);
  });
  settings.user = { connections: { keyed: { provider: 'hosted-api', host: `${server.url}/v1` } } };
  await keys.set('keyed', server.url, KEY);
  const outcome = runs.start(
    {
      runId: 'streamed',
      connectionId: 'keyed',
      model: 'm',
      systemPrompt: '',
      messages: [{ role: 'user', content: 'Is it cold?' }],
      toolNames: ['get_weather'],
      sampling: {},
      rescueToolCalls: true,
    },
    new AbortController().signal,
  );
  const response = await opened;
  const send = (delta: object, finish: string | null): void =>
    void response.write(
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  const end = (): void => {
    send({}, 'stop');
    response.end('data: [DONE]\n\n');
  };
  return { write: (delta) => send(delta, null), end, outcome };
}

const latest = () => progress.at(-1)?.reply;

beforeEach(() => {
  progress = [];
  keys = new ApiKeys(new FakeSecrets());
  const connections = new ConnectionService(keys, new DemoBackEnd());
  runs = new RunService(connections, { info: ignore, warn: ignore, error: ignore }, (event) =>
    progress.push(event),
  );
});
afterEach(async () => {
  runs.dispose();
  await server?.[Symbol.asyncDispose]();
  server = undefined;
  settings.user = {};
});
afterAll(() => closeConnections());

describe('a reply that streams to RunService', () => {
  test('is told while it grows, each time as a whole, and the outcome has it all', async () => {
    const { write, end, outcome } = await startStream();
    write({ reasoning_content: 'Hm. ' });
    write({ content: 'It is ' });
    await expect.poll(latest).toMatchObject({ content: 'It is ', reasoning: 'Hm. ' });
    write({ content: 'cold.' });
    await expect.poll(latest).toMatchObject({ content: 'It is cold.', reasoning: 'Hm. ', toolCalls: [] });
    end();
    expect((await outcome).turn?.raw).toMatchObject({ content: 'It is cold.', reasoning: 'Hm. ' });
    expect(progress[0]).not.toHaveProperty('reply');
  });

  test('shows a native call as far as it is written', async () => {
    const { write, end, outcome } = await startStream();
    const args = (text: string, more = {}) => ({
      tool_calls: [{ index: 0, ...more, function: { arguments: text, ...more } }],
    });
    write(args('{"city": "Os', { id: 'call_1', name: 'get_weather' }));
    await expect
      .poll(() => latest()?.toolCalls)
      .toEqual([{ name: 'get_weather', arguments: '{"city": "Os' }]);
    write(args('lo"}'));
    await expect.poll(() => latest()?.toolCalls[0]?.arguments).toBe('{"city": "Oslo"}');
    end();
    expect((await outcome).verdict.kind).toBe('native');
  });

  test('is bounded: its end, and how much came before', async () => {
    const { write, end, outcome } = await startStream();
    write({ content: 'a'.repeat(30_000) });
    write({ content: 'b'.repeat(15_000) });
    await expect.poll(() => latest()?.omitted.content).toBe(25_000);
    expect(latest()?.content).toBe('a'.repeat(5_000) + 'b'.repeat(15_000));
    end();
    expect((await outcome).turn?.raw.content).toHaveLength(45_000);
  });

  test('shows no part of a key, though the key comes in pieces', async () => {
    const { write, end, outcome } = await startStream();
    write({ content: `Your key is ${KEY.slice(0, 11)}` });
    await expect.poll(() => latest()?.content).toBe('Your key is ');
    write({ content: KEY.slice(11) });
    write({ content: ', keep it.' });
    const masked = `Your key is ${'*'.repeat(KEY.length)}, keep it.`;
    await expect.poll(() => latest()?.content).toBe(masked);
    end();
    expect((await outcome).turn?.raw.content).toBe(masked);
    expect(JSON.stringify(progress)).not.toContain(KEY.slice(0, 6));
  });

  test('is told at intervals, not at every piece', async () => {
    const { write, end, outcome } = await startStream();
    const start = performance.now();
    for (let piece = 0; piece < 300; piece++) {
      write({ content: 'word ' });
      await setImmediate();
    }
    await expect.poll(() => latest()?.content.length).toBe(1500);
    const elapsedMs = performance.now() - start;
    end();
    await outcome;
    expect(progress.filter(({ reply }) => reply).length).toBeLessThanOrEqual(2 + elapsedMs / 60);
  });

  test('is told no more after the outcome', async () => {
    const { write, end, outcome } = await startStream();
    for (const content of ['one ', 'two ', 'three']) write({ content });
    end();
    await outcome;
    const told = progress.length;
    await setTimeout(2 * 60);
    expect(runs.attach('streamed', new AbortController().signal)).toBeDefined();
    expect(progress).toHaveLength(told);
  });

  test('is told no more when the panel is gone', async () => {
    const { write, outcome } = await startStream();
    write({ content: 'one ' });
    await expect.poll(latest).toBeDefined();
    write({ content: 'two' });
    runs.dispose();
    const told = progress.length;
    expect((await outcome).verdict.kind).toBe('stopped');
    await setTimeout(2 * 60);
    expect(progress).toHaveLength(told);
  });

  test('is told at once to a panel that comes back', async () => {
    const { write, end, outcome } = await startStream();
    write({ content: 'one ' });
    await expect.poll(() => latest()?.content).toBe('one ');
    progress.length = 0;
    const attached = runs.attach('streamed', new AbortController().signal);
    expect(progress).toMatchObject([{ runId: 'streamed', phase: 'reading', reply: { content: 'one ' } }]);
    end();
    expect(await attached).toEqual(await outcome);
  });
});
