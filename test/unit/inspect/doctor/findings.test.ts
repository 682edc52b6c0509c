import { describe, expect, test } from 'vitest';
import { diagnoseModel } from '../../../../src/inspect';
import { PROVIDER_CATALOG } from '../../../../src/library';
import type { ChatTurn, Finding, FindingCause, ModelInfo, ToolType } from '../../../../src/types';
import type { Circumstances } from '../../../support/diagnosis/diagnosis';
import {
  failureFindings,
  findingOf,
  findingsOf,
  HOSTED_SETTING,
  LOCAL_SETTING,
  turnOf,
} from '../../../support/diagnosis/diagnosis';
import type { Made } from '../../../support/session/made-turns';
import { hermes, LIST, LOCAL_URL, toMadeTurn } from '../../../support/session/made-turns';
import { readRecorded } from '../../../support/messages/recorded';
import { NATIVE, WEATHER } from '../../../support/session/turns';

const OTHER = { connectionId: 'other', label: 'Other side' };
const TOOLS = [WEATHER];

const first = async (name: string, cause: FindingCause, more: Circumstances = {}): Promise<Finding> => {
  const { turn, tools } = await turnOf(name);
  return findingOf(cause, turn, { tools, ...more });
};

describe('a finding', () => {
  test('names the place where the JSON of a call breaks off', async () => {
    const finding = findingOf(
      'invalid-json',
      toMadeTurn(
        {
          native: [{ ...NATIVE, arguments: '' }],
          change: ({ exchange }) => {
            const parseError = 'not valid JSON at offset 16';
            exchange.toolCalls = [{ rawArguments: '{"city": "Oslo" "unit": 1}', parseError }];
          },
        },
        TOOLS,
      ),
      { tools: TOOLS },
    );
    expect(finding.evidence).toEqual([
      { place: 'arguments of call 1, character 17', quote: '{"city": "Oslo" "unit": 1}' },
    ]);
    expect(finding.remedies).toEqual([{ kind: 'sampling', key: 'temperature', value: 0 }]);
  });

  test('has the pointer of every violation of a schema, nested ones included', () => {
    const tool: ToolType = {
      name: 'get_weather',
      parameters: {
        type: 'object',
        properties: {
          place: { type: 'object', properties: { lat: { type: 'number' }, 'a/b': { type: 'null' } } },
        },
        required: ['place', 'when'],
      },
    };
    const native = [{ ...NATIVE, arguments: { place: { lat: 'north', 'a/b': 1 } } }];
    const turn = toMadeTurn({ native }, [tool]);
    const whats = ['when', 'place/lat', 'place/a~1b'].map((pointer) => `\`/${pointer}\` of \`get_weather\``);
    const found = findingsOfCause('schema', turn, [tool]);
    for (const what of whats) expect(found.map((one) => one.what).join('\n')).toContain(what);
    expect(found).toHaveLength(3);
    expect(found.flatMap(({ evidence = [] }) => evidence)).toContainEqual({
      place: 'arguments of call 1, `/place/lat`',
      quote: 'north',
    });
  });

  test('distinguishes text instead of a list from a list that was written as a string', () => {
    const argue = (via: unknown): string =>
      findingOf(
        'text-for-list',
        toMadeTurn({ native: [{ ...NATIVE, name: 'find_flights', arguments: { via } }] }, [LIST]),
        { tools: [LIST] },
      ).what;
    expect(argue('["Oslo"]')).toContain('was encoded as a string once too often');
    expect(argue('Oslo, Bergen')).toContain('The model wrote text where a list belongs.');
  });

  test('reports the arguments of a native call that were encoded twice', () => {
    const call = { ...NATIVE, arguments: '{"city":"Oslo"}' };
    expect(
      findingOf('text-for-list', toMadeTurn({ native: [call] }, [WEATHER]), { tools: [WEATHER] }),
    ).toMatchObject({
      what: '`/` of `get_weather` is text; the schema requires an object. The text contains the object as JSON: it was encoded as a string once too often.',
      evidence: [{ quote: '{"city":"Oslo"}' }],
      next: expect.stringContaining('encoded the arguments twice'),
    });
  });

  test('for an unknown tool offers the playground’s tool of that name, a renaming of the nearest, or a new tool', () => {
    const call = (name: string, idleTools: string[] = []): Finding =>
      findingOf('unknown-tool', toMadeTurn({ native: [{ ...NATIVE, name }] }, TOOLS), {
        tools: TOOLS,
        idleTools,
      });
    expect(call('search', ['search']).remedies).toEqual([{ kind: 'offer-tool', tool: 'search' }]);
    expect(call('get_wether').remedies).toHaveLength(2);
    expect(call('book_hotel').remedies).toEqual([{ kind: 'add-tool', tool: 'book_hotel' }]);
    expect(call('no name').remedies).toBeUndefined();
  });

  test('for an unknown tool is one finding, however often it was called', () => {
    const native = Array.from({ length: 5 }, (_, index) => ({ ...NATIVE, id: `c${index}`, name: 'rm' }));
    const found = findingsOfCause('unknown-tool', toMadeTurn({ native }, TOOLS), TOOLS);
    expect(found).toHaveLength(1);
    expect(found[0]?.evidence?.[0]).toEqual({ place: 'call 1, 2, 3', quote: 'rm' });
  });

  test('has no remedy when the connection itself turns rescue off', () => {
    const made = toMadeTurn({ content: hermes('get_weather', { city: 'Oslo' }), isRescued: false }, TOOLS);
    const finding = findingOf('rescue-off', made, { tools: TOOLS, setting: { isRescueOff: true } });
    expect(finding.remedies).toBeUndefined();
    expect(finding.next).toContain('`rescueToolCalls`');
  });

  test('lowers the temperature only if it is above 0, whether sampling or raw sets it', () => {
    const made: Made = { content: '<function=', finishReason: 'tool_call_parse_error' };
    const remedies = (setting: Circumstances['setting']) =>
      findingOf('unread-call', toMadeTurn(made, TOOLS), { tools: TOOLS, ...(setting && { setting }) })
        .remedies;
    expect(remedies({ sampling: { temperature: 0 } })).toBeUndefined();
    expect(remedies({ sampling: { temperature: 0.7 } })).toHaveLength(1);
    expect(remedies({ raw: { temperature: 1 } })).toEqual([{ kind: 'raw', path: ['temperature'], value: 0 }]);
  });

  test('for a prompt that Ollama truncated on /v1 suggests the native connection with a context size', async () => {
    const { remedies, next } = await first('ollama-go-v1-overflow', 'prompt-cut', {
      setting: { otherSide: OTHER },
    });
    expect(remedies).toEqual([{ kind: 'connection', ...OTHER, numCtx: 8_192 }]);
    expect(next).toContain('`/v1` side of Ollama');
    const alone = await first('ollama-go-v1-overflow', 'prompt-cut');
    expect(alone.remedies).toBeUndefined();
  });

  test('for a truncated reply distinguishes reasoning that used up the limit from a full context', async () => {
    const used = await first('llamacpp-reasoning-truncated', 'token-limit');
    expect(used.what).toContain('while the model was still reasoning');
    expect((await first('llamacpp-chat-length', 'token-limit')).what).toContain('it is not complete');
    const full = await first('llamacpp-chat-ctx-full', 'context-limit');
    expect(full.what).toContain('after 2048 tokens of prompt and reply, and the request sets no limit');
    expect(full.next).toContain('`-c` of llama-server');
    expect(full.remedies).toBeUndefined();
  });

  test.each([
    ['llamacpp-chat-tools-unknown', 'unknown-tool'],
    ['ollama-chat-tools-unknown', 'unknown-tool'],
    ['ollama-chat-tools-truncated', 'invalid-json'],
    ['ollama-v1-chat-tools-truncated', 'invalid-json'],
    ['ollama-v1-chat-tools-unsupported', 'model-without-tools'],
    ['llamacpp-chat-overflow', 'prompt-too-long'],
    ['ollama-v1-chat-404', 'no-such-model'],
  ] as const)('for the failure %s has the cause %s', (name, cause) => {
    const words = (JSON.parse(readRecorded(name).response.body) as { error: string | { message: string } })
      .error;
    const found = failureFindings(typeof words === 'string' ? words : words.message);
    expect(found.map((finding) => finding.cause)).toEqual([cause]);
  });

  test('for a prompt that OpenAI refused names both numbers', () => {
    const words =
      "This model's maximum context length is 8192 tokens. However, you requested 9001 tokens (8489 in the messages).";
    expect(failureFindings(words, { setting: HOSTED_SETTING })[0]?.what).toBe(
      'The prompt has 8489 tokens, and the context has room for 8192.',
    );
  });

  test.each([
    ['of the local protocol to raise it', LOCAL_SETTING, 'Raise Context size, or send less.'],
    [
      'of the hosted protocol to start the server with more',
      HOSTED_SETTING,
      /^Start the server with a larger/,
    ],
    [
      'with a connection to its other side to use that',
      { ...HOSTED_SETTING, otherSide: OTHER },
      `Use the connection ${OTHER.label}, which can set Context size, or send less.`,
    ],
  ])('about a context that is too small advises a connection %s', async (_, setting, advice) => {
    const words = readRecorded('llamacpp-chat-overflow').response.body;
    expect(failureFindings(words, { setting, url: '' })[0]?.next).toMatch(advice);
    const model = { id: 'm', contextLength: 2_048 };
    const request = toMadeTurn({ url: LOCAL_URL }, TOOLS).exchange.request;
    const known = diagnoseModel({
      catalog: PROVIDER_CATALOG,
      model,
      request,
      usage: { promptTokens: 2_040 },
      hasTools: true,
      setting,
    });
    // What a server reports about a model does not say which server it is.
    expect(known[0]?.next).toMatch(
      setting.keys['numCtx'] === null && !('otherSide' in setting) ? /^Send less/ : advice,
    );
    const { next } = await first('llamacpp-reasoning-truncated', 'token-limit', { setting });
    expect(next?.includes('Context size')).toBe(setting === LOCAL_SETTING);
  });

  test.each(['llamacpp-chat-tools', 'ollama-chat-tools', 'ollama-go-tools', 'llamacpp-chat-tools-stream'])(
    'is absent where a call came as expected: %s',
    async (name) => {
      const { turn, tools } = await turnOf(name);
      expect(turn.toolCalls).not.toEqual([]);
      expect(() => findingOf('no-call', turn, { tools })).toThrow('only: none');
    },
  );
});

