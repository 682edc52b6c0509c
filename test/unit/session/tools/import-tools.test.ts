import { describe, expect, test } from 'vitest';
import { importTools, importToolsFromText } from '../../../../src/session';
import * as v from 'valibot';
import { DocumentToolSchema } from '../../../../src/protocol';
import { anyText } from '../../../support/arbitrary/arbitrary-text';
import { computedMsSince } from '../../../support/computed-ms';
import { fc, runs, textLength } from '../../../support/arbitrary/properties';

const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string', minLength: 1 } },
  required: ['city'],
  additionalProperties: false,
  'x-unknown': [1],
};
const NAMED = { name: 'get_weather', description: 'Weather of a city.' };
const TOOL = { ...NAMED, parameters: SCHEMA, offered: true, mocks: [] };
const STRICT = { ...TOOL, strict: true };
const CHAT = { type: 'function', function: { ...NAMED, parameters: SCHEMA, strict: true } };
const GEMINI = {
  ...NAMED,
  parameters: {
    type: 'OBJECT',
    properties: {
      type: { type: 'STRING', enum: ['STRING'], nullable: true },
      at: { type: 'ARRAY', items: { anyOf: [{ type: 'INTEGER' }, { type: 'OBJECT' }] } },
    },
  },
};
const GEMINI_SCHEMA = {
  type: 'object',
  properties: {
    type: { type: 'string', enum: ['STRING'], nullable: true },
    at: { type: 'array', items: { anyOf: [{ type: 'integer' }, { type: 'object' }] } },
  },
};

const SHAPES: Record<string, unknown> = {
  'OpenAI chat and Ollama': CHAT,
  'OpenAI Responses': { type: 'function', ...NAMED, parameters: SCHEMA, strict: false },
  'OpenAI functions': { ...NAMED, parameters: SCHEMA },
  Anthropic: { ...NAMED, input_schema: SCHEMA, cache_control: { type: 'ephemeral' } },
  'Anthropic with its type': { type: 'custom', ...NAMED, input_schema: SCHEMA },
  MCP: {
    ...NAMED,
    title: 'Weather',
    inputSchema: SCHEMA,
    outputSchema: {},
    annotations: { readOnlyHint: true },
  },
  'MCP without a description': { name: 'get_weather', title: NAMED.description, inputSchema: SCHEMA },
  'the editor’s API': { ...NAMED, inputSchema: SCHEMA, tags: ['weather'] },
  'Gemini with a JSON Schema': { functionDeclarations: [{ ...NAMED, parametersJsonSchema: SCHEMA }] },
  'this project': TOOL,
};

const WRAPPERS: Record<string, (tool: unknown) => unknown> = {
  alone: (tool) => tool,
  'in a list': (tool) => [tool],
  'as `tools`': (tool) => ({ tools: [tool] }),
  'as `functions`': (tool) => ({ functions: [tool] }),
  'in an answer of MCP': (tool) => ({ jsonrpc: '2.0', id: 1, result: { tools: [tool] } }),
  'in a request body': (tool) => ({
    model: 'm',
    messages: [{ role: 'user', content: 'Hi' }],
    tools: [tool],
    tool_choice: CHAT,
  }),
  'in nested lists': (tool) => [[], [[tool]]],
};

/** What the forms have besides the parts of a tool: what is kept, and what is left out. */
const MORE: Record<string, { strict?: boolean; without?: string }> = {
  'OpenAI chat and Ollama': { strict: true },
  'OpenAI Responses': { strict: false },
  Anthropic: { without: 'cache_control' },
  MCP: { without: 'outputSchema, annotations' },
};

