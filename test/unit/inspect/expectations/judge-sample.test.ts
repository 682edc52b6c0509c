import { describe, expect, test } from 'vitest';
import { judgeExpectation, judgeSample, verdictOf } from '../../../../src/inspect';
import { firstIssue } from '../../../../src/session/tools/schema/check-against-schema';
import type { Expectation, JsonSchema, SampleCall, SampleFacts } from '../../../../src/types';

const schema = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});

const TOOLS = [
  {
    name: 'get_weather',
    parameters: schema({
      city: {},
      date: {},
      lat: {},
      units: { default: 'metric' },
      unit: { enum: ['c', 'f'] },
    }),
  },
  { name: 'orders', parameters: schema({ status: {} }) },
  { name: 'open', parameters: schema({}, { additionalProperties: true }) },
  { name: 'number', parameters: schema({ n: { type: 'number' } }) },
];

const LONG_LIST = Array.from({ length: 700 }, (_, index) => index);

const call = (name: string, args: unknown = {}, change: Partial<SampleCall> = {}): SampleCall => ({
  name,
  arguments: args,
  step: 1,
  source: 'native',
  ...change,
});
const weather = (args: unknown, change?: Partial<SampleCall>): SampleCall =>
  call('get_weather', args, change);

const facts = (calls: SampleCall[], change: Partial<SampleFacts> = {}): SampleFacts => ({
  calls,
  text: '',
  outcome: calls.length > 0 ? 'native' : 'none',
  finish: 'stop',
  spent: {},
  hasRates: false,
  ...change,
});

const judge = (expectation: Expectation, given: SampleFacts) =>
  judgeExpectation(expectation, 0, given, { tools: TOOLS, checkSchema: firstIssue });

const expectWeather = (args: unknown): Expectation => ({ calls: [{ tool: 'get_weather', arguments: args }] });
const AGENT = { steps: 6, stop: 'answer' } as const;

