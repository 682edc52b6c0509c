// What programs and servers send may be anything: it is stored, shown, and asked again or refused in words, and never lost.
import { afterAll, describe, expect, test } from 'vitest';
import { createConnectionSource } from '../../../../src/connections/connection-source';
import { RequestLines } from '../../../../src/cli/proxy/request-line';
import { styleWith } from '../../../../src/cli/terminal';
import { readRecordLines, toExchangeLine, toHeadLine } from '../../../../src/recording';
import {
  MemoryRunStore,
  RecordingBook,
  recordedConversations,
  replaySession,
  SYSTEM_CLOCK,
  toHar,
  toRecordedView,
  UnreadRequest,
} from '../../../../src/session';
import type { RecordedExchange } from '../../../../src/types';
import { fc, runs } from '../../../support/arbitrary/properties';
import { TestHost } from '../../../support/vscode/host-session';

const host = new TestHost();
afterAll(() => host.close());

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const call = { name: 'get_weather', arguments: { city: 'Oslo' } };
const native = { id: 'c1', type: 'function', function: { ...call, arguments: '{"city":"Oslo"}' } };
const asked = { role: 'user', content: 'Weather?' };
const functions = [{ type: 'function', function: { name: 'get_weather', description: 'd', parameters } }];

/** A request and a reply of each protocol. */
const KINDS = {
  'hosted-api': {
    path: '/v1/chat/completions',
    request: {
      model: 'm',
      temperature: 0,
      tool_choice: 'auto',
      messages: [
        { role: 'system', content: 'Be brief.' },
        asked,
        { role: 'assistant', content: null, tool_calls: [native] },
        { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: '4 °C' }] },
      ],
      tools: functions,
    },
    reply: {
      id: 'r1',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'x', tool_calls: [native] },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 1 } },
    },
  },
  'local-host': {
    path: '/api/chat',
    request: {
      model: 'm',
      options: { temperature: 0 },
      messages: [
        asked,
        { role: 'assistant', content: '', tool_calls: [{ function: call }] },
        { role: 'tool', content: '4' },
      ],
      tools: functions,
    },
    reply: {
      message: { role: 'assistant', content: 'x', tool_calls: [{ function: call }] },
      done: true,
      done_reason: 'stop',
    },
  },
  'messages-api': {
    path: '/v1/messages',
    request: {
      model: 'm',
      max_tokens: 9,
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'c1', name: 'get_weather', input: { city: 'Oslo' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: '4' }] },
      ],
      tools: [{ name: 'get_weather', input_schema: parameters }],
    },
    reply: {
      id: 'r1',
      content: [
        { type: 'text', text: 'x' },
        { type: 'tool_use', id: 'c2', name: 'get_weather', input: { city: 'Oslo' } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 9, output_tokens: 4 },
    },
  },
  'responses-api': {
    path: '/v1/responses',
    request: {
      model: 'm',
      input: [
        asked,
        { type: 'function_call', call_id: 'c1', name: 'get_weather', arguments: '{"city":"Oslo"}' },
        { type: 'function_call_output', call_id: 'c1', output: '4' },
      ],
      tools: [{ type: 'function', name: 'get_weather', parameters }],
    },
    reply: {
      id: 'r1',
      status: 'completed',
      output: [
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'x' }] },
        { type: 'function_call', call_id: 'c2', name: 'get_weather', arguments: '{"city":"Oslo"}' },
      ],
      usage: { input_tokens: 9, output_tokens: 4 },
    },
  },
} as const;

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    '',
    null,
    [],
    {},
    -1,
    Number.MAX_VALUE,
    '__proto__',
    '{"city":',
    '\uD800',
    'x'.repeat(3000),
  ),
);

