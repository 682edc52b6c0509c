import { describe, expect, test } from 'vitest';
import type { ChatTurn } from '../../../../src/types';
import { findingsOf } from '../../../support/diagnosis/diagnosis';
import { makeTurn, NATIVE, RESCUED, rejection, WEATHER } from '../../../support/session/turns';

const findings = (turn: ChatTurn) => findingsOf(turn, { tools: [WEATHER] });

describe('diagnose', () => {
  test('finds nothing in a plain answer', () => {
    expect(findings(makeTurn({}))).toEqual([]);
    expect(findings(makeTurn({ native: [NATIVE] }))).toEqual([]);
  });

  test('reports generated tokens without text, reasoning or call, with the next step', () => {
    const turn = makeTurn({});
    turn.raw = { ...turn.raw, content: '', usage: { completionTokens: 7 } };
    const [finding, ...others] = findings(turn);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      severity: 'error',
      what: expect.stringMatching(/^The model wrote 7 tokens, but the reply is empty/),
      next: expect.stringContaining('raw prompt'),
    });
    expect(finding?.next).toContain('`/v1`');
  });

  test('reports that a rescued call came as text, and how to get it natively', () => {
    const [finding] = findings(makeTurn({ rescued: [RESCUED] }));
    expect(finding?.what).toBe('The call came as text. There was no native call.');
    expect(finding?.next).toContain('hermes');
  });

  describe('of a value that stayed text', () => {
    const XML = '<function=f><parameter=days>3</parameter><parameter=quoted>"4"</parameter></function>';
    const whatOf = (parameters: object, content = XML, isUsed = true): string[] => {
      const call = { ...RESCUED, name: 'f', arguments: { days: '3', quoted: '4' }, end: content.length };
      const turn = makeTurn({ rescued: [call] });
      turn.raw.content = content;
      if (!isUsed) turn.toolCalls = [];
      const tools = [{ name: 'f', parameters: { type: 'object', ...parameters } }];
      return findingsOf(turn, { tools }).flatMap(({ cause, what }) => (cause === 'schema' ? [what] : []));
    };

    test.each([{}, { properties: {} }, { properties: { days: { description: 'd' } } }])(
      'says that no schema names its type: %o',
      (parameters) => {
        expect(whatOf(parameters)).toEqual(['No schema for `days` of `f`: the value stayed text.']);
      },
    );

    test('says nothing when the schema decides, the model quoted it, or the call is not used', () => {
      expect(whatOf({ properties: { days: { type: 'string' } } })).toEqual([]);
      expect(whatOf({ properties: { days: { enum: ['3'] } } })).toEqual([]);
      expect(whatOf({ additionalProperties: { type: 'string' } })).toEqual([]);
      expect(whatOf({ $ref: '#/$defs/f' })).toEqual([]);
      expect(whatOf({}, '{"days": "3", "quoted": "4"}')).toEqual([]);
      expect(whatOf({}, XML, false)).toEqual([]);
    });
  });

  test('reports the repairs of a damaged call, and names no flag of a server', () => {
    const repairs = ['single-quotes', 'single-quotes', 'trailing-comma'].map((kind, at) => ({ kind, at }));
    const [came, damaged] = findings(makeTurn({ rescued: [{ ...RESCUED, repairs }] }));
    expect(came?.next).toBeUndefined();
    expect(damaged?.what).toBe(
      'The call was damaged and needed 3 repairs: `single-quotes`, `trailing-comma`.',
    );
  });

  test('ends a quote before a surrogate pair rather than within it', () => {
    const turn = makeTurn({ rejected: [rejection('unknown-tool')] });
    turn.raw.content = `${'x'.repeat(44)}🌦 in Oslo`;
    expect(findings(turn)[0]?.evidence?.[0]?.quote).toBe(`${'x'.repeat(44)}…`);
  });

  test('reports calls in the text when rescue is off, and names the switch', () => {
    const [finding] = findings({ ...makeTurn({ rescued: [RESCUED] }), toolCalls: [] });
    expect(finding?.what).toContain('The text contains 1 tool call (`hermes-json`), and rescue is off');
    expect(finding?.next).toBe('Switch Rescue tool calls on to rescue it.');
  });

  test('names the tool choice none instead of the switch, but only if the request has it', () => {
    const turn = { ...makeTurn({ rescued: [RESCUED] }), toolCalls: [] };
    turn.exchange.toolChoice = { choice: 'none', key: 'tool_choice' };
    const [finding] = findings(turn);
    expect(finding?.what).toContain('(`hermes-json`), and the tool choice is `none`, so it stays');
    expect(finding?.next).toBe('Set Tool choice to another value to rescue it.');
    delete turn.exchange.toolChoice;
    expect(findings(turn)[0]?.what).toContain('and rescue is off');
  });

  test('reports why a call was left as text', () => {
    const [finding] = findings(makeTurn({ rejected: [rejection('unknown-tool')] }));
    expect(finding).toMatchObject({
      severity: 'warning',
      what: 'It was left, unknown-tool.',
      next: 'Do this.',
    });
  });

  test('checks arguments against the schema and names the place', () => {
    const misfit = { ...NATIVE, arguments: { city: 'Oslo', unit: 'Celsius' } };
    expect(findings(makeTurn({ native: [misfit] })).map(({ what }) => what)).toEqual([
      '`/unit` of `get_weather` is not one of celsius, fahrenheit.',
    ]);
  });

  test('reports arguments that are not JSON first, as an error', () => {
    const turn = makeTurn({ native: [{ ...NATIVE, arguments: '{"city": "Os' }] });
    turn.raw.finishReason = 'length';
    turn.exchange.toolCalls = [{ rawArguments: '{"city": "Os', parseError: 'Unterminated string' }];
    const [first, second] = findings(turn);
    expect(first).toMatchObject({
      severity: 'error',
      what: expect.stringContaining('are cut off: the reply stopped at a limit'),
    });
    expect(second?.what).toContain('token limit');
  });

  test('examines at most the first thousand calls', () => {
    const misfit = { ...NATIVE, arguments: { city: 1 } };
    const turn = makeTurn({ native: Array.from({ length: 3_000 }, () => misfit) });
    turn.exchange.toolCalls = turn.raw.toolCalls.map(() => ({ rawArguments: '{', parseError: 'cut' }));
    expect(findings(turn)).toHaveLength(2_000);
    const rejected = Array.from({ length: 3_000 }, () => rejection('unknown-tool'));
    expect(findings(makeTurn({ rejected }))).toHaveLength(1_000);
  });

  test('suggests the nearest tool for a native call with an unknown name', () => {
    const [finding] = findings(makeTurn({ native: [{ ...NATIVE, name: 'get_wether' }] }));
    expect(finding?.what).toBe(
      '`get_wether` was called natively, but was not offered. The nearest tool is `get_weather`.',
    );
  });

  test('reports a native call of a tool that was not offered', () => {
    const [finding] = findings(makeTurn({ native: [{ ...NATIVE, name: 'rm' }] }));
    expect(finding?.what).toBe('`rm` was called natively, but was not offered.');
  });

  describe('a reply without a call', () => {
    const prose = (): ChatTurn => {
      const turn = makeTurn({});
      turn.raw.content = 'I would ask get_weather with Oslo as the city.';
      return turn;
    };

    test('is reported if it names a tool', () => {
      expect(findings(prose())[0]).toMatchObject({
        severity: 'info',
        what: 'The model wrote of `get_weather` in prose and made no call.',
      });
    });

    test('is told from markup of calls that was cut from the answer', () => {
      const turn = prose();
      turn.raw.content = '<|channel|>commentary<|message|>{"city": "Oslo"} get_weather';
      turn.assistant.content = '{"city": "Oslo"} get_weather';
      expect(findings(turn)[0]).toMatchObject({
        cause: 'no-call',
        severity: 'warning',
        what: expect.stringMatching(/^The reply has markup of the chat template, /),
      });
    });

    test('is not told from markup that is still in the answer, which has a finding of its own', () => {
      const turn = prose();
      turn.raw.content = '<|open|>call get_weather<|sep|>Oslo<|close|> get_weather';
      turn.assistant.content = turn.raw.content;
      expect(findings(turn).map(({ cause }) => cause)).toEqual(['leftover-markup']);
    });

    test('is reported as prose if only the end of the turn is written out', () => {
      const turn = prose();
      turn.assistant.content = turn.raw.content;
      turn.raw.content += '<|im_end|>\n<|eot|>';
      expect(findings(turn)[0]?.what).toMatch(/in prose and made no call/);
    });

    test('is not reported if it answers a result and names a tool', () => {
      const turn = prose();
      turn.exchange.request.body = JSON.stringify({ messages: [{ role: 'tool', content: '-2' }] });
      expect(findings(turn)).toEqual([]);
    });

    test('is reported if it answers a question after a result', () => {
      const turn = prose();
      const messages = [
        { role: 'tool', content: '-2' },
        { role: 'assistant', content: 'It is -2 °C.' },
        { role: 'user', content: 'And in Bergen?' },
      ];
      turn.exchange.request.body = JSON.stringify({ messages });
      expect(findings(turn).map(({ cause }) => cause)).toEqual(['no-call']);
    });
  });

  describe('native calls with the same id', () => {
    const withRepeats = (repeated: readonly (string | undefined)[]): ChatTurn => {
      const turn = makeTurn({ native: repeated.map((_, index) => ({ ...NATIVE, id: `id ${index}` })) });
      turn.exchange.toolCalls = repeated.map((repeatedId) => ({ rawArguments: '{}', repeatedId }));
      return turn;
    };

    test('are reported with the id that the server sent', () => {
      const [finding, ...others] = findings(withRepeats([undefined, 'call_1', 'call_1']));
      expect(finding?.what).toContain('The server gave the id `call_1` to 3 calls; here a number is added');
      expect(others).toEqual([]);
    });

    test('are not reported where the server itself sent ids that end in a number', () => {
      const native = ['call_1', 'call_1_2', 'call_1_3'].map((id) => ({ ...NATIVE, id }));
      expect(findings(makeTurn({ native }))).toEqual([]);
    });

    test('are one finding, whatever their number', () => {
      const ids = Array.from({ length: 1_000 }, (_, index) => `id ${index}`);
      expect(findings(withRepeats([...ids, ...ids])).map(({ what }) => what)).toEqual([
        'The server gave the id `id 0` to 3 calls, the id `id 1` to 3 calls, the id `id 2` to 3 calls, and 997 more ids to several; here a number is added to the later ids.',
      ]);
    });

    test('are counted in linear time, measured in property reads', () => {
      const looksAt = (count: number): number => {
        let looks = 0;
        const turn = withRepeats(Array.from({ length: count }, (_, index) => `id ${index >> 1}`));
        for (const call of turn.exchange.toolCalls) {
          const { repeatedId } = call;
          Object.defineProperty(call, 'repeatedId', { get: () => ((looks += 1), repeatedId) });
        }
        for (const call of turn.raw.toolCalls) {
          const { id } = call;
          Object.defineProperty(call, 'id', { get: () => ((looks += 1), id) });
        }
        findings(turn);
        return looks;
      };
      expect(looksAt(400) / 400).toBe(looksAt(100) / 100);
    });
  });

  test('says how an attempt failed in words, and by its status only if the server ended it', () => {
    const base = { startedAt: 0, endMs: 100, reason: '' };
    const turn = makeTurn({});
    turn.ledger = [
      { ...base, attempt: 1, status: 200, endedBy: 'network', errorCode: 'ECONNRESET', decision: 'retry' },
      { ...base, attempt: 2, endedBy: 'network', errorCode: 'ECONNREFUSED', decision: 'retry' },
      { ...base, attempt: 3, endedBy: 'timeout', decision: 'retry' },
      { ...base, attempt: 4, status: 200, endedBy: 'server', decision: 'done' },
    ];
    expect(findings(turn)[0]?.what).toContain('3 attempts failed (broke off, no connection, took too long)');
  });

  test('reports sampling that was dropped or overridden', () => {
    const turn = makeTurn({});
    turn.exchange.dropped = ['topK', 'numCtx'];
    turn.exchange.overridden = ['temperature'];
    expect(findings(turn).map(({ what }) => what)).toEqual([
      '`topK`, `numCtx` were not sent: this server does not support them.',
      '`raw` replaced `temperature` of the request.',
    ]);
  });

  test('counts failed attempts and reports their causes and waits', () => {
    const base = { endedBy: 'server' as const, reason: '', endMs: 100 };
    const turn = makeTurn({});
    turn.ledger = [
      { ...base, attempt: 1, startedAt: 0, status: 429, decision: 'retry', delayMs: 2000 },
      { ...base, attempt: 2, startedAt: 2100, status: 429, decision: 'retry', delayMs: 700 },
      { ...base, attempt: 3, startedAt: 2900, status: 200, decision: 'done' },
    ];
    expect(findings(turn)).toEqual([
      {
        cause: 'attempts',
        severity: 'info',
        what: '2 attempts failed (429); 2.7 s of the 3.0 s were waits.',
        tab: 'attempts',
      },
    ]);
  });

  test('reports lone surrogates by their places, separately from arguments that were sent as {}', () => {
    const turn = makeTurn({});
    const args = 'messages[1].tool_calls[0].function.arguments';
    turn.exchange.replaced = [args, 'messages[0].content', `${args}.city`];
    expect(findings(turn).map(({ what }) => what)).toEqual([
      expect.stringContaining(`Sent as \`{}\`: \`${args}\`.`),
      expect.stringMatching(
        /^Sent with `U\+FFFD` in place of half a character: `messages\[0\].content`, `.*city`\./,
      ),
    ]);
  });

  test('says which messages went without the reasoning that belongs to them', () => {
    const turn = makeTurn({});
    turn.exchange.replaced = ['messages[1].replay', 'messages[3].replay'];
    expect(findings(turn)).toMatchObject([
      {
        severity: 'info',
        what: expect.stringContaining('Not sent back: the reasoning with `messages[1]`, `messages[3]`.'),
      },
    ]);
  });

  test.each([
    [
      'messages[1].content[0].input',
      'warning',
      'Sent inside of `rawInvalidInput`: `messages[1].content[0].input`.',
    ],
    ['messages[3].place', 'info', 'Sent earlier, directly after its call: `messages[3]`.'],
    ['messages[2].content[1]', 'info', 'Sent as a failed result: `messages[2].content[1]`.'],
    ['input[4]', 'info', 'Sent as a failed result: `input[4]`.'],
    ['messages[5].end', 'info', 'Sent without the white space at its end: `messages[5]`.'],
    ['tools', 'info', 'Sent with the names alone, and forbidden: `tools`.'],
  ])('says what was done at %s', (place, severity, words) => {
    const turn = makeTurn({});
    turn.exchange.replaced = [place];
    expect(findings(turn)).toMatchObject([{ severity, what: expect.stringContaining(words) }]);
  });

  test('reports what was replaced by its place, and only the number beyond the first few', () => {
    const turn = makeTurn({});
    const place = (index: number): string => `messages[${index}].tool_calls[0].function.arguments`;
    turn.exchange.replaced = [place(2)];
    expect(findings(turn)).toMatchObject([
      { severity: 'warning', what: expect.stringContaining(`Sent as \`{}\`: \`${place(2)}\``) },
    ]);
    turn.exchange.replaced = [2, 4, 6, 8, 10].map(place);
    expect(findings(turn).map(({ what }) => what)).toEqual([
      expect.stringContaining(`${place(6)}\` and 2 more`),
    ]);
  });
});