describe('several findings', () => {
  test('offer each remedy once, with the most severe finding', async () => {
    const { turn, tools } = await turnOf('llamacpp-chat-tools-truncated');
    const raising = findingsOf(turn, { tools }).filter(({ remedies }) => remedies !== undefined);
    expect(raising.map(({ cause }) => cause)).toEqual(['invalid-json']);
  });

  test('do not say that the model answered in prose when the prompt was truncated', () => {
    const body = { messages: [{ role: 'user', content: 'word '.repeat(1_000) }], options: { num_ctx: 512 } };
    const made = toMadeTurn({ content: 'Well.', url: LOCAL_URL, body, usage: { promptTokens: 510 } }, TOOLS);
    expect(findingsOf(made, { tools: TOOLS }).map(({ cause }) => cause)).toEqual(['context-too-small']);
  });
});

describe('what a server reports about its model', () => {
  const diagnoseWith = (model: ModelInfo, promptTokens: number, setting = LOCAL_SETTING): Finding[] =>
    diagnoseModel({
      catalog: PROVIDER_CATALOG,
      model,
      request: toMadeTurn({ url: LOCAL_URL }, TOOLS).exchange.request,
      usage: { promptTokens },
      hasTools: true,
      setting,
    });

  test('is an error if the model takes no tools and some were offered', () => {
    expect(diagnoseWith({ id: 'm', capabilities: ['completion'] }, 10)[0]).toMatchObject({
      cause: 'model-without-tools',
      severity: 'error',
      what: expect.stringContaining('never saw the offered tools'),
    });
  });

  test('is a warning if the context is full, with a remedy up to the maximum', () => {
    const full = diagnoseWith({ id: 'm', contextLength: 2_048, maxContextLength: 3_000 }, 2_040);
    expect(full[0]).toMatchObject({
      cause: 'context-full',
      severity: 'warning',
      remedies: [{ kind: 'sampling', key: 'numCtx', value: 3_000 }],
    });
    const most = diagnoseWith({ id: 'm', contextLength: 2_048, maxContextLength: 2_048 }, 2_040);
    expect(most[0]?.remedies).toEqual([]);
  });
});

function findingsOfCause(cause: FindingCause, turn: ChatTurn, tools: readonly ToolType[]): Finding[] {
  return findingsOf(turn, { tools }).filter((finding) => finding.cause === cause);
}
