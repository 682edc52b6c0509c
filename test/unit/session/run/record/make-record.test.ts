import { afterEach, describe, expect, test, vi } from 'vitest';
import type { LiveReplyView } from '../../../../../src/protocol';
import { failedRecord, turnRecord } from '../../../../../src/session/run/record/make-record';
import { readText, toRunOutcome } from '../../../../../src/session/run/record/run-record';
import type { AttemptRecord } from '../../../../../src/types';
import type { AskedFields } from '../../../../support/session/make-setup';
import { makeSetup } from '../../../../support/session/make-setup';
import { makeTurn, NATIVE, RESCUED } from '../../../../support/session/turns';

const KEY = 'canary-0123456789-canary';
const described = {
  runId: 'r',
  connectionId: 'demo',
  connectionLabel: 'Demo',
  model: 'm',
  startedAt: 1,
  durationMs: 2,
};
const WEATHER = {
  name: 'get_weather',
  parameters: {
    type: 'object',
    properties: { city: { type: 'object', properties: { name: { type: 'string' } } } },
    required: ['city'],
  },
};
const setupWith = (tool: AskedFields['tools'] = [WEATHER]) =>
  makeSetup({ tools: tool }, { provider: 'hosted-api' });
const setting = { sampling: {}, raw: {}, isRescueOff: false, keys: {}, toolChoiceKey: null };
const asked = {
  setup: await setupWith(),
  setting,
  callsBefore: { count: 0, rescued: 0 },
  secrets: [KEY],
};
const attempt = (fields: Partial<AttemptRecord> = {}): AttemptRecord => ({
  attempt: 1,
  startedAt: 0,
  endMs: 1,
  endedBy: 'server',
  decision: 'stop',
  reason: '',
  ...fields,
});

afterEach(() => void vi.restoreAllMocks());

