import { describe, expect, test } from 'vitest';
import type { Finding, ToolType } from '../../../../src/types';
import { findingOf, findingsOf } from '../../../support/diagnosis/diagnosis';
import type { Made } from '../../../support/session/made-turns';
import { toMadeTurn } from '../../../support/session/made-turns';
import { NATIVE, WEATHER } from '../../../support/session/turns';

const TOOLS = [WEATHER];

/** The finding about a call with these arguments, which are no JSON. */
function findingAbout(text: string, made: Made = {}, parseError = 'not valid JSON'): Finding {
  const turn = toMadeTurn(
    {
      native: [{ ...NATIVE, arguments: text }],
      finishReason: 'tool_calls',
      ...made,
      change: ({ exchange }) => {
        exchange.toolCalls = [{ rawArguments: text, parseError }];
      },
    },
    TOOLS,
  );
  return findingOf('invalid-json', turn, { tools: TOOLS });
}

const EARLY = [
  '{"city": "Os',
  '{"city":',
  '{"city',
  '{"city": "Oslo",',
  '{"a": [1, {"b": tr',
  '{"a": "x\n1',
  '"{\\"a',
];

describe('a finding about arguments that are no JSON', () => {
  test('names the limit for arguments with too many values, and does not look for the end of them', () => {
    const parseError = 'the reply has more than 20,000 values in the arguments of its calls';
    const { what, next, remedies } = findingAbout('['.repeat(30_000), {}, parseError);
    expect(what).toBe(`The arguments of the native call \`get_weather\` cannot be read: ${parseError}.`);
    expect(next).toMatch(/^Ask for less in one call\./);
    expect(remedies).toBeUndefined();
  });

  test.each(EARLY)('says that %j was cut off, and asks for no other sampling', (text) => {
    const { what, remedies } = findingAbout(text);
    expect(what).toContain('are cut off: they end in the middle');
    expect(remedies).toBeUndefined();
  });

  test.each(EARLY)('names the limit that cut %j, whatever the finish reason', (text) => {
    const limited = { body: { max_tokens: 40 }, usage: { completionTokens: 40 } };
    for (const made of [limited, { ...limited, usage: {}, finishReason: 'length' }]) {
      expect(findingAbout(text, made)).toMatchObject({
        what: expect.stringContaining('stopped at its limit of 40 tokens'),
        remedies: [{ kind: 'sampling', key: 'maxTokens', value: 1_024 }],
      });
    }
  });

  test.each(['<malformed_json_arguments>{"city": 1}\n</parameter>', '<|begin|>{}'])(
    'blames the parser of the server for the markup in %j',
    (text) => {
      const { what, next, remedies } = findingAbout(text);
      expect(what).toContain('markup of the chat template');
      expect(next).toContain('parser of the server');
      expect(remedies).toBeUndefined();
    },
  );

  test.each([
    ['{', 'their last bracket'],
    ['{"city": "Oslo"', 'their last bracket'],
    ['{"a": {"b": ["{", 1]', 'their last 2 brackets'],
    ['{"a": [{"b": "\\""', 'their last 3 brackets'],
    ['{"a": "x\ny"', 'their last bracket'],
  ])('blames the server for the brackets that %j lacks', (text, lacked) => {
    const { what, next, remedies } = findingAbout(text, { usage: { completionTokens: 12 } });
    expect(what).toContain(`stop before ${lacked}; nothing`);
    expect(next).toContain('The parser of the server');
    expect(remedies).toBeUndefined();
  });

  test.each(['{"city": "say "hi" x"}', '{"city": "a\nb"}', '{city: 1}', '{"a": 1}}', '{"a": 1,}', '"a": 1}'])(
    'does not take %j for cut off',
    (text) => {
      const { what, remedies } = findingAbout(text);
      expect(what).toContain('cannot be read');
      expect(remedies).toHaveLength(1);
    },
  );

  test('takes linear time for hostile arguments', () => {
    for (const text of ['['.repeat(1_000_000), `{"a":"${'\\"'.repeat(500_000)}`])
      expect(findingAbout(text).what).toContain('native call');
  });
});

describe('a finding about lost arguments', () => {
  const NEEDY = { ...WEATHER, parameters: { type: 'object', properties: { city: {} }, required: ['city'] } };
  const FREE = { ...WEATHER, parameters: { type: 'object', properties: { city: {} } } };
  const EMPTY = { ...NATIVE, arguments: {} };

  const causesOf = (made: Made, tool: ToolType, isLlama = true): unknown[] => {
    const server: Record<string, string> = isLlama ? { server: 'llama.cpp' } : {};
    const change: Made['change'] = ({ exchange }) => {
      exchange.response = { status: 200, headers: server, body: '{}' };
    };
    const url = 'http://h/v1/messages';
    const finishReason = 'tool_calls';
    const turn = toMadeTurn({ native: [EMPTY], url, finishReason, change, ...made }, [tool]);
    return findingsOf(turn, { tools: [tool] }).map(({ cause }) => cause);
  };

  test('is made instead of one about the schema, where a server replaces arguments that it cannot read', () => {
    const causes = causesOf({}, NEEDY);
    expect(causes).toContain('lost-arguments');
    expect(causes).not.toContain('schema');
  });

  test.each([
    ['a tool that needs no arguments', {}, FREE, true],
    ['a call with arguments', { native: [NATIVE] }, NEEDY, true],
    ['a cut reply whose tool needs none', { finishReason: 'length' }, FREE, true],
    ['a stream, which shows them as they are', { body: { stream: true } }, NEEDY, true],
    ['another protocol', { url: 'http://h/v1/chat/completions' }, NEEDY, true],
    ['another server', {}, NEEDY, false],
  ] as const)('is not made for %s', (_, made, tool, isLlama) => {
    expect(causesOf(made as Made, tool, isLlama)).not.toContain('lost-arguments');
  });
});
