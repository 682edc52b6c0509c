// Recorded exchanges as they are stored and read back: the chats among them as runs, whatever else as rows.
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createConnectionSource } from '../../../../src/connections/connection-source';
import { toHtml, toJson, toMarkdown } from '../../../../src/inspect';
import type { RecordedRow } from '../../../../src/protocol';
import { Records } from '../../../../src/recording';
import type { HistoryStore } from '../../../../src/session';
import {
  MemoryRunStore,
  RecordingBook,
  storedRuns,
  SYSTEM_CLOCK,
  toRecordedView,
} from '../../../../src/session';
import type { RecordedExchange } from '../../../../src/types';
import { recordedExchange, replyOf } from '../../../support/recording/recorded-exchange';
import { ask, record as startRecorded } from '../../../support/servers/recorded-server';
import { TestHost } from '../../../support/vscode/host-session';
import { StoreFolder } from '../store/store-folder';

const host = new TestHost();
afterAll(() => host.close());

const TOOLS = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } } },
    },
  },
];
const AS_TEXT = 'I look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>';

const bodyOf = (content: string, more: object = {}): string =>
  JSON.stringify(replyOf({ content, ...more }, { usage: { prompt_tokens: 9, completion_tokens: 4 } }));

const exchange = (changes: Partial<RecordedExchange> = {}): RecordedExchange =>
  recordedExchange({
    model: 'qwen3',
    asked: {
      model: 'qwen3',
      temperature: 0,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Weather in Oslo?' },
      ],
      tools: TOOLS,
    },
    response: {
      status: 200,
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: bodyOf(AS_TEXT),
      isComplete: true,
    },
    headersMs: 20,
    firstByteMs: 30,
    ...changes,
  });

async function open(store: HistoryStore = new MemoryRunStore()) {
  const rows: RecordedRow[] = [];
  const makeBook = async () =>
    new RecordingBook({
      journal: await store.open('recording:x'),
      services: {
        connections: createConnectionSource(host.connections, () => () => undefined),
        clock: SYSTEM_CLOCK,
      },
      server: () => ({ connectionId: 'local', label: 'Local' }),
      onRow: (row) => rows.push(row),
    });
  return { store, rows, makeBook, book: await makeBook() };
}

async function read(changes: Partial<RecordedExchange>) {
  const { book, rows } = await open();
  await book.add(exchange(changes));
  const [row] = rows;
  const run = await book.run(row?.run?.runId ?? '');
  return { row, ...run };
}