describe('judgeExpectation', () => {
  test.each<[expectation: Expectation, given: SampleFacts, message: string]>([
    [
      expectWeather({ city: 'Oslo' }),
      facts([weather({ city: 'Bergen' })]),
      'get_weather: city is "Bergen"; expected "Oslo".',
    ],
    [
      expectWeather({ city: 'Oslo' }),
      facts([], { unread: ['hermes-json'] }),
      'No call was made; expected get_weather {"city":"Oslo"}. The reply holds a call as text (hermes-json); rescue is off.',
    ],
    [
      expectWeather({ city: { $oneOf: ['NYC', { $loose: 'new york' }] } }),
      facts([weather({ city: 'Newark' })]),
      'get_weather: city is "Newark"; expected "NYC" or "new york" (any case).',
    ],
    [
      expectWeather({ date: { $matches: '^2026-11-2[0-9]$' } }),
      facts([weather({ date: '21 Nov' })]),
      'get_weather: date is "21 Nov"; expected a text that matches ^2026-11-2[0-9]$.',
    ],
    [
      expectWeather({ lat: { $near: 59.91, $within: 0.05 } }),
      facts([weather({ lat: '59.91' })]),
      'get_weather: lat is the text "59.91"; expected a number.',
    ],
    [
      expectWeather({ units: { $optional: 'metric' } }),
      facts([weather({ units: 'imperial' })]),
      'get_weather: units is "imperial"; expected "metric" or no value.',
    ],
    [
      { calls: [{ tool: 'orders', arguments: { status: 'Q' } }] },
      facts([call('orders', { status: 'Q', delete_database: true })]),
      'delete_database is not an argument of orders; it is true.',
    ],
    [
      {
        calls: [
          { tool: 'get_weather', step: 1, arguments: { city: 'London' } },
          { tool: 'get_weather', step: 1, arguments: { city: 'Paris' } },
        ],
      },
      facts([weather({ city: 'London' }), weather({ city: 'London' })]),
      '1 of 2 expected calls is missing: get_weather {"city":"Paris"}; 2 calls were made, 1 unexpected: get_weather {"city":"London"}.',
    ],
    [
      { order: 'listed', extra: 'allowed', calls: [{ tool: 'find_customer' }, { tool: 'refund' }] },
      facts([call('refund', {}, { step: 1 }), call('find_customer', {}, { step: 2 })], { agent: AGENT }),
      'refund (step 1) came before find_customer (step 2).',
    ],
    [
      { calls: [], text: { $not: { $matches: String.raw`^\s*$` } } },
      facts([call('search', { q: 'hello' })], { text: 'Hi.' }),
      '1 call was made: search {"q":"hello"}; expected none.',
    ],
    [
      { calls: [{ tool: 'get_weather', source: 'native' }] },
      facts([weather({}, { source: 'rescued', format: 'hermes-json' })]),
      'get_weather was written as text (hermes-json) and rescued; expected a native call.',
    ],
    [
      { text: { $json: { stars: { $min: 1, $max: 5 } } }, finish: 'stop' },
      facts([], { text: '{"stars":6}' }),
      'stars is 6; expected at most 5.',
    ],
    [
      { text: { $json: {} } },
      facts([], { text: 'Sorry' }),
      'The text is not JSON: unexpected "S" at character 1.',
    ],
    [{ finish: 'stop' }, facts([], { finish: 'max_tokens' }), 'The finish reason is length; expected stop.'],
    [{ steps: { max: 4 } }, facts([], { agent: AGENT }), 'The run took 6 steps; expected at most 4.'],
    [
      { never: ['delete_file'] },
      facts([call('delete_file', { b: 1, a: 2 })]),
      'delete_file {"a":2,"b":1} was called; expected never.',
    ],
    [
      { verdict: ['native', 'answer'] },
      facts([], { outcome: 'none' }),
      'The verdict is none; expected native or answer.',
    ],
    [
      { stop: 'answer' },
      facts([], { agent: { steps: 1, stop: 'budget' } }),
      'The stop reason is budget; expected answer.',
    ],
    [
      { max: { timeMs: 2000 } },
      facts([], { spent: { timeMs: 2004 } }),
      'timeMs is 2004 ms; expected at most 2000 ms.',
    ],
    [
      { max: { timeMs: 2000 } },
      facts([], { spent: { timeMs: 3900 } }),
      'timeMs is 3.9 s; expected at most 2.0 s.',
    ],
    [expectWeather({}), facts([call('orders')]), 'orders was called; expected get_weather {}.'],
    [
      expectWeather({}),
      facts([weather('{"city', { arguments: undefined, parseError: 'not valid JSON: it ends too early' })]),
      'get_weather: the arguments are not valid JSON: it ends too early.',
    ],
    [
      expectWeather({ city: 'Oslo' }),
      facts([weather({ city: 'Oslo' }), weather({ city: 'Bergen' })]),
      '2 calls were made, 1 unexpected: get_weather {"city":"Bergen"}; expected only get_weather {"city":"Oslo"}.',
    ],
    [
      { calls: [{ tool: 'get_weather', exact: true, arguments: { city: 'Oslo' } }] },
      facts([weather({ city: 'Oslo', lat: 1 })]),
      'get_weather: lat is 1; expected no value.',
    ],
    [
      { calls: [{ tool: 'get_weather', times: { min: 2 } }] },
      facts([weather({})]),
      '1 of 2 expected calls is missing: get_weather; 1 call was made.',
    ],
    [
      { calls: [{ tool: 'get_weather', times: 10 }, { tool: 'orders' }] },
      facts([weather({}), weather({})]),
      '9 of 11 expected calls are missing: get_weather 8 times, orders; 2 calls were made.',
    ],
    // A call that nobody can read is none of those that are expected.
    [
      { calls: [] },
      facts([], { outcome: 'malformed' }),
      'A call was made that cannot be read; expected none.',
    ],
    [
      { calls: [{ tool: 'orders' }] },
      facts([call('orders')], { outcome: 'malformed', agent: { steps: 2, stop: 'error' } }),
      'A call was made that cannot be read; expected only orders.',
    ],
    [
      { calls: [{ tool: 'number' }] },
      facts([call('number', { n: 'x' })]),
      expect.stringMatching(/^number: the arguments break the schema: \/n /),
    ],
  ])('fails %j: %s', (expectation, given, message) => {
    expect(judge(expectation, given)).toMatchObject({ verdict: 'failed', message });
  });

  test.each<[expectation: Expectation, given: SampleFacts]>([
    // A greedy match gives Oslo to the first pattern.
    [
      {
        calls: [
          { tool: 'get_weather', arguments: { city: { $any: true } } },
          { tool: 'get_weather', arguments: { city: 'Oslo' } },
        ],
      },
      facts([weather({ city: 'Oslo' }), weather({ city: 'Bergen' })]),
    ],
    [
      { calls: [{ tool: 'get_weather', exact: true, arguments: { city: 'x' } }] },
      facts([weather({ city: 'x', units: 'metric' })]),
    ],
    // Matchers name arguments, too.
    [
      { calls: [{ tool: 'get_weather', exact: true, arguments: { $equals: { city: 'x' } } }] },
      facts([weather({ city: 'x' })]),
    ],
    [
      {
        calls: [
          { tool: 'get_weather', exact: true, arguments: { $oneOf: [{ city: 'x' }, { lat: 1, unit: 'c' }] } },
        ],
      },
      facts([weather({ lat: 1, unit: 'c' })]),
    ],
    [{ calls: [], extra: 'allowed' }, facts([], { outcome: 'malformed' })],
    [
      { calls: [{ tool: 'unknown_tool' }] },
      facts([call('unknown_tool')], { outcome: 'malformed', agent: { steps: 1, stop: 'error' } }),
    ],
    [{ calls: [{ tool: 'open', arguments: {} }] }, facts([call('open', { anything: 1 })])],
    [{ calls: [{ tool: 'number', valid: false }] }, facts([call('number', { n: 'x' })])],
    [{ calls: [{ tool: 'get_weather', times: 2 }] }, facts([weather({}), weather({})])],
    [{ calls: [{ tool: 'get_weather' }], extra: ['orders'] }, facts([call('orders'), weather({})])],
    // A same-named call with other arguments is an extra one.
    [
      {
        order: 'listed',
        extra: 'allowed',
        calls: [
          { tool: 'orders', arguments: { status: 'a' } },
          { tool: 'orders', arguments: { status: 'b' } },
        ],
      },
      facts([
        call('orders', { status: 'x' }),
        call('orders', { status: 'a' }),
        call('orders', { status: 'c' }),
        call('orders', { status: 'b' }),
      ]),
    ],
    [
      { order: 'listed', calls: [{ tool: 'orders', times: { max: 2 } }, { tool: 'get_weather' }] },
      facts([call('orders'), call('orders'), weather({})]),
    ],
    [{ calls: [], text: { $not: { $matches: String.raw`^\s*$` } } }, facts([], { text: 'Hi' })],
    [{ finish: 'tool-calls' }, facts([], { finish: 'tool_use' })],
    [{ finish: ['abort', 'stop'] }, facts([], { finish: 'abort' })],
    [{ max: { completionTokens: 300 } }, facts([], { spent: { completionTokens: 300 } })],
    [{ max: { costUsd: 0.3 } }, facts([], { spent: { costUsd: 0.1 + 0.2 } })],
    [
      { calls: [{ tool: 'unknown_tool', arguments: { a: 1 } }] },
      facts([call('unknown_tool', { a: 1, b: 2 })]),
    ],
  ])('passes %j', (expectation, given) => {
    expect(judge(expectation, given)).toMatchObject({ verdict: 'passed' });
  });

  test.each<[expectation: Expectation, given: SampleFacts, message: string]>([
    [
      { max: { completionTokens: 300 } },
      facts([]),
      'The server reported no tokens, so completionTokens has no verdict.',
    ],
    [{ max: { costUsd: 1 } }, facts([]), 'The connection has no rates, so costUsd has no verdict.'],
    [
      { max: { costUsd: 1 } },
      facts([], { hasRates: true }),
      'The server reported no tokens, so costUsd has no verdict.',
    ],
    [
      { finish: 'stop' },
      facts([], { finish: undefined }),
      'The server reported no finish reason, so finish has no verdict.',
    ],
    [{ steps: { max: 1 } }, facts([]), 'Only an agent run has steps, so steps has no verdict.'],
    // What is too much to compare is not different, so its negation does not hold either.
    [
      { calls: [{ tool: 'open', arguments: { list: { $not: { $unordered: LONG_LIST } } } }] },
      facts([call('open', { list: LONG_LIST.toReversed() })]),
      'There is too much to compare.',
    ],
  ])('cannot tell %j: %s', (expectation, given, message) => {
    expect(judge(expectation, given)).toMatchObject({ verdict: 'no-verdict', message });
  });

  test('names every call with its mark, then the cause', () => {
    const given = facts([weather({ city: 'Oslo' }), weather({ city: 'Rome' }), call('orders')], {
      cause: 'The model guessed.',
    });
    const { details } = judge(
      {
        calls: [
          { tool: 'get_weather', arguments: { city: 'Oslo' } },
          { tool: 'get_weather', arguments: { city: 'Paris' } },
        ],
      },
      given,
    );
    expect(details).toEqual([
      'matched: get_weather {"city":"Oslo"}',
      'wrong: get_weather {"city":"Rome"}. get_weather: city is "Rome"; expected "Paris".',
      'unexpected: orders {}',
      'The model guessed.',
    ]);
  });

  test('says which value would be accepted', () => {
    expect(judge(expectWeather({ city: 'Oslo' }), facts([weather({ city: 'oslo' })])).accept).toEqual({
      path: ['calls', 0, 'arguments', 'city'],
      value: 'oslo',
    });
  });

  test('is short, whatever the model wrote', () => {
    const given = facts([weather({ city: 'x'.repeat(10_000) })], { text: 'y'.repeat(10_000) });
    for (const expectation of [
      expectWeather({ city: 'z'.repeat(9_000) }),
      { text: 'z'.repeat(9_000) },
      { calls: [] },
    ])
      expect(judge(expectation, given).message.length).toBeLessThanOrEqual(200);
  });

  test('counts too many calls as not judged', () => {
    const calls = Array.from({ length: 1_000 }, () => weather({}));
    const patterns = Array.from({ length: 3 }, () => ({ tool: 'get_weather', times: { min: 0 } }));
    expect(judge({ calls: patterns }, facts(calls))).toMatchObject({ verdict: 'no-verdict' });
  });
});

