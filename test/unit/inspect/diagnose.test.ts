import { describe, expect, test } from 'vitest';
import type { ChatTurn } from '../../../src/types';
import { diagnose } from '../../../src/inspect';
import { checkArguments, rescueFormatInfo } from '../../../src/library';
import { makeTurn, NATIVE, RESCUED, rejection, WEATHER } from '../../support/turns';

const findings = (turn: ChatTurn) =>
  diagnose({
    turn,
    tools: [WEATHER],
    checkArguments,
    nativeHint: (format) => rescueFormatInfo(format)?.nativeHint,
  });

describe('diagnose', () => {
  test('a plain answer has no findings', () => {
    expect(findings(makeTurn({}))).toEqual([]);
    expect(findings(makeTurn({ native: [NATIVE] }))).toEqual([]);
  });

  test('a rescued call says that it came as text, and how to get it natively', () => {
    const [finding] = findings(makeTurn({ rescued: [RESCUED] }));
    expect(finding?.what).toBe('The call came as text. The server returned no native tool call.');
    expect(finding?.next).toContain('hermes');
  });

  test('a damaged call says what was repaired, and names no flag of a server', () => {
    const repairs = ['single-quotes', 'single-quotes', 'trailing-comma'].map((kind, at) => ({ kind, at }));
    const [came, damaged] = findings(makeTurn({ rescued: [{ ...RESCUED, repairs }] }));
    expect(came?.next).toBeUndefined();
    expect(damaged?.what).toBe(
      'The call was damaged and needed 3 repairs: `single-quotes`, `trailing-comma`.',
    );
  });

  test('with rescue off it says what the text holds, and which switch takes it', () => {
    const [finding] = findings({ ...makeTurn({ rescued: [RESCUED] }), toolCalls: [] });
    expect(finding?.what).toContain('The text holds 1 tool call (`hermes-json`), and rescue is off');
    expect(finding?.next).toBe('Switch Rescue tool calls on to take it.');
  });

  test('what was left as text says why', () => {
    const [finding] = findings(makeTurn({ rejected: [rejection('unknown-tool')] }));
    expect(finding).toMatchObject({
      severity: 'warning',
      what: 'It was left, unknown-tool.',
      next: 'Do this.',
    });
  });

  test('arguments are checked against the schema, with the place', () => {
    const misfit = { ...NATIVE, arguments: { city: 'Oslo', unit: 'Celsius' } };
    expect(findings(makeTurn({ native: [misfit] })).map(({ what }) => what)).toEqual([
      '`/unit` of `get_weather` is not one of celsius, fahrenheit.',
    ]);
  });

  test('arguments that are not JSON are an error, and come first', () => {
    const turn = makeTurn({ native: [{ ...NATIVE, arguments: '{"city": "Os' }] });
    turn.raw.finishReason = 'length';
    turn.exchange.toolCalls = [{ rawArguments: '{"city": "Os', parseError: 'Unterminated string' }];
    const [first, second] = findings(turn);
    expect(first).toMatchObject({
      severity: 'error',
      what: expect.stringContaining('are not JSON: Unterminated string'),
    });
    expect(second?.what).toContain('token limit');
  });

  test('a native call of a tool that was not offered is told', () => {
    const [finding] = findings(makeTurn({ native: [{ ...NATIVE, name: 'rm' }] }));
    expect(finding?.what).toBe('`rm` was called natively, but was not offered.');
  });

  describe('a reply without a call', () => {
    const prose = (): ChatTurn => {
      const turn = makeTurn({});
      turn.raw.content = 'I would ask get_weather with Oslo as the city.';
      return turn;
    };

    test('that names a tool is told', () => {
      expect(findings(prose())[0]).toMatchObject({
        severity: 'info',
        what: 'The model wrote of `get_weather` in prose and made no call.',
      });
    });

    test('that answers a result may name it', () => {
      const turn = prose();
      turn.exchange.request.body = JSON.stringify({ messages: [{ role: 'tool', content: '-2' }] });
      expect(findings(turn)).toEqual([]);
    });
  });

  describe('native calls with one id', () => {
    const twice = (body: string): ChatTurn => {
      const turn = makeTurn({
        native: [NATIVE, { ...NATIVE, id: 'call_1_2' }, { ...NATIVE, id: 'call_1_3' }],
      });
      turn.exchange.response = { status: 200, headers: {}, body };
      return turn;
    };

    test('are told, with the id that the server sent', () => {
      const [finding, ...others] = findings(twice('{"id":"call_1"},{"id":"call_1"},{"id":"call_1"}'));
      expect(finding?.what).toContain('The server gave the id `call_1` to 3 calls');
      expect(others).toEqual([]);
    });

    test('are not made up where the server sent ids of that form', () => {
      const sent = '{"id":"call_1"},{"id":"call_1_2"},{"id":"call_1_3"}';
      expect(findings(twice(sent))).toEqual([]);
    });
  });

  test('an answer that broke off is counted by how it ended, not by its status', () => {
    const base = { startedAt: 0, endMs: 100, reason: '' };
    const turn = makeTurn({});
    turn.ledger = [
      { ...base, attempt: 1, status: 200, endedBy: 'network', errorCode: 'ECONNRESET', decision: 'retry' },
      { ...base, attempt: 2, status: 200, endedBy: 'server', decision: 'done' },
    ];
    expect(findings(turn)[0]?.what).toContain('1 try failed (ECONNRESET)');
  });

  test('sampling that was dropped or overridden is told', () => {
    const turn = makeTurn({});
    turn.exchange.dropped = ['topK', 'numCtx'];
    turn.exchange.overridden = ['temperature'];
    expect(findings(turn).map(({ what }) => what)).toEqual([
      '`topK`, `numCtx` were not sent: this server has no word for them.',
      '`raw` replaced `temperature` of the request.',
    ]);
  });

  test('failed tries are counted, with their causes and waits', () => {
    const base = { endedBy: 'server' as const, reason: '', endMs: 100 };
    const turn = makeTurn({});
    turn.ledger = [
      { ...base, attempt: 1, startedAt: 0, status: 429, decision: 'retry', delayMs: 2000 },
      { ...base, attempt: 2, startedAt: 2100, status: 429, decision: 'retry', delayMs: 700 },
      { ...base, attempt: 3, startedAt: 2900, status: 200, decision: 'done' },
    ];
    expect(findings(turn)).toEqual([
      { severity: 'info', what: '2 tries failed (429); 2.7 s of the 3.0 s were waits.', tab: 'attempts' },
    ]);
  });

  test('what the protocol could not say is named by its place, the first few of many', () => {
    const turn = makeTurn({});
    const place = (index: number): string => `messages[${index}].tool_calls[0].function.arguments`;
    turn.exchange.replaced = [place(2)];
    expect(findings(turn)).toMatchObject([
      { severity: 'warning', what: expect.stringContaining(`\`${place(2)}\` went as \`{}\``) },
    ]);
    turn.exchange.replaced = [2, 4, 6, 8, 10].map(place);
    expect(findings(turn).map(({ what }) => what)).toEqual([
      expect.stringContaining(`${place(6)}\` and 2 more`),
    ]);
  });
});