describe('RecordingBook', () => {
  it('reads what official clients write after a call: its message has no content but null', async () => {
    const called = { name: 'get_weather', arguments: '{"city":"Oslo"}' };
    const messages = [
      { role: 'user', content: 'Weather in Oslo?' },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'Hm.',
        tool_calls: [{ id: 'c1', type: 'function', function: called }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '4 °C' },
    ];
    const body = JSON.stringify({ model: 'qwen3', messages, tools: TOOLS });
    const { row, setup, wire } = await read({
      request: { ...exchange().request, body },
      response: { status: 200, headers: {}, body: bodyOf('It is 4 °C.'), isComplete: true },
    });
    expect(row).toMatchObject({ messages: 3, verdict: { kind: 'answer', detail: 'after 1 call' } });
    expect(setup?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(wire?.requests[0]?.body).toBe(body);
  });

  it('stores a chat as a run with what was asked, its reply, its times and its wire', async () => {
    const { row, record, setup, wire } = await read({});
    expect(row).toEqual({
      number: 1,
      startedAt: 1_700_000_000_000,
      program: 'agent/1',
      session: 1,
      method: 'POST',
      path: '/v1/chat/completions',
      model: 'qwen3',
      messages: 2,
      tools: 1,
      verdict: { kind: 'rescued', detail: '1 call, hermes-json' },
      tokens: 13,
      firstByteMs: 30,
      endMs: 400,
      status: 200,
      run: { laneId: 'c1', runId: record.runId },
    });
    expect(record).toMatchObject({
      connectionId: 'local',
      connectionLabel: 'Local',
      durationMs: 400,
      firstTokenMs: 30,
      ledger: [{ attempt: 1, startedAt: 1_700_000_000_000, endMs: 400, headersMs: 20 }],
    });
    expect(setup).toMatchObject({
      system: 'Be brief.',
      messages: [{ role: 'user', content: 'Weather in Oslo?' }],
      sampling: { temperature: 0 },
      tools: [{ name: 'get_weather' }],
    });
    expect(wire).toMatchObject({
      requests: [{ url: 'http://127.0.0.1:9/v1/chat/completions' }],
      attempts: [{ response: { status: 200, body: bodyOf(AS_TEXT) } }],
    });
  });

  it('says that the program saw no call, and what gives it one', async () => {
    const { record } = await read({});
    expect(record.findings).toMatchObject([
      {
        cause: 'call-as-text',
        severity: 'warning',
        what: 'The call came as text, so the program saw no call and its loop ended.',
        next: expect.stringMatching(/^Turn on Repair calls, and the program gets native calls\. \S/),
      },
    ]);
    expect(record.findings.every(({ remedies }) => remedies === undefined)).toBe(true);
  });

  it.each([
    ['searched', /Repair calls left it as it came: .*not certain/],
    ['compressed', /Repair calls could not return it: the server compressed the reply/],
    ['too-long', /Repair calls could not return it: too much of the reply/],
  ] as const)(
    'says why the program saw no call although calls were repaired: %s',
    async (repairing, what) => {
      const [finding] = (await read({ repairing })).record.findings;
      expect(finding?.what).toMatch(what);
      expect(finding?.next ?? '').not.toMatch('Turn on Repair calls');
    },
  );

  it('says what a repair gave to the program, field by field', async () => {
    const call = {
      id: 'c',
      type: 'function',
      function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
    };
    const repaired = {
      calls: [{ name: 'get_weather', from: 'text' as const, format: 'hermes-json', repairs: [] }],
      body: bodyOf('I look.', { tool_calls: [call] }).replace('"stop"', '"tool_calls"'),
      heldMs: 40,
    };
    const { book, rows } = await open();
    await book.add(
      exchange({
        repaired,
        isKeyAdded: true,
        request: { ...exchange().request, headers: { Authorization: '*' } },
      }),
    );
    const { record } = await book.run(rows[0]?.run?.runId ?? '');
    expect(rows[0]).toMatchObject({ isRepaired: true, verdict: { kind: 'rescued' } });
    expect(record.findings).toMatchObject([
      { severity: 'info', what: 'The call came as text. The program received it as a native call.' },
    ]);
    const view = toRecordedView(await book.exchange(1), 'http://127.0.0.1:5/r/t');
    expect(view.repair?.changes).toEqual([
      { field: 'content', from: AS_TEXT, to: 'I look.' },
      { field: 'tool_calls', to: 'get_weather {"city":"Oslo"}' },
      { field: 'finish_reason', from: 'stop', to: 'tool_calls' },
    ]);
    expect(view.repair?.heldMs).toBe(40);
    expect(view.sides.client).toMatchObject({
      url: 'http://127.0.0.1:5/r/t/v1/chat/completions',
      responseBytes: repaired.body.length,
    });
    expect(view.sides.server.responseBytes).toBe(bodyOf(AS_TEXT).length);
    expect(view.changedHeaders).toEqual(['Authorization']);
  });

  it('says that a message is an image, where a playground cannot hold it', async () => {
    const { book, rows } = await open();
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] },
      { role: 'assistant', content: 'A cat.' },
      { role: 'user', content: [image] },
    ];
    const { request } = exchange();
    await book.add(exchange({ request: { ...request, body: JSON.stringify({ model: 'm', messages }) } }));
    const { asked } = toRecordedView(await book.exchange(1), '');
    expect(asked?.roles).toEqual([
      { role: 'user', count: 2 },
      { role: 'assistant', count: 1 },
    ]);
    expect(asked?.last).toEqual({ role: 'user', text: '(image)', length: 7 });
    expect(rows[0]?.messages).toBe(3);
  });

  it('keeps what is no chat as a row with its wire, but as no run', async () => {
    const { book, rows, store, makeBook } = await open();
    const request = { method: 'GET', url: 'http://127.0.0.1:9/v1/models?x=%20', headers: {}, body: '' };
    const { session: _session, protocol: _protocol, model: _model, ...other } = exchange({ request });
    await book.add(other);
    expect(rows).toEqual([
      {
        number: 1,
        startedAt: 1_700_000_000_000,
        program: 'agent/1',
        method: 'GET',
        path: '/v1/models?x=%20',
        firstByteMs: 30,
        endMs: 400,
        status: 200,
      },
    ]);
    await book.close();
    expect(storedRuns(await store.read('recording:x'))).toEqual([]);
    const again = await makeBook();
    expect(again.rows(1)).toEqual(rows);
    expect((await again.exchange(1)).exchange).toEqual(other);
  });

  it('reads back what was recorded', async () => {
    const { book, rows, store, makeBook } = await open();
    for (const number of [1, 2, 3]) await book.add(exchange({ number }));
    await book.close();
    expect(storedRuns(await store.read('recording:x'))).toMatchObject([
      { askedBy: 'agent/1', question: 'Weather in Oslo?', tools: ['get_weather'] },
      {},
      {},
    ]);
    const again = await makeBook();
    expect([again.first, again.last]).toEqual([1, 3]);
    expect(again.rows(2)).toEqual(rows.slice(1));
    expect((await again.exchange(2)).exchange).toEqual(exchange({ number: 2 }));
  });

  it('uses the words of errors for a server that failed', async () => {
    const body = JSON.stringify({ error: { message: 'model "qwen3" not found, try pulling it first' } });
    const response = { status: 404, headers: {}, body, isComplete: true };
    const { row, record } = await read({ response });
    expect(row?.verdict).toEqual({ kind: 'failed', detail: '404 after 1 attempt' });
    expect(record.error?.what).toContain('404');
    expect(record.error?.next).not.toBe('');
  });

  it('says why there was no answer', async () => {
    const { response: _response, headersMs: _headers, firstByteMs: _first, ...rest } = exchange();
    const { row, record } = await read({
      ...rest,
      response: undefined,
      endedBy: 'network',
      problem: 'connect ECONNREFUSED 127.0.0.1:9',
      errorCode: 'ECONNREFUSED',
    });
    expect(row?.verdict?.kind).toBe('failed');
    expect(record.error?.what).toContain('got no answer');
    expect(record.ledger).toMatchObject([{ endMs: 400, errorCode: 'ECONNREFUSED' }]);
  });

  it('tells a reply that a program did not wait for from one that it read to the end mark', async () => {
    const chunk = (delta: object, finish: string | null = null): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    const headers = { 'content-type': 'text/event-stream' };
    const cut = { status: 200, headers, body: chunk({ content: 'Half of' }), isComplete: false };
    const left = await read({ response: cut, endedBy: 'program' });
    expect(left.row?.verdict).toEqual({ kind: 'stopped', detail: 'by the program' });
    expect(left.record.partial?.content).toBe('Half of');
    const whole = { ...cut, body: `${chunk({ content: 'All.' })}${chunk({}, 'stop')}data: [DONE]\n\n` };
    expect((await read({ response: whole, endedBy: 'program' })).row?.verdict?.kind).toBe('none');
  });

  it('keeps a chat whose request was not kept whole as a row', async () => {
    const { book, rows } = await open();
    await book.add(exchange({ request: { ...exchange().request, body: '{"messages": [' } }));
    expect(rows[0]).toMatchObject({
      session: 1,
      model: 'qwen3',
      status: 200,
      problem: 'The request is too long to be read, or no JSON.',
    });
    expect(rows[0]).not.toHaveProperty('run');
  });
});