describe('importTools', () => {
  describe.each(Object.entries(SHAPES))('the form of %s', (form, shape) => {
    const { without, ...kept } = MORE[form] ?? {};
    const why = `is imported without ${without}`;
    test.each(Object.entries(WRAPPERS))('is imported %s, and what is left out is named', (_name, wrap) => {
      expect(importTools(wrap(shape))).toEqual({
        tools: [{ ...TOOL, ...kept }],
        skipped: without === undefined ? [] : [{ what: 'get_weather', why }],
      });
    });
  });

  test('converts the type names of Gemini into those of JSON Schema, and nothing else', () => {
    const tools = [{ ...TOOL, parameters: GEMINI_SCHEMA }];
    expect(importTools({ tools: [{ functionDeclarations: [GEMINI] }] })).toEqual({ tools, skipped: [] });
    expect(importTools({ tools: { function_declarations: [GEMINI] } })).toEqual({ tools, skipped: [] });
    expect(importTools(GEMINI)).toEqual({ tools, skipped: [] });
    const other = { ...NAMED, input_schema: { type: 'object', properties: { a: { type: 'STRING' } } } };
    expect(importTools(other).tools[0]?.parameters).toEqual(other.input_schema);
  });

  test('keeps mocks of this project, and reports invalid ones', () => {
    const mocks = [{ when: { city: 'Oslo', constructor: 1 }, result: 4 }];
    const mine = { ...TOOL, offered: false, mocks };
    expect(importTools([mine])).toEqual({ tools: [mine], skipped: [] });
    expect(importTools([{ ...mine, mocks: [{ result: 1, error: 'both' }] }])).toEqual({
      tools: [{ ...TOOL, offered: false }],
      skipped: [{ what: 'get_weather', why: 'is imported without its mocks, which are not valid' }],
    });
  });

  test('imports tools keyed by name, as in a library', () => {
    const { description, parameters } = TOOL;
    expect(importTools({ get_weather: { description, parameters } }).tools).toEqual([TOOL]);
    expect(importTools({ tools: { get_weather: { description, inputSchema: parameters } } }).tools).toEqual([
      TOOL,
    ]);
  });

  test('adds the schema that servers require to a tool without parameters', () => {
    const tools = [{ name: 'now', parameters: { type: 'object', properties: {} }, offered: true, mocks: [] }];
    expect(importTools({ type: 'function', function: { name: 'now' } }).tools).toEqual(tools);
    expect(importTools({ type: 'function', name: 'now', parameters: null }).tools).toEqual(tools);
    expect(importTools({ tools: [{ name: 'now' }] }).tools).toEqual(tools);
    expect(importTools([{ name: 'now', inputSchema: undefined, tags: undefined }]).tools).toEqual(tools);
  });

  test.each<[unknown, string, string]>([
    [5, 'tools[1]', 'is a number, not a tool'],
    [
      { type: 'web_search_20250305', name: 'web_search' },
      'web_search',
      'is a tool of the server itself ("web_search_20250305"), without a schema',
    ],
    [{ googleSearch: {} }, 'tools[1]', 'has no name'],
    [{ type: 'function', function: { name: '', parameters: {} } }, 'tools[1]', 'has no name'],
    [{ type: 'function', function: { name: 5, parameters: {} } }, 'tools[1]', 'has no name'],
    [{ type: 'function', function: { name: 'f', arguments: '{}' } }, 'f', 'is a call, not a tool'],
    [{ name: 'f', parameters: '{}' }, 'f', 'has a schema that is text'],
    [
      { name: 'x'.repeat(201), parameters: {} },
      `${'x'.repeat(59)}…`,
      'has a name of more than 200 characters',
    ],
    [{ name: 'get_weather', parameters: {} }, 'get_weather', 'has the same name as an earlier one'],
    [{ $ref: './tools.json#/a' }, 'tools[1]', 'is a reference, and what it refers to is not here'],
    [{ name: 'f', parameters: { a: 1n } }, 'f', 'contains a value that JSON cannot express'],
  ])('skips %o with the reason', (tool, what, why) => {
    expect(importTools({ tools: [CHAT, tool] })).toEqual({ tools: [STRICT], skipped: [{ what, why }] });
  });

  test('reports that nothing was recognized', () => {
    for (const none of [
      null,
      5,
      [],
      {},
      { messages: [] },
      [{ name: 'package', version: '1.0.0' }],
      { name: 'x' },
    ]) {
      const skipped = [{ what: 'The JSON', why: 'has no tools in a known format' }];
      expect(importTools(none)).toEqual({ tools: [], skipped });
    }
  });

  test('imports at most 500 tools, and names at most 100 skipped ones', () => {
    const many = Array.from({ length: 600 }, (_, at) => ({ name: `t${at}`, parameters: {} }));
    const { tools, skipped } = importTools({ tools: many });
    expect(tools).toHaveLength(500);
    expect(skipped).toEqual([
      { what: 'The others (100)', why: 'would be more than the 500 that a playground can have' },
    ]);
    expect(importTools({ tools: Array.from({ length: 10_000 }, () => 1) }).skipped).toHaveLength(100);
  });

  test('refuses a schema that can be neither checked nor written', () => {
    let deep: unknown = {};
    for (let level = 0; level < 100_000; level++) deep = { items: deep };
    expect(importTools([{ name: 'f', parameters: deep }])).toEqual({
      tools: [],
      skipped: [{ what: 'f', why: 'is too large' }],
    });
    let nested: unknown = CHAT;
    for (let level = 0; level < 100_000; level++) nested = [nested];
    expect(importTools(nested).tools).toEqual([]);
  });

  test('treats `__proto__` as an ordinary name', () => {
    const text =
      '{"tools": [{"name": "__proto__", "parameters": {"properties": {"__proto__": {"type": "string"}}}}]} // !';
    const { tools } = importToolsFromText(text);
    expect(JSON.stringify(tools[0]?.parameters)).toBe('{"properties":{"__proto__":{"type":"string"}}}');
    expect(tools[0]?.name).toBe('__proto__');
  });

  test('returns valid tools for any JSON, and never throws', () => {
    const key = fc.constantFrom(
      'tools',
      'functions',
      'function',
      'functionDeclarations',
      'result',
      'name',
      'type',
      'parameters',
      'inputSchema',
      'input_schema',
      'mocks',
      'offered',
      'description',
      '__proto__',
      '$ref',
    );
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(null, true, 1, '', 'function', 'name', 'OBJECT', '{"tools": []}'),
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(key, tie('json'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(fc.oneof(json, fc.jsonValue(), fc.anything()), (value) => {
        const { tools, skipped } = importTools(value);
        expect(tools.length + skipped.length).toBeGreaterThan(0);
        for (const tool of tools) expect(v.is(DocumentToolSchema, tool)).toBe(true);
      }),
      { numRuns: runs(2_000) },
    );
  });
});

describe('importToolsFromText', () => {
  const body = JSON.stringify({ model: 'm', tools: [CHAT] });
  const imported = { tools: [STRICT], skipped: [] };

  test('reads JSON with a byte order mark, comments and trailing commas', () => {
    expect(importToolsFromText(body)).toEqual(imported);
    expect(importToolsFromText(`\uFEFF\n${body}`)).toEqual(imported);
    expect(importToolsFromText(`// mine\n[${body}, /* and no more */]`)).toEqual(imported);
    expect(importTools(body)).toEqual(imported);
  });

  test.each([
    `curl https://example.com/v1/chat -H 'Content-Type: application/json' -d '${body}'`,
    `$ curl 'https://example.com' \\\n  --data-raw '${body}' \\\n  --compressed`,
    `curl https://example.com --json=${JSON.stringify(body)}`,
    `curl https://example.com -d'${body}'`,
    `curl https://example.com \\\r\n --data $'${body.replace('Weather', '\\x57\\u0065ather')}'`,
    `curl https://example.com -d @file -d "${body.replaceAll('"', '\\"')}"`,
  ])('reads the body of %s', (text) => {
    expect(importToolsFromText(text)).toEqual(imported);
  });

  test('reads a body that is quoted for a shell', () => {
    const text = `curl -d '{"tools": [{"name": "f", "description": "it'\\''s", "parameters": {}}]}' host`;
    expect(importToolsFromText(text).tools[0]?.description).toBe("it's");
  });

  test.each([
    ['', 'The text is empty.'],
    [' \n', 'The text is empty.'],
    ['{\n  "tools": [\n    nope\n  ]\n}', 'Line 3, column 5 is not JSON: invalid symbol.'],
    ['{"a": 1 "b": 2}', 'Line 1, column 9 is not JSON: comma expected.'],
    ['{"tools": [', 'Line 1, column 12 is not JSON: close bracket expected.'],
    ['curl https://example.com -d @file', 'The curl command has no body.'],
    ['[1', 'Line 1, column 3 is not JSON: close bracket expected.'],
    [`${'['.repeat(500_000)}//`, 'The text is nested too deeply.'],
    [' '.repeat(2_000_001), 'The text has more than 2,000,000 characters.'],
  ])('reports the error in %.20j', (text, problem) => {
    expect(importToolsFromText(text)).toEqual({ tools: [], skipped: [], problem });
  });

  test('reads megabytes of any text quickly, and never throws', () => {
    const start = process.cpuUsage();
    for (const part of ['[', '{"a":', "curl '", 'curl \\\n', 'curl $"\\', '// ', '[],']) {
      importToolsFromText(part.repeat(textLength(2_000_000) / part.length));
      importToolsFromText(`curl ${part.repeat(textLength(1_900_000) / part.length)}`);
    }
    expect(computedMsSince(start)).toBeLessThan(15_000);
    fc.assert(fc.property(anyText(), (text) => void importToolsFromText(text)));
  });
});
