// What runs of a session sent and received, with the demo server and servers with unusual answers.
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { wireFile } from '../../../../src/host/wire/wire-text';
import { toHtml, toJson, toMarkdown, toReport } from '../../../../src/inspect';
import type { WireAttemptView, WireFileName, WireView } from '../../../../src/protocol';
import type { WireRecord } from '../../../../src/session';
import { startFaultServer } from '../../../support/servers/fault-server';
import type { HostSession, HostSetup } from '../../../support/vscode/host-session';
import { QUESTION, TestHost } from '../../../support/vscode/host-session';
import type { Answer } from '../../../support/servers/http-server';
import { startServer } from '../../../support/servers/http-server';
import { settings } from '../../../support/vscode/vscode-stub';

const KEY = 'sk-canary-0123456789';
const host = new TestHost();

afterEach(() => host.reset());
afterAll(() => host.close());

interface Ran {
  one: HostSession;
  view: WireView;
  record: WireRecord;
  /** @returns the text of a file of an attempt; attempts are counted from 0. */
  read: (attempt: number, file: WireFileName) => string;
  bytes: (attempt: number, file: WireFileName) => Uint8Array;
}

async function run(setup: HostSetup = {}, kind: 'chat' | 'agent' = 'chat'): Promise<Ran> {
  const one = await host.open(setup);
  await one.start(kind, QUESTION);
  await one.settled();
  const runId = one.runs().at(-1)?.id ?? '';
  const view = await one.ask('wire/read', { laneId: 'a', runId });
  const record = await one.session.past.wire(runId);
  if (!record) throw new Error('Nothing was kept.');
  const bytes = (attempt: number, file: WireFileName): Uint8Array => {
    const found = record.attempts[attempt];
    if (!found || !view.attempts[attempt]?.files.includes(file)) throw new Error(`There is no ${file}.`);
    return wireFile(record, found, file);
  };
  return { one, view, record, bytes, read: (...place) => new TextDecoder().decode(bytes(...place)) };
}

/** A hosted connection with a key to a server at this URL. */
async function connect(url: string, more: object = {}): Promise<HostSetup> {
  settings.user = {
    connections: {
      odd: { provider: 'hosted-api', host: url, model: 'm', retry: { initialDelayMs: 1 }, ...more },
    },
  };
  const target = await host.connections.keyTarget(host.connections.find('odd'));
  await host.keys.set(target?.id ?? '', target?.binding ?? '', KEY);
  return { lane: { connection: 'odd', model: 'm', sampling: { temperature: 0 } } };
}

async function answerWith(answer: Answer): Promise<Ran> {
  await using server = await startServer(answer);
  return await run(await connect(server.url));
}

const shapes = ({ attempts }: WireView): unknown[] =>
  attempts.map(({ name, response, files }: WireAttemptView) => [
    name,
    response?.status,
    response?.kind,
    files,
  ]);

const STREAMED = [
  'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"Cold"}}]}',
  'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
  'data: [DONE]',
];

