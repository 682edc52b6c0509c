// What a view receives while a reply streams, from a server whose pieces the test controls.
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { LiveReplyView, RunOutcome, RunProgress } from '../../../../src/protocol';
import type { RunStore } from '../../../../src/session';
import type { HostSession } from '../../../support/vscode/host-session';
import { TestHost } from '../../../support/vscode/host-session';
import type { TestServer } from '../../../support/servers/http-server';
import { startServer } from '../../../support/servers/http-server';
import { settings } from '../../../support/vscode/vscode-stub';

const KEY = 'canary-0123456789-canary';
const INTERVAL_MS = 50;
const host = new TestHost();
let server: TestServer | undefined;

interface Stream {
  one: HostSession;
  /** Sends the next piece of the message. */
  write: (delta: object) => void;
  end: () => void;
  outcome: () => Promise<RunOutcome | undefined>;
}

afterEach(async () => {
  await host.reset();
  await server?.[Symbol.asyncDispose]();
  server = undefined;
});
afterAll(() => host.close());

/** Starts a chat with a server of the hosted protocol that has sent only its headers. */
async function startStream(store?: RunStore): Promise<Stream> {
  let onOpened: (response: ServerResponse) => void = () => undefined;
  const opened = new Promise<ServerResponse>((resolve) => (onOpened = resolve));
  server = await startServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    onOpened(response);
  });
  settings.user = { connections: { keyed: { provider: 'hosted-api', host: `${server.url}/v1` } } };
  await host.keys.set('keyed', server.url, KEY);
  const one = await host.open({ ...(store && { store }), lane: { connection: 'keyed', model: 'm' } });
  await one.start('chat', 'Is it cold?');
  const response = await opened;
  const send = (delta: object, finish: string | null): void =>
    void response.write(
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  const end = (): void => {
    send({}, 'stop');
    response.end('data: [DONE]\n\n');
  };
  const outcome = async (): Promise<RunOutcome | undefined> => {
    await one.settled();
    return one.runs()[0]?.outcome;
  };
  return { one, write: (delta) => send(delta, null), end, outcome };
}

const progressSentTo = ({ events }: Pick<HostSession, 'events'>): RunProgress[] =>
  events.flatMap(({ name, data }) =>
    name === 'run/progress' ? [(data as { progress: RunProgress }).progress] : [],
  );
const latest = (one: HostSession): LiveReplyView | undefined => progressSentTo(one).at(-1)?.reply;