describe('turnRecord', () => {
  test('stores replay data once, redacted, with its connection; data with a masked secret is withheld', () => {
    const kept = (text: string): unknown => {
      const turn = makeTurn({ native: [NATIVE] });
      const replay = { provider: 'p', model: 'm', data: { reasoning: text } };
      turn.raw.replay = replay;
      turn.assistant.replay = replay;
      const record = turnRecord(described, turn, asked);
      expect(record.turn?.raw).not.toHaveProperty('replay');
      expect(JSON.stringify(record)).not.toContain(KEY);
      const { reply, cut } = toRunOutcome(record);
      expect(reply?.raw.replay).toEqual({ ...record.turn?.assistant.replay, data: null });
      // Copied on demand.
      expect(cut).toEqual([{ path: 'reply.raw.replay.data', length: expect.any(Number) }]);
      expect(JSON.parse(readText(record, 'reply.raw') ?? '')).toMatchObject({
        replay: record.turn?.assistant.replay,
      });
      return record.turn?.assistant.replay;
    };
    const stored = { provider: 'p', model: 'm', connection: 'demo' };
    expect(kept('look')).toEqual({ ...stored, data: { reasoning: 'look' } });
    expect(kept(`use ${KEY}`)).toMatchObject({ ...stored, isWithheld: true });
  });

  test('stores where replay data comes from, unless the server is built in and has a new port after each start', () => {
    const { setup } = asked;
    const originOf = (scope: 'built-in' | 'user'): unknown => {
      const turn = makeTurn({});
      turn.assistant.replay = { provider: 'p', origin: 'http://127.0.0.1:4321', data: {} };
      const connection = { ...setup.connection, scope };
      return turnRecord(described, turn, { ...asked, setup: { ...setup, connection } }).turn?.assistant.replay
        ?.origin;
    };
    expect(originOf('user')).toBe('http://127.0.0.1:4321');
    expect(originOf('built-in')).toBeUndefined();
  });

  test('shares one budget of steps between the checks of all calls, so that a slow schema costs it once', async () => {
    // So that only the steps count, however slow the machine is.
    vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 });
    const levels = Array.from({ length: 14 }, (_, at) => {
      const next = { $ref: `#/$defs/a${at + 1}` };
      return [`a${at}`, { allOf: [next, next] }] as const;
    });
    const $defs = { ...Object.fromEntries(levels), a14: {} };
    const tool = { ...WEATHER, parameters: { type: 'object', $ref: '#/$defs/a0', $defs } };
    const setup = await setupWith([tool]);
    const turn = makeTurn({ native: ['a', 'b', 'c'].map((id) => ({ ...NATIVE, id })) });
    const { schemaIssues } = turnRecord(described, turn, { ...asked, setup });
    expect(schemaIssues).toEqual({
      1: [{ path: '', message: 'The schema or the value is too large to check.' }],
      2: [{ path: '', message: 'The schema or the value is too large to check.' }],
    });
  });

  test('has a verdict and findings, and its ledger once', () => {
    const turn = makeTurn({ rescued: [RESCUED] });
    turn.ledger = [attempt({ status: 200 })];
    const record = turnRecord(described, turn, asked);
    expect(record).toMatchObject({
      ...described,
      verdict: { kind: 'rescued', detail: '1 call, hermes-json' },
      ledger: [{ status: 200 }],
    });
    expect(record.turn).not.toHaveProperty('ledger');
    expect(record.findings[0]).toMatchObject({ severity: 'warning', tab: 'tool-calls' });
  });

  test('has the verdict “answer” for prose that follows calls', () => {
    const { verdict } = turnRecord(described, makeTurn({}), {
      ...asked,
      callsBefore: { count: 2, rescued: 1 },
    });
    expect(verdict).toEqual({ kind: 'answer', detail: 'after 2 calls, 1 rescued' });
  });

  test('contains violations of the schema by the index of the call', () => {
    const calls = [
      { ...NATIVE, arguments: { city: { name: 'Oslo' } } },
      { ...NATIVE, arguments: { city: { name: 7 } } },
      { ...NATIVE, name: 'rm' },
      { ...NATIVE, arguments: '{"city' },
      { ...NATIVE, arguments: '{"city":{"name":"Oslo"}}' },
    ];
    const turn = makeTurn({ native: calls });
    turn.exchange.toolCalls = calls.map((_, index) => ({
      rawArguments: '',
      ...(index === 3 && { parseError: 'the text ends early' }),
    }));
    const { schemaIssues } = turnRecord(described, turn, asked);
    expect(Object.keys(schemaIssues ?? {})).toEqual(['1', '2', '4']);
    expect(schemaIssues?.[1]?.[0]?.path).toBe('/city/name');
    expect(schemaIssues?.[2]).toEqual([{ path: '', message: '`rm` is not an offered tool.' }]);
    expect(schemaIssues?.[4]).toEqual([{ path: '', message: expect.stringContaining('object') }]);
  });

  test('reports a schema that cannot be checked', async () => {
    const setup = await setupWith([{ ...WEATHER, parameters: { $ref: '#/nowhere' } }]);
    const record = turnRecord(described, makeTurn({ native: [NATIVE] }), { ...asked, setup });
    expect(record.schemaIssues?.[0]?.length).toBeGreaterThan(0);
  });

  test('checks a limited number of a hundred thousand calls', () => {
    const native = Array.from({ length: 100_000 }, () => ({ ...NATIVE, name: 'rm' }));
    const { schemaIssues } = turnRecord(described, makeTurn({ native }), asked);
    expect(Object.keys(schemaIssues ?? {})).toHaveLength(1_000);
  });

  test('contains no key, wherever the server put it', () => {
    const turn = makeTurn({ native: [{ ...NATIVE, name: KEY, arguments: { [KEY]: KEY, city: KEY } }] });
    turn.raw.content = `Your key is ${KEY}`;
    turn.assistant.content = turn.raw.content;
    turn.raw.reasoning = KEY;
    turn.exchange.response = { status: 200, headers: { x: KEY }, body: KEY };
    turn.exchange.toolCalls = [{ rawArguments: KEY, parseError: KEY }];
    const text = JSON.stringify(turnRecord(described, turn, asked));
    expect(text).toContain('Your key is ****');
    expect(text.includes('canary')).toBe(false);
  });
});