describe('a recording beyond the limits of the history', () => {
  const numbersOf = (exchanges: readonly RecordedExchange[]): number[] =>
    exchanges.map(({ number }) => number);

  it('loses its oldest requests, says so of each, and goes on', async () => {
    const folder = new StoreFolder();
    const store = folder.store({ limits: () => ({ maxBytes: 1e9, maxRuns: 3 }) });
    const { book, rows, makeBook } = await open(store);
    for (let number = 1; number <= 6; number += 1) await book.add(exchange({ number }));
    await book.flush();
    folder.clock.advance(60_000);
    await vi.waitFor(async () => expect((await book.stored()).lost).toBe(3), { timeout: 60_000 });
    expect(numbersOf((await book.stored()).exchanges)).toEqual([4, 5, 6]);
    expect(book.rows(1)).toEqual(rows);
    const gone = {
      info: {
        what: 'The request is no longer stored.',
        why: expect.stringContaining('`history.maxRuns`'),
        next: expect.stringContaining('raise the limits'),
      },
    };
    const { runId = '' } = rows[0]?.run ?? {};
    await expect(book.exchange(1)).rejects.toMatchObject(gone);
    await expect(book.run(runId)).rejects.toMatchObject(gone);
    expect(await book.entries([runId])).toMatchObject([
      { id: runId, outcome: { error: { what: expect.stringContaining('no longer') } } },
    ]);
    await book.add(exchange({ number: 7 }));
    expect((await book.exchange(7)).exchange).toEqual(exchange({ number: 7 }));
    expect((await book.run(rows[6]?.run?.runId ?? '')).record.turn).toBeDefined();
    await book.close();
    const again = await makeBook();
    expect([again.first, again.last]).toEqual([5, 7]);
    expect(again.rows(1)).toEqual(rows.slice(4));
    expect(storedRuns(await store.read('recording:x'))).toHaveLength(3);
    expect(folder.problems).toEqual([]);
  });
});

describe('what is exported of recorded requests whose server repeats the key', () => {
  const STORED = 'sk-stored-12345678';
  const OWN = 'sk-own-87654321';
  const INFO = { madeBy: 'Provider Playground', madeAt: '2026-01-02T03:04:05Z' };

  it.each([
    ['the connection', {}, STORED],
    ['the program', { authorization: `Bearer ${OWN}` }, OWN],
  ] as const)('has no key of %s, in any form', async (_, headers, key) => {
    const { recording, server, ended } = await startRecorded(
      ({ headers: { authorization = '' } }, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'x-echo': authorization });
        response.end(bodyOf(`You sent ${authorization}.`, { reasoning: authorization }));
      },
      { findKey: () => Promise.resolve(STORED) },
    );
    const { body } = exchange().request;
    await ask(`${recording.root}/v1/chat/completions`, { method: 'POST', headers }, body);
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
    await expect.poll(() => ended.length).toBe(1);
    const [passage] = ended;
    const recorded = passage && new Records().toRecord(passage);
    const { book, rows } = await open();
    if (recorded) await book.add(recorded);
    const run = await book.exported(rows[0]?.run?.runId ?? '');
    const forms = [toMarkdown([run], INFO), toHtml([run], INFO, 'en'), toJson([run], INFO)];
    for (const text of [...forms, JSON.stringify(recorded)]) {
      expect(text).toMatch(/You sent Bearer \\?\*/);
      expect(text).not.toContain(key);
    }
  });
});