describe('what went over the wire', () => {
  test('is kept for every attempt, including refused ones', async () => {
    const { view, read, record } = await run({ lane: { connection: 'demo', model: 'first-look' } });
    const request = ['request.http', 'request.json'];
    expect(shapes(view)).toEqual([
      ['attempt-1', 429, 'json', [...request, 'response.json', 'response.raw', 'headers.txt']],
      ['attempt-2', 429, 'json', [...request, 'response.json', 'response.raw', 'headers.txt']],
      ['attempt-3', 200, 'lines', [...request, 'response.events', 'response.raw', 'headers.txt']],
    ]);
    expect(view.copyForms).toContain('ollama');
    expect(record.requests).toHaveLength(1);
    const [head = '', body = ''] = read(0, 'request.http').split('\n\n');
    expect(head).toMatch(/^POST http:\/\/127\.0\.0\.1:\d+\/api\/chat HTTP\/1\.1\n/);
    expect(head).toContain('content-type: application/json');
    expect(read(0, 'request.json')).toBe(`${JSON.stringify(JSON.parse(body), null, 2)}\n`);
    expect(body).toContain(QUESTION);
    expect(read(0, 'headers.txt')).toContain('\nHTTP 429\n');
    expect(read(0, 'headers.txt')).toMatch(/retry-after: \d/);
    const raw = read(2, 'response.raw');
    expect(
      raw
        .trimEnd()
        .split('\n')
        .map((text) => typeof JSON.parse(text)),
    ).toContain('object');
    expect(view.attempts[2]?.response?.bytes).toBe(Buffer.byteLength(raw));
  });

  test('contains each event of a stream with its time', async () => {
    const { view, read } = await answerWith((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`${STREAMED.join('\n\n')}\n\n`);
    });
    expect(view.attempts[0]?.response).toMatchObject({ kind: 'events', isComplete: true, omittedBytes: 0 });
    const lines = read(0, 'response.events').split('\n');
    expect(lines[0]).toBe('# 3 events, with the time from the start of the attempt');
    expect(lines.filter((text) => /^# \d( · ".*")? · \d+\.\d{3} s( \(\+\d+ ms\))?$/.test(text))).toHaveLength(
      3,
    );
    expect(lines.filter((text) => text.startsWith('  data: '))).toEqual(
      STREAMED.map((event) => `  ${event}`),
    );
  });

  test('contains a page received instead of a reply', async () => {
    const page = '<!DOCTYPE html>\r\n<h1>502 Bad Gateway</h1><script>alert(1)</script>\r\n';
    const { view, read, one } = await answerWith((_, response) =>
      response.writeHead(502, { 'content-type': 'text/html' }).end(page),
    );
    expect(one.runs()[0]?.outcome?.verdict.kind).toBe('failed');
    const files = ['request.http', 'request.json', 'response.raw', 'headers.txt'];
    expect(shapes(view)).toEqual([1, 2, 3].map((count) => [`attempt-${count}`, 502, 'html', files]));
    expect(read(2, 'response.raw')).toBe(page);
  });

  test.each([204, 200])('has no response file for an answer without a body: %i', async (status) => {
    const { view } = await answerWith((_, response) => response.writeHead(status).end());
    expect(view.attempts[0]?.response).toMatchObject({ status, kind: 'empty', bytes: 0, isComplete: true });
    expect(view.attempts[0]?.files).toEqual(['request.http', 'request.json', 'headers.txt']);
  });

  test('contains the received part of a stream that broke off', async () => {
    const begun = `${STREAMED[0]}\n\ndata: {"cho`;
    await using server = await startFaultServer('request', (socket) => {
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 900\r\n\r\n${begun}`,
        () => socket.destroy(),
      );
    });
    const { view, read } = await run(await connect(`http://127.0.0.1:${server.port}`));
    expect(view.attempts[0]?.response).toMatchObject({ kind: 'events', isComplete: false });
    expect(read(0, 'response.raw')).toBe(begun);
    expect(read(0, 'response.events')).toContain('the stream broke off\n');
    expect(read(0, 'headers.txt')).toContain('The answer did not come to its end.');
  });

  test('contains bytes that are not UTF-8 text unchanged', async () => {
    const latin = Buffer.from('<p>nicht verfügbar</p>', 'latin1');
    const { view, bytes } = await answerWith((_, response) => response.writeHead(400).end(latin));
    expect(view.attempts[0]?.response).toMatchObject({ kind: 'binary', bytes: latin.length });
    expect(Buffer.from(bytes(0, 'response.raw'))).toEqual(latin);
  });

  test('contains only the request if there was no answer', async () => {
    await using server = await startFaultServer('request', (socket) => void socket.destroy());
    const { view, read } = await run(await connect(`http://127.0.0.1:${server.port}`));
    expect(view.attempts.map(({ response }) => response)).toEqual([undefined, undefined, undefined]);
    expect(read(0, 'headers.txt')).toContain('No answer was received.');
  });

  test('is kept for each step of an agent run', async () => {
    const { one, view } = await run({}, 'agent');
    const views = await Promise.all(
      one.runs().map(({ id }) => one.ask('wire/read', { laneId: 'a', runId: id })),
    );
    expect(views.map(({ attempts }) => attempts.length)).toEqual([1, 1]);
    expect(view.attempts[0]?.requestBytes).toBeGreaterThan(views[0]?.attempts[0]?.requestBytes ?? Infinity);
  });

  test('is empty for an unknown run', async () => {
    const one = await host.open();
    expect(await one.ask('wire/read', { laneId: 'a', runId: 'nobody' })).toEqual({
      attempts: [],
      copyForms: [],
    });
  });

  test('contains no key in any file, and masks have the length of the key', async () => {
    const echo = JSON.stringify({ error: { message: `Incorrect API key provided: ${KEY}.` } });
    await using server = await startServer((_, response) =>
      response.writeHead(401, { 'x-echo': KEY, 'set-cookie': `s=${KEY}` }).end(echo),
    );
    const { store, contents } = host.openFileStore();
    const setup = await connect(server.url);
    const { read, record, one, view } = await run({ ...setup, store });
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    await one.session.flush();
    for (const file of view.attempts[0]?.files ?? []) expect(read(0, file)).not.toContain('canary');
    expect(read(0, 'response.raw')).toBe(echo.replace(KEY, '*'.repeat(KEY.length)));
    expect(read(0, 'headers.txt')).toContain(`authorization: Bearer ${'*'.repeat(KEY.length)}\n`);
    expect(JSON.stringify([record, view])).not.toContain('canary');
    expect(contents()).toContain('Incorrect API key provided: ****');
    expect(contents()).not.toContain('canary');
  });

  test('can be read again from disk', async () => {
    const { store } = host.openFileStore();
    const { one, record } = await run({ store });
    const runId = one.runs()[0]?.id ?? '';
    await one.session.dispose();
    const again = await host.open({ store, backing: one.backing });
    expect(await again.session.past.wire(runId)).toEqual(record);
  });
});

describe('an exported run', () => {
  test('contains everything of a run, and no key', async () => {
    const echo = JSON.stringify({ error: { message: `Incorrect API key provided: ${KEY}.` } });
    await using server = await startServer((_, response) =>
      response.writeHead(401, { 'x-echo': KEY }).end(echo),
    );
    const { one } = await run(await connect(server.url));
    const runId = one.runs()[0]?.id ?? '';
    const exported = await one.session.past.exported({ laneId: 'a', runId });
    expect(exported).toMatchObject({
      title: 'Lane 1',
      connectionId: 'odd',
      model: 'm',
      verdict: { kind: 'failed' },
      tools: [{ name: 'get_weather' }],
      request: { method: 'POST' },
      attempts: [{ name: 'attempt-1', response: { status: 401 } }],
    });
    expect(exported.parameters[0]).toMatchObject({ key: 'temperature', way: 'sent' });
    expect(exported.error?.what).toContain('401');
    const info = { madeBy: 'a test', madeAt: '' };
    const all = [
      toMarkdown([exported], info),
      toHtml([exported], info, 'en'),
      toJson([exported], info),
      toReport(exported, info, undefined),
    ];
    for (const text of all) {
      expect(text).toContain('Incorrect API key provided: ****');
      expect(text).not.toContain('canary');
    }
  });
});
