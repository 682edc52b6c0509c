import { describe, expect, test } from 'vitest';
import { NEW_PLAYGROUND_TEXT, parseDocument } from '../../../../src/session';
import { computedMsSince } from '../../../support/computed-ms';

const documentOf = (text: string) => {
  const { document, error } = parseDocument(text);
  if (!document) throw new Error(error?.message);
  return document;
};
const errorOf = (value: unknown) =>
  parseDocument(typeof value === 'string' ? value : JSON.stringify(value)).error;
const warningsOf = (text: string) => (parseDocument(text).warnings ?? []).map(({ message }) => message);
const tool = (...mocks: unknown[]) => ({ name: 'get_weather', mocks });

describe('parseDocument', () => {
  test.each(['', ' \r\n\t', '\uFEFF'])('reads an empty text as a new playground: %j', (text) => {
    expect(parseDocument(text)).toMatchObject({
      text,
      document: documentOf(NEW_PLAYGROUND_TEXT),
      warnings: [],
    });
  });

  test('fills in every default', () => {
    expect(documentOf('{}')).toEqual({
      version: 1,
      system: '',
      messages: [],
      tools: [],
      lanes: [{ id: 'a', connection: 'demo', sampling: {}, rescueToolCalls: true, limits: {} }],
      embedding: {},
      evaluate: { mode: 'chat', repeat: 1, varySeed: false, pass: { case: 1 } },
      expect: [],
    });
    expect(warningsOf('{}')).toEqual([]);
  });

  test('accepts comments, trailing commas and a byte order mark', () => {
    const text =
      '\uFEFF// mine\n{ "system": "short", /* one */ "messages": [{ "role": "user", "content": "hi", },], }\n';
    expect(documentOf(text)).toMatchObject({ system: 'short', messages: [{ role: 'user', content: 'hi' }] });
  });

  test.each([
    ['{ "system": "a"\n  "tools": [] }', 2, 3, 'The text is not JSON: a comma is expected.'],
    ['{\r\n  "system": hello }', 2, 13, /a word is not a value/],
    ['{\r  "lanes": [', 2, 13, /a closing bracket is missing/],
    ['{ "system": "a\n" }', 1, 13, /no closing quote/],
    ['{} {}', 1, 4, /something follows/],
    ['// nothing', 1, 11, /a value is expected/],
    ['{ "a": 1, , }', 1, 11, /a key in double quotes/],
    ['[1,,2]', 1, 4, /value is expected/],
    ['{ "a": 1e999 }', 1, 8, /too large/],
    ['{ "system": "\\x" }', 1, 13, /backslash/],
    ['{ "system": "\t" }', 1, 13, /control character/],
    [
      '{ "lanes": [{ "id": "a" }, {\n "id": "b",\n "id": "c" }] }',
      3,
      2,
      'lanes[1].id appears here a second time.',
    ],
    [
      '{\n<<<<<<< HEAD\n "system": "a"\n=======\n "system": "b"\n>>>>>>> other\n}',
      2,
      1,
      /merge conflict: choose/,
    ],
    ['{\r\n "system": "b"\r\n>>>>>>> other\r\n}', 3, 1, /merge conflict: choose/],
    ['{\r\n "system": "b",\r\n=======\r\n}', 3, 1, /merge conflict: choose/],
    ['{\n "system": =======\n}', 2, 12, /^The text is not JSON/],
  ])('reports invalid JSON with its line: %j', (text, line, column, message) => {
    const error = errorOf(text);
    expect(error).toMatchObject({ line, column });
    expect(error?.message).toMatch(message);
  });

  test.each([
    [5, 'The document must be an object, not a number.'],
    [[], 'The document must be an object, not a list.'],
    [{ version: 0 }, 'version must be 1.'],
    [{ version: '2' }, 'version must be 1.'],
    [{ version: 2 }, /^version is of a later version of Provider Playground: update it/],
    [{ system: null }, 'system must be text, not null.'],
    [{ messages: {} }, 'messages must be a list, not an object.'],
    [{ messages: [{ role: 'robot' }] }, 'messages[0].role must be one of system, user, assistant, tool.'],
    [{ evaluate: { rows: ['Oslo'] } }, 'evaluate.rows[0] must be an object, not text.'],
    [{ expect: [{ max: { attempts: '{{n}}' } }] }, 'expect[0].max.attempts must be a number, not text.'],
    [
      { evaluate: { rows: 'a.csv' }, expect: [{ max: { attempts: 'at most {{n}}' } }] },
      'expect[0].max.attempts must be a number, not text.',
    ],
    [{ evaluate: { rows: 1 } }, 'evaluate.rows must be one of text, a list.'],
    [
      { expect: [{ verdict: ['good'] }] },
      'expect[0].verdict[0] must be one of native, rescued, malformed, none, answer.',
    ],
    [{ lanes: [] }, 'lanes must not be empty.'],
    [{ lanes: [{}] }, 'lanes[0].id is missing.'],
    [{ lanes: [{ id: '' }] }, 'lanes[0].id must not be empty.'],
    [{ lanes: [{ id: 'a' }, { id: 'a' }] }, 'lanes has an id that is used twice.'],
    [{ lanes: Array.from({ length: 9 }, (_, id) => ({ id: `${id}` })) }, 'lanes has more than 8 entries.'],
    [{ lanes: [{ id: 'a'.repeat(201) }] }, 'lanes[0].id has more than 200 characters.'],
    [
      { lanes: [{ id: 'a', sampling: { temperature: 'hot' } }] },
      'lanes[0].sampling.temperature must be a number, not text.',
    ],
    [{ lanes: [{ id: 'a', sampling: { topK: 0.5 } }] }, 'lanes[0].sampling.topK must be a whole number.'],
    [{ lanes: [{ id: 'a', sampling: [] }] }, 'lanes[0].sampling must be an object, not a list.'],
    [{ lanes: [{ id: 'a', raw: [1] }] }, 'lanes[0].raw must be an object, not a list.'],
    [{ lanes: [{ id: 'a', limits: { maxSteps: 0 } }] }, 'lanes[0].limits.maxSteps must be at least 1.'],
    [{ lanes: [{ id: 'a', limits: { maxSteps: 101 } }] }, 'lanes[0].limits.maxSteps must be at most 100.'],
    [
      { lanes: [{ id: 'a', toolChoice: 'any' }] },
      /^lanes\[0\]\.toolChoice must be auto, none, required or \{ "tool"/,
    ],
    [
      {
        messages: [
          { role: 'user' },
          { role: 'assistant', content: 'Hm.', replay: { provider: 'messages', data: {} } },
        ],
      },
      'messages[1] must not have replay data, which may be large and private: it stays in the history.',
    ],
    [{ tools: ['get_weather'] }, 'tools[0] must be an object, not text.'],
    [{ tools: [{ description: 'x' }] }, 'tools[0].name is missing.'],
    [{ tools: [{ name: 'x', parameters: true }] }, 'tools[0].parameters must be an object, not a boolean.'],
    [{ tools: [{ $ref: 5 }] }, 'tools[0].$ref must be text, not a number.'],
    [{ tools: [{ $ref: 5, name: 'x' }] }, 'tools has a tool whose $ref is not a reference.'],
    [
      { tools: [tool({ result: 1 }, { result: 1, ask: true })] },
      'tools[0].mocks[1] must have exactly one of result, error, ask and invoke.',
    ],
    [{ tools: [tool({ ask: false })] }, 'tools[0].mocks[0].ask must be true.'],
    [{ tools: [tool({ ask: true, delayMs: -1 })] }, 'tools[0].mocks[0].delayMs must be at least 0.'],
  ])('reports a violation of the schema with its place: %j', (value, message) => {
    expect(errorOf(value)?.message).toMatch(message);
    expect(parseDocument(JSON.stringify(value)).document).toBeUndefined();
  });

  test('reports an error at the innermost place', () => {
    const text =
      '{\n  "tools": [\n    {\n      "name": "a",\n      "mocks": [{ "delayMs": "x" }]\n    }\n  ]\n}';
    const error = errorOf(text);
    expect(error).toMatchObject({
      line: 5,
      column: 19,
      message: 'tools[0].mocks[0].delayMs must be a number, not text.',
    });
    expect(text.slice(error?.offset, (error?.offset ?? 0) + 9)).toBe('"delayMs"');
  });

  test('repeats neither a value nor a key that is a secret in messages', () => {
    const secret = `sk-${'a1'.repeat(20)}`;
    for (const value of [
      { version: secret },
      { lanes: [{ id: 'a', sampling: secret }] },
      { messages: [{ role: secret }] },
      { tools: [secret] },
      secret,
    ])
      expect(errorOf(JSON.stringify(value))?.message).not.toContain('a1a1');
    for (const value of [{ [secret]: 1 }, { lanes: [{ id: 'a', [secret]: 1 }] }]) {
      expect(warningsOf(JSON.stringify(value))).toEqual([expect.not.stringContaining('a1a1')]);
    }
  });

  test('keeps unknown keys with a warning', () => {
    const text = '{ "$schema": "x", "expect": [],\n  "tempo": { "constructor": 1 } }';
    expect(parseDocument(text)).toMatchObject({
      document: { expect: [], tempo: { constructor: 1 } },
      warnings: [
        {
          line: 2,
          column: 3,
          message: 'tempo is not known to this version; it is kept.',
          isAboutTools: false,
        },
      ],
    });
  });

  test('leaves a matcher with a placeholder for the rows to decide, if there are any', () => {
    const text = (evaluate: string) =>
      `{${evaluate}"expect":[{"text":{"$matches":"^{{city}}$","$flags":"{{f}}"}}]}`;
    expect(errorOf(text('"evaluate":{"rows":[]},'))).toBeUndefined();
    expect(errorOf(text(''))?.message).toContain('expect[0].text.$matches');
  });

  test('names the line of a matcher that is written wrongly', () => {
    const mocks =
      '{ "tools": [{ "name": "a", "mocks": [{\n "when": { "x": { "$like": 1 } }, "result": 1 }] }] }';
    expect(errorOf(mocks)).toMatchObject({
      line: 2,
      message: expect.stringMatching(/^tools\[0\]\.mocks\[0\]\.when\.x\.\$like is no matcher; /),
    });
    const text = '{ "expect": [{ "calls": [{ "tool": "a",\n\n "arguments": { "n": { "$min": "1" } } }] }] }';
    expect(errorOf(text)).toMatchObject({
      line: 3,
      message: 'expect[0].calls[0].arguments.n.$min must be a number.',
    });
  });

  test.each([
    [{ expect: [{ name: 'a' }] }, /^expect\[0\] expects nothing: it needs one of calls, never, text/],
    [{ expect: [{ verdict: 'good' }] }, /^expect\[0\]\.verdict must be/],
    [{ expect: [{ steps: { min: 3, max: 2 } }] }, /^expect\[0\]\.steps has a min above its max/],
    [{ evaluate: { repeat: 101 } }, /^evaluate\.repeat must be at most 100/],
    [{ evaluate: { pass: { case: 1.1 } } }, /^evaluate\.pass\.case must be at most 1/],
    [{ expect: [{ calls: [{ tool: 'a', times: -1 }] }] }, /^expect\[0\]\.calls\[0\]\.times must be/],
  ])('refuses %j', (value, message) => {
    expect(errorOf(JSON.stringify(value))?.message).toMatch(message);
  });

  test.each([
    [{ expect: [{ lanes: ['a', 'z'], calls: [] }] }, 'expect[0].lanes[1] names no lane of this playground.'],
    [
      { expect: [{ calls: [{ tool: 'gone' }] }] },
      'expect[0].calls[0].tool names no tool of this playground.',
    ],
    [{ expect: [{ never: ['gone'] }] }, 'expect[0].never[0] names no tool of this playground.'],
    [{ expect: [{ calls: [], extra: ['gone'] }] }, 'expect[0].extra[0] names no tool of this playground.'],
    [{ expect: [{ steps: { max: 2 } }] }, 'expect[0].steps has a verdict only when evaluate.mode is agent.'],
  ])('warns of an expectation that judges nothing: %j', (value, message) => {
    expect(warningsOf(JSON.stringify(value))).toEqual([message]);
  });

  test('knows the tools of a library by their references', () => {
    const value = {
      tools: [{ $ref: './tools.json#/get_weather' }],
      evaluate: { mode: 'agent' },
      expect: [{ calls: [{ tool: 'get_weather' }], stop: 'answer' }],
    };
    expect(warningsOf(JSON.stringify(value))).toEqual([]);
  });

  const UNKNOWN = 'is not known to this version; it is kept.';
  test.each([
    ['lanes[0].temprature', { lanes: [{ id: 'a', temprature: 0 }] }],
    ['lanes[0]["a b"]', { lanes: [{ id: 'a', 'a b': 0 }] }],
    ['lanes[0].constructor', { lanes: [{ id: 'a', constructor: 0 }] }],
    ['lanes[0].sampling.minP', { lanes: [{ id: 'a', sampling: { minP: 0.1 } }] }],
    ['lanes[0].limits.maxTime', { lanes: [{ id: 'a', limits: { maxTime: 1 } }] }],
    ['lanes[0].toolChoice.mode', { lanes: [{ id: 'a', toolChoice: { tool: 'x', mode: 'any' } }] }],
    ['messages[0].name', { messages: [{ role: 'user', name: 'Ada' }] }],
    [
      'messages[0].toolCalls[0].type',
      { messages: [{ role: 'assistant', toolCalls: [{ name: 'x', type: 'function' }] }] },
    ],
    ['tools[0].icon', { tools: [{ name: 'x', icon: 'sun' }] }],
    ['tools[0].name', { tools: [{ $ref: 'user#/x', name: 'x' }] }],
    ['tools[0].mocks[0].note', { tools: [tool({ result: 1, note: 'x' })] }],
    ['tools[0].mocks[0].note', { tools: [{ $ref: 'user#/x', mocks: [{ result: 1, note: 'x' }] }] }],
    ['embedding.dimension', { embedding: { dimension: 3 } }],
    ['lanes[0].expect', { lanes: [{ id: 'a', expect: [] }] }],
  ])('keeps an unknown key with a warning at any place: %s', (place, value) => {
    const text = JSON.stringify(value);
    expect(documentOf(text)).toMatchObject(value);
    expect(warningsOf(text)).toEqual([`${place} ${UNKNOWN}`]);
  });

  test('ignores the keys of arguments, schemas and raw', () => {
    const schema = { type: 'object', 'x-mine': true };
    const value = {
      messages: [{ role: 'assistant', toolCalls: [{ name: 'x', arguments: { any: { thing: 1 } } }] }],
      tools: [{ name: 'x', parameters: schema, mocks: [{ when: { any: 1 }, result: { any: 1 } }] }],
      lanes: [{ id: 'a', raw: { options: { num_batch: 64 } } }],
    };
    expect(warningsOf(JSON.stringify(value))).toEqual([]);
  });

  test('says of each warning whether it is about tools', () => {
    const text = JSON.stringify({
      toolset: 1,
      tools: [{ name: 'a', odd: 1 }, { name: 'a' }],
      lanes: [{ id: 'a', odd: 1 }],
    });
    const { warnings = [] } = parseDocument(text);
    expect(warnings.map(({ isAboutTools }) => isAboutTools)).toEqual([false, true, true, false]);
  });

  test('returns warnings in the order of the text', () => {
    const text =
      '{ "tempo": 1, "lanes": [{ "id": "a", "note": 1 }], "tools": [{ "name": "a" }, { "name": "a" }], "z": 1 }';
    expect(warningsOf(text).map((warning) => warning.split(' ')[0])).toEqual([
      'tempo',
      'lanes[0].note',
      'tools[1].name',
      'z',
    ]);
  });

  test('returns at most 50 warnings about unknown keys', () => {
    const lane = { id: 'a', ...Object.fromEntries(Array.from({ length: 60 }, (_, key) => [`k${key}`, key])) };
    const warnings = warningsOf(JSON.stringify({ lanes: [lane] }));
    expect(warnings).toHaveLength(50);
    expect(warnings.at(-1)).toBe(`lanes[0].k49 ${UNKNOWN}`);
  });

  test('warns of two tools with the same name', () => {
    const text = JSON.stringify({
      tools: [tool(), { name: 'other' }, tool(), { $ref: 'user#/a' }, { $ref: 'user#/a' }],
    });
    expect(warningsOf(text)).toEqual([
      'tools[2].name is the same as that of tools[0].',
      'tools[4].$ref is the same as that of tools[3].',
    ]);
  });

  test('warns of a mock after one that matches every call', () => {
    const mocks = [
      { call: 2, error: 'x' },
      { when: {}, result: 1 },
      { when: { a: 1 }, result: 2 },
      { ask: true },
    ];
    expect(warningsOf(JSON.stringify({ tools: [tool(...mocks)] }))).toEqual([
      'tools[0].mocks[2] is never used: mocks[1] before it matches every call.',
    ]);
    expect(warningsOf(JSON.stringify({ tools: [tool(...mocks.slice(0, 2))] }))).toEqual([]);
  });

  test('leaves out a key __proto__, with a warning', () => {
    const text =
      '{ "lanes": [{ "id": "a", "raw": { "__proto__": { "polluted": 1 }, "b": 2 } }], "__proto__": [] }';
    const { raw } = documentOf(text).lanes[0] ?? {};
    expect(raw).toEqual({ b: 2 });
    expect(Object.getPrototypeOf(raw)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
    expect(warningsOf(text)).toEqual(['lanes[0].raw.__proto__ is left out.', '__proto__ is left out.']);
  });

  test('keeps keys with the names of inherited properties', () => {
    const text =
      '{ "tools": [{ "name": "a", "mocks": [{ "when": { "constructor": "Ferrari", "toString": 1 }, "result": 1 }] }] }';
    expect(JSON.stringify(documentOf(text).tools)).toContain('"when":{"toString":1,"constructor":"Ferrari"}');
  });

  test.each(['[', '{"a":', '[1},', '{"a":1],"b":', '{"lanes":[{"a":['])(
    'refuses deeply nested text without a stack overflow: %j',
    (part) => {
      expect(errorOf(part.repeat(300_000))?.message).toMatch(/deep|JSON/);
    },
  );

  test('accepts 200 levels but not 201', () => {
    const nested = (depth: number) => `{ "x": ${'['.repeat(depth - 1)}${']'.repeat(depth - 1)} }`;
    expect(errorOf(nested(200))).toBeUndefined();
    expect(errorOf(nested(201))?.message).toContain('200 levels deep');
  });

  test('refuses a text of more than 8 million characters', () => {
    expect(errorOf(`{${' '.repeat(8_000_000)}}`)?.message).toContain('8000000');
    expect(errorOf(' '.repeat(8_000_001))?.message).toContain('8000000');
  });

  test.each(['{"messages":[0', '{"tools":[{}', '{"x":[1'])(
    'ends within the time limit for hundreds of thousands of elements: %j',
    (start) => {
      const rest = start.slice(start.lastIndexOf('[') + 1);
      const text = `${start}${`,${rest}`.repeat(300_000)}]}`;
      const startedAt = process.cpuUsage();
      parseDocument(text);
      expect(computedMsSince(startedAt)).toBeLessThan(10_000);
    },
  );

  test('keeps lone surrogates', () => {
    expect(documentOf('{ "system": "\\ud83d \uDE00" }').system).toBe('\uD83D \uDE00');
  });
});
