import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../src/library/rescue/rescue-tool-calls';
import {
  WEATHER,
  CODING,
  GHENT,
  OSLO,
  tag,
  rescue,
  onlyCall,
  onlyRejection,
  kindsOf,
  toPlain,
  toolsOf,
} from './rescue-fixtures';

describe('rescueToolCalls', () => {
  it('returns the call with its offsets, its format and its evidence', () => {
    const text = `Let me look.\n${tag(GHENT)}`;
    expect(onlyCall(text)).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{9}$/),
      name: 'get_weather',
      arguments: { city: 'Ghent' },
      source: 'rescued',
      format: 'hermes-json',
      evidence: 'marker',
      rawName: 'get_weather',
      start: 13,
      end: text.length,
      repairs: [],
    });
  });

  it('counts offsets in UTF-16 units of the original text', () => {
    const { start, end } = onlyCall(`  😀 ${tag(GHENT)}  `);
    expect(`  😀 ${tag(GHENT)}  `.slice(start, end)).toBe(tag(GHENT));
  });

  it('returns all calls in text order and divides a common wrapper among them', () => {
    const text = `<tool_call>[${GHENT}, ${OSLO}]</tool_call>${tag(GHENT)}`;
    const { calls, content } = rescue(text);
    expect(calls.map(toPlain)).toEqual([JSON.parse(GHENT), JSON.parse(OSLO), JSON.parse(GHENT)]);
    expect(calls.map(({ start, end }) => [start, end])).toEqual([
      [0, 12 + GHENT.length],
      [12 + GHENT.length, 27 + GHENT.length + OSLO.length],
      [27 + GHENT.length + OSLO.length, text.length],
    ]);
    expect(content).toBe('');
  });

  it('returns a complete call before one that was cut', () => {
    const { calls, rejected } = rescue(
      `${tag(GHENT)}\n<tool_call>{"name": "get_weather", "arguments": {"city": "Os`,
    );
    expect(calls.map(toPlain)).toEqual([JSON.parse(GHENT)]);
    expect(rejected.map(({ reason }) => reason)).toEqual(['truncated']);
  });

  it('returns the call before the place where a list was cut', () => {
    const { calls, rejected, content } = rescue(`[${GHENT}, {"name": "get_weather", "arguments": {"ci`);
    expect(calls.map(toPlain)).toEqual([JSON.parse(GHENT)]);
    expect(rejected.map(({ reason }) => reason)).toEqual(['truncated']);
    expect(content).toBe(', {"name": "get_weather", "arguments": {"ci');
  });

  it('keeps ids from the text, and gives each id to one call only', () => {
    const withId = '{"id": "call_9", "name": "get_weather", "arguments": {"city": "Riga"}}';
    const { calls } = rescue(`${tag(withId)}${tag(withId)}`);
    expect(calls[0]?.id).toBe('call_9');
    expect(calls[1]?.id).toMatch(/^[0-9A-Za-z]{9}$/);
  });

  it('accepts missing and malformed parameters from untyped callers', () => {
    const call = rescueToolCalls as unknown as (...values: unknown[]) => unknown;
    expect(call(undefined, undefined)).toEqual({ calls: [], content: '', rejected: [] });
    expect(call(tag(GHENT), [null, { name: 'get_weather' }])).toMatchObject({
      calls: [{ name: 'get_weather' }],
    });
  });
});

describe('rescueToolCalls, names', () => {
  it('prefers a tool whose actual name begins like a prefix', () => {
    const tools = [
      { name: 'functions.search', parameters: {} },
      { name: 'search', parameters: {} },
    ];
    expect(onlyCall(tag('{"name": "functions.search", "arguments": {}}'), tools).name).toBe(
      'functions.search',
    );
  });

  it.each([
    'functions.',
    'function.',
    'tools.',
    'tool.',
    'default_api.',
    'default_api:',
    'namespace.functions.',
  ])('removes the prefix %s', (prefix) => {
    const call = onlyCall(tag(`{"name": "${prefix}get_weather", "arguments": {"city": "Kyiv"}}`));
    expect([call.name, call.rawName, kindsOf(call.repairs)]).toEqual([
      'get_weather',
      `${prefix}get_weather`,
      ['name-prefix'],
    ]);
  });

  it('ignores case only when exactly one tool matches', () => {
    const text = tag('{"name": "GET_WEATHER", "arguments": {"city": "Kyiv"}}');
    expect(kindsOf(onlyCall(text).repairs)).toEqual(['name-case']);
    const twins = [...WEATHER, { name: 'Get_Weather', parameters: {} }];
    expect(onlyRejection(text, twins).reason).toBe('unknown-tool');
  });

  it('reports which offered tools have similar names, and calls none of them', () => {
    const rejection = onlyRejection('{"name": "get_wether", "arguments": {"city": "Split"}}');
    expect(rejection).toMatchObject({ reason: 'unknown-tool', name: 'get_wether', nearest: ['get_weather'] });
    expect(rejection.detail).toBe('`get_wether` was not offered.');
    expect(rejection.hint).toContain('`get_weather`');
  });

  it('reports a list of records once, not once per record', () => {
    const people = JSON.stringify(['Ana', 'Bo', 'Cy'].map((name) => ({ name, age: 3 })));
    expect(onlyRejection(people).reason).toBe('unknown-tool');
  });

  it('rejects the final answer as an answer, not a call', () => {
    expect(onlyRejection('{"action": "Final Answer", "action_input": "Rain."}').reason).toBe('final-answer');
  });

  it('rejects placeholders as a description of the format', () => {
    expect(onlyRejection(tag('{"name": "<function-name>", "arguments": {}}')).detail).toContain(
      'placeholder',
    );
    const values = tag('{"name": "get_weather", "arguments": {"city": "<city>"}}');
    expect(onlyRejection(values).reason).toBe('placeholder');
  });
});