describe('a reply that streams', () => {
  test('is sent to the view as a whole as it grows, and completely in the outcome', async () => {
    const { one, write, end, outcome } = await startStream();
    write({ reasoning_content: 'Hm. ' });
    write({ content: 'It is ' });
    await one.until(() => latest(one)?.content === 'It is ');
    expect(latest(one)).toMatchObject({ reasoning: 'Hm. ', toolCalls: [] });
    write({ content: 'cold.' });
    await one.until(() => latest(one)?.content === 'It is cold.');
    expect(latest(one)).toMatchObject({ reasoning: 'Hm. ', toolCalls: [] });
    end();
    expect((await outcome())?.reply?.raw).toMatchObject({ content: 'It is cold.', reasoning: 'Hm. ' });
    expect(one.progress[0]).not.toHaveProperty('reply');
  });

  test('shows a native call as far as it has arrived', async () => {
    const { one, write, end, outcome } = await startStream();
    const args = (text: string, more = {}) => ({
      tool_calls: [{ index: 0, ...more, function: { arguments: text, ...more } }],
    });
    write(args('{"city": "Os', { id: 'call_1', name: 'get_weather' }));
    await one.until(() => latest(one)?.toolCalls[0]?.arguments === '{"city": "Os');
    expect(latest(one)?.toolCalls).toEqual([{ name: 'get_weather', arguments: '{"city": "Os' }]);
    write(args('lo"}'));
    await one.until(() => latest(one)?.toolCalls[0]?.arguments === '{"city": "Oslo"}');
    end();
    expect((await outcome())?.verdict.kind).toBe('native');
  });

  test('is limited to its end, with the number of characters before it', async () => {
    const { one, write, end, outcome } = await startStream();
    write({ content: 'a'.repeat(30_000) });
    write({ content: 'b'.repeat(15_000) });
    await one.until(() => latest(one)?.omitted.content === 25_000);
    expect(latest(one)?.content).toBe('a'.repeat(5_000) + 'b'.repeat(15_000));
    end();
    expect((await outcome())?.reply?.raw.content).toHaveLength(45_000);
  });

  test('shows no part of a key, even if the key arrives in pieces', async () => {
    const { one, write, end, outcome } = await startStream();
    write({ content: `Your key is ${KEY.slice(0, 11)}` });
    await one.until(() => latest(one)?.content === 'Your key is ');
    write({ content: KEY.slice(11) });
    write({ content: ', keep it.' });
    const masked = `Your key is ${'*'.repeat(KEY.length)}, keep it.`;
    await one.until(() => latest(one)?.content === masked);
    end();
    expect((await outcome())?.reply?.raw.content).toBe(masked);
    expect(JSON.stringify([one.events, one.progress])).not.toContain(KEY.slice(0, 6));
  });

  test('is sent to the view at intervals, not for every piece', async () => {
    const { one, write, end, outcome } = await startStream();
    const start = performance.now();
    for (let piece = 0; piece < 300; piece++) {
      write({ content: 'word ' });
      await setImmediate();
    }
    await one.until(() => latest(one)?.content.length === 1500);
    const elapsedMs = performance.now() - start;
    end();
    await outcome();
    expect(progressSentTo(one).filter(({ reply }) => reply).length).toBeLessThanOrEqual(
      2 + elapsedMs / INTERVAL_MS,
    );
  });

  test('is not sent to the view after its outcome', async () => {
    const { one, write, end, outcome } = await startStream();
    for (const content of ['one ', 'two ', 'three']) write({ content });
    end();
    await outcome();
    const isOutcome = ({ data }: { data: unknown }): boolean =>
      JSON.stringify(data).includes('"verdict":{"kind":"none"');
    await one.until(() => one.events.some(isOutcome));
    // A later change of the document is sent, but nothing of the earlier run.
    await one.ask('document/edit', { edits: [{ path: ['system'], value: 'later' }] });
    await one.until(() => JSON.stringify(one.events.at(-1)).includes('later'));
    const after = one.events.slice(one.events.findIndex(isOutcome) + 1);
    expect(after.map(({ name }) => name)).not.toContain('run/progress');
  });

  test('is not sent to a closed view, nor after the session has ended', async () => {
    const { one, write, outcome } = await startStream();
    const { view, events } = one.addView();
    view.open();
    write({ content: 'one ' });
    await one.until(() => latest(one) !== undefined && events.length > 0);
    view.dispose();
    const eventCount = events.length;
    write({ content: 'two' });
    await one.until(() => latest(one)?.content === 'one two');
    expect(events).toHaveLength(eventCount);
    write({ content: 'three' });
    await one.session.dispose();
    const countBefore = one.events.length;
    await expect.poll(() => one.session.laneSnapshot('a', undefined)?.run).toBeNull();
    expect((await outcome())?.verdict.kind).toBe('stopped');
    expect(one.events).toHaveLength(countBefore);
  });

  test('is sent at once to a view that opens later', async () => {
    const { one, write, end, outcome } = await startStream();
    write({ content: 'one ' });
    await one.until(() => latest(one)?.content === 'one ');
    const later = one.addView();
    expect(later.view.open().lanes[0]?.run?.phase).toBe('running');
    await one.until(() => later.events.length > 0);
    expect(progressSentTo(later)).toMatchObject([{ phase: 'reading', reply: { content: 'one ' } }]);
    end();
    expect((await outcome())?.reply?.raw.content).toBe('one ');
  });

  test('is stored as far as it arrived when the session ends', async () => {
    const { store, contents } = host.openFileStore();
    const { one, write } = await startStream(store);
    write({ content: `It was a dark and ${KEY} night` });
    await one.until(() => latest(one)?.content.endsWith('night') === true);
    await one.session.dispose();
    expect(contents()).toContain('It was a dark');
    expect(contents().includes('canary')).toBe(false);
    const again = await host.open({ store, backing: one.backing });
    expect(again.runs()[0]?.outcome).toMatchObject({
      verdict: { kind: 'interrupted' },
      partial: { content: `It was a dark and ${'*'.repeat(KEY.length)} night` },
    });
  });
});