/** Puts something else at some places of a document. */
function change(document: unknown, changes: readonly (readonly [number, unknown])[]): string {
  const text = JSON.stringify(document);
  let at = 0;
  const places = text.match(/"(?:[^"\\]|\\.)*"|[^\s",:[\]{}]+/g)?.length ?? 1;
  const wanted = new Map(changes.map(([place, other]) => [place % places, other]));
  return JSON.stringify(JSON.parse(text), (key, old: unknown) => {
    at += 1;
    return key !== '' && wanted.has(at) ? wanted.get(at) : old;
  });
}

const changes = fc.array(fc.tuple(fc.nat(200), value), { maxLength: 3 });
const exchanges = fc
  .record({
    kind: fc.constantFrom(...(Object.keys(KINDS) as (keyof typeof KINDS)[])),
    request: changes,
    reply: changes,
    cut: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
    isStream: fc.boolean(),
    isRepaired: fc.boolean(),
    status: fc.constantFrom(undefined, 200, 200, 200, 404, 503),
    endedBy: fc.constantFrom('server', 'program', 'network', 'recording'),
  })
  .map(({ kind, request, reply, cut, isStream, isRepaired, status, endedBy }): RecordedExchange => {
    const { path, request: sent, reply: came } = KINDS[kind];
    const whole = change(came, reply);
    const text = isStream ? `data: ${whole}\n\ndata: [DONE]\n\n` : whole;
    const body = cut === undefined ? text : text.slice(0, Math.floor(text.length * cut));
    const headers = { 'content-type': isStream ? 'text/event-stream' : 'application/json' };
    return {
      number: 1,
      startedAt: 1_700_000_000_000,
      program: 'agent/1',
      session: 1,
      protocol: kind,
      request: { method: 'POST', url: `http://127.0.0.1:9${path}`, headers: {}, body: change(sent, request) },
      ...(status !== undefined && { response: { status, headers, body, isComplete: cut === undefined } }),
      ...(isRepaired && { repaired: { calls: [], body } }),
      endMs: 400,
      endedBy,
    };
  });

async function openBook(): Promise<RecordingBook> {
  return new RecordingBook({
    journal: await new MemoryRunStore().open('recording:x'),
    services: {
      connections: createConnectionSource(host.connections, () => () => undefined),
      clock: SYSTEM_CLOCK,
    },
    server: () => ({ connectionId: 'local', label: 'Local' }),
  });
}

describe('a recorded exchange, whatever was sent', () => {
  test('is stored, read back, shown and exported', async () => {
    await fc.assert(
      fc.asyncProperty(exchanges, async (exchange) => {
        const book = await openBook();
        await book.add(exchange);
        const [row] = book.rows(1);
        expect(row).toBeDefined();
        const found = await book.exchange(1);
        expect(found.exchange).toEqual(exchange);
        expect(toRecordedView(found, 'http://127.0.0.1:1/r/x').number).toBe(1);
        if (row?.run) {
          expect((await book.entries([row.run.runId])).length).toBe(1);
          await book.exported(row.run.runId);
        }
        expect(() => JSON.parse(toHar([exchange], 'x')) as unknown).not.toThrow();
        const lines = `${toHeadLine({ target: 'x', startedAt: 1, madeBy: 'x' })}${toExchangeLine(exchange)}`;
        expect(readRecordLines(lines)).toMatchObject({ unread: [], recordings: [{ exchanges: [exchange] }] });
        expect(new RequestLines(styleWith(false)).add(exchange)).toMatch(/^.+\n$/);
        await book.close();
      }),
      { numRuns: runs(1000) },
    );
  });

  test('is asked again, or it is said why it cannot be', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(exchanges, { minLength: 1, maxLength: 4 }), async (all) => {
        for (const { exchanges: turns } of recordedConversations(
          all.map((one, at) => ({ ...one, number: at + 1 })),
        )) {
          try {
            const replay = await replaySession(turns);
            replay.toText([{ connection: 'demo', model: 'm', protocol: 'hosted-api' }]);
          } catch (error) {
            expect(error).toBeInstanceOf(UnreadRequest);
          }
        }
      }),
      { numRuns: runs(1000) },
    );
  });
});