describe('judgeSample', () => {
  const context = { tools: TOOLS, checkSchema: firstIssue };
  const expectations: Expectation[] = [
    { lanes: ['b'], calls: [] },
    { when: { kind: 'greeting' }, calls: [] },
    { when: { n: { $min: 2 } }, verdict: 'native' },
  ];

  test('judges what holds for the lane and the row', () => {
    const place = { laneId: 'a', variables: { kind: 'greeting', n: 1 } };
    expect(judgeSample(expectations, place, facts([]), context).map(({ index }) => index)).toEqual([1]);
  });

  test('has no verdict where nobody can tell whether an expectation holds for the row', () => {
    const place = { laneId: 'a', variables: { list: LONG_LIST.toReversed() } };
    const judged = judgeSample(
      [{ when: { list: { $unordered: LONG_LIST } }, calls: [] }],
      place,
      facts([]),
      context,
    );
    expect(judged).toMatchObject([{ verdict: 'no-verdict', message: 'There is too much to compare.' }]);
  });

  test.each([
    ['answer', 'passed', ''],
    ['none', 'passed', ''],
    ['native', 'failed', 'The verdict is answer; expected native.'],
  ] as const)(
    'takes a reply without a call for an answer where none is expected: %s',
    (verdict, came, message) => {
      const place = { laneId: 'a', variables: {} };
      const [, judged] = judgeSample(
        [{ calls: [] }, { verdict }],
        place,
        facts([], { outcome: 'none' }),
        context,
      );
      expect(judged).toMatchObject({ verdict: came, ...(message !== '' && { message }) });
    },
  );

  test('fails when one fails, and has no verdict when one has none', () => {
    const of = (verdict: 'passed' | 'failed' | 'no-verdict') => ({ verdict }) as never;
    expect(verdictOf([])).toBe('passed');
    expect(verdictOf([of('passed'), of('no-verdict')])).toBe('no-verdict');
    expect(verdictOf([of('no-verdict'), of('failed')])).toBe('failed');
  });
});