describe('failedRecord', () => {
  const info = { code: 'http', title: 'Demo answered with an error', what: 'w', why: 'y', next: 'n' };
  const failure = {
    info,
    error: undefined,
    isStopped: false,
    ledger: [],
    live: undefined,
    partial: undefined,
    setting,
    secrets: [KEY],
  };
  const live: LiveReplyView = {
    content: 'the end',
    reasoning: 'Hm',
    toolCalls: [{ name: 't', arguments: '{' }],
    omitted: { content: 10, reasoning: 2, toolCalls: 1 },
  };

  test.each([
    ['the title without attempts', [], 'Demo answered with an error'],
    ['the status of the last attempt', [attempt({ status: 503, attempt: 3 })], '503 after 3 attempts'],
    ['the singular for one attempt', [attempt({ status: 401 })], '401 after 1 attempt'],
    [
      'the error code of an answer that broke off instead of its status',
      [attempt({ status: 200, endedBy: 'network', errorCode: 'ECONNRESET' })],
      'ECONNRESET after 1 attempt',
    ],
    ['the title without status and error code', [attempt({ endedBy: 'network' })], info.title],
    [
      'the title with the number of attempts if there were several',
      [attempt({ endedBy: 'network', attempt: 2 })],
      `${info.title} after 2 attempts`,
    ],
  ])('has the detail of its verdict by the kind of failure: %s', (_, ledger, detail) => {
    expect(failedRecord(described, { ...failure, ledger }).verdict).toEqual({ kind: 'failed', detail });
  });

  test('has the verdict “stopped” after an abort at any point', () => {
    const record = failedRecord(described, {
      ...failure,
      isStopped: true,
      ledger: [attempt({ status: 503 })],
    });
    expect(record.verdict).toEqual({ kind: 'stopped', detail: 'by you' });
  });

  test('keeps the complete partial reply if it is known, otherwise its end', () => {
    expect(failedRecord(described, { ...failure, live }).partial).toEqual(live);
    expect(failedRecord(described, { ...failure, live, partial: 'all of the end' }).partial).toEqual({
      ...live,
      content: 'all of the end',
      omitted: { content: 0, reasoning: 2, toolCalls: 1 },
    });
    expect(failedRecord(described, { ...failure, partial: 'all' }).partial).toMatchObject({ content: 'all' });
    expect(failedRecord(described, failure)).not.toHaveProperty('partial');
  });

  test('says in the error what its finding knows, and nothing more when it was stopped', () => {
    const why = 'The server says: registry.ollama.ai/library/gemma:2b does not support tools.';
    const found = { ...failure, info: { ...info, why } };
    const { error, findings } = failedRecord(described, found);
    expect(findings).toHaveLength(1);
    expect(error).toMatchObject({ why: `${findings[0]?.what} ${why}`, next: findings[0]?.next });
    expect(failedRecord(described, { ...found, isStopped: true }).error).toEqual(found.info);
  });

  test('tells a call that the model wrote from one in the history, where a server has the same words', () => {
    const why = 'The server says: Failed to parse tool call arguments as JSON: parse error at line 1';
    const wordsAfter = (...messages: object[]) => {
      const request = {
        method: 'POST',
        url: 'http://localhost/v1/chat/completions',
        headers: {},
        body: JSON.stringify({ messages }),
      };
      const error = { exchange: { request } } as never;
      return failedRecord(described, { ...failure, info: { ...info, why }, error }).words;
    };
    const user = { role: 'user', content: 'Hi' };
    const call = { id: 'a', type: 'function', function: { name: 'now', arguments: '{"a' } };
    expect(wordsAfter(user)).toBe('unread-call');
    expect(wordsAfter(user, { role: 'assistant', tool_calls: [call] })).toBe('refused-messages');
  });

  test('contains no key', () => {
    const leaking = { ...info, what: `401 for ${KEY}`, causes: [KEY] };
    const text = JSON.stringify(failedRecord(described, { ...failure, info: leaking, partial: KEY }));
    expect(text).toContain('401 for ****');
    expect(text.includes('canary')).toBe(false);
  });
});