describe('rescueToolCalls, arguments', () => {
  it.each([
    ['absent', '{"name": "git_status"}'],
    ['null', '{"name": "git_status", "arguments": null}'],
    ['blank', '{"name": "git_status", "arguments": ""}'],
  ])('treats %s arguments as none when the tool requires none', (_, body) => {
    const call = onlyCall(tag(body), CODING);
    expect([call.arguments, kindsOf(call.repairs)]).toEqual([{}, ['missing-arguments']]);
  });

  it('rejects a call without arguments when the tool requires some', () => {
    const rejection = onlyRejection(tag('{"name": "get_weather"}'));
    expect([rejection.reason, rejection.detail]).toEqual([
      'no-arguments',
      'The call of `get_weather` lacks parameters that the tool requires: city.',
    ]);
  });

  it('rescues a marked call that lacks a required parameter and lists what is missing', () => {
    const call = onlyCall(tag('{"name": "get_weather", "arguments": {"unit": "kelvin"}}'));
    expect(call.schemaIssues).toEqual([
      { path: '/city', message: 'is missing' },
      { path: '/unit', message: 'is not one of celsius, fahrenheit' },
    ]);
  });

  it('rejects the same call without a marker', () => {
    expect(onlyRejection('{"name": "get_weather", "arguments": {"unit": "kelvin"}}').reason).toBe(
      'no-arguments',
    );
  });

  it.each(['[1, 2]', '7', '"Ghent"', 'true'])('rejects %s as arguments', (value) => {
    expect(onlyRejection(tag(`{"name": "get_weather", "arguments": ${value}}`)).reason).toBe(
      'invalid-arguments',
    );
  });

  it('decodes arguments that were encoded twice', () => {
    const twice = JSON.stringify(JSON.stringify({ city: 'Turin' }));
    const call = onlyCall(tag(`{"name": "get_weather", "arguments": ${JSON.stringify(twice)}}`));
    expect([call.arguments, kindsOf(call.repairs)]).toEqual([{ city: 'Turin' }, ['double-encoded']]);
  });

  it('keeps numbers as numbers and text as text', () => {
    const call = onlyCall(
      tag('{"name": "lookup_user", "arguments": {"user_id": "007", "n": 7}}'),
      toolsOf('data'),
    );
    expect(call.arguments).toEqual({ user_id: '007', n: 7 });
  });

  it.each(['__proto__', 'constructor', 'prototype'])('rejects the key %s at any depth', (key) => {
    const deep = tag(
      `{"name": "get_weather", "arguments": {"city": "Rome", "a": [{"${key}": {"admin": true}}]}}`,
    );
    const damaged = tag(`{'name': 'get_weather', 'arguments': {'city': 'Rome', '${key}': {'admin': True}}}`);
    const encoded = tag(`{"name": "get_weather", "arguments": "{\\"city\\": \\"Rome\\", \\"${key}\\": {}}"}`);
    for (const text of [deep, damaged, encoded]) expect(onlyRejection(text).reason).toBe('forbidden-key');
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('rejects arguments beyond 1 MiB and nesting beyond 128 levels', () => {
    const large = `{"name": "get_weather", "arguments": {"city": "${'x'.repeat(1024 * 1024)}"}}`;
    expect(onlyRejection(tag(large)).reason).toBe('too-large');
    const deep = `{"name": "get_weather", "arguments": {"city": ${'['.repeat(200)}${']'.repeat(200)}}}`;
    expect(rescue(tag(deep)).rejected.map(({ reason }) => reason)).toContain('too-deep');
  });

  it.each([
    ['{"tool_calls":[', ']}'],
    ['<longcat_tool_call>[', ']</longcat_tool_call>'],
  ])(
    'refuses more calls than are read, even more than a function accepts as arguments: %s…%s',
    (open, close) => {
      const list = (count: number): string =>
        `${open}${Array.from({ length: count }, () => '{"name":"f","arguments":{}}').join(',')}${close}`;
      const read = (count: number) => rescueToolCalls(list(count), [{ name: 'f', parameters: {} }]);
      expect(read(5_000).calls).toHaveLength(5_000);
      for (const count of [5_001, 150_000]) {
        const text = list(count);
        const rejected = [expect.objectContaining({ reason: 'too-large', start: 0, end: text.length })];
        expect(read(count)).toEqual({ calls: [], content: text, rejected });
      }
    },
  );

  it('does not search a text beyond 8 MiB', () => {
    const text = `${tag(GHENT)}${' '.repeat(8 * 1024 * 1024)}`;
    expect(onlyRejection(text).reason).toBe('too-large');
  });
});
