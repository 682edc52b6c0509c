import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PROVIDER_CATALOG } from '../../../../src/library';
import {
  findRefused,
  reduceTool,
  SCHEMA_RULES,
} from '../../../../src/library/tool-schemas/check-tool-schema';
import type { JsonSchema, ToolType } from '../../../../src/types';
import { fc, runs } from '../../../support/arbitrary/properties';

const toTool = (parameters: JsonSchema, description = 'Does it.'): ToolType => ({
  name: 'tool',
  description,
  parameters,
});
interface Case extends Record<'server' | 'kind' | 'what', string> {
  tool: Pick<ToolType, 'parameters'>;
  paths: string[];
  reduced: object;
}
const cases = JSON.parse(readFileSync('test/fixtures/tool-schemas.json', 'utf8')) as Case[];
const LABELS = PROVIDER_CATALOG.flatMap(({ servers }) => servers.map(({ label }) => label));
const SERVERS = [...new Set(SCHEMA_RULES.flatMap(({ servers }) => Object.keys(servers)))];

describe('SCHEMA_RULES', () => {
  test('name servers of the catalog, each with a public page', () => {
    expect(LABELS).toEqual(expect.arrayContaining(SERVERS));
    for (const { servers } of SCHEMA_RULES)
      for (const { source } of Object.values(servers)) expect(source).toMatch(/^https:\/\/[\w.]+\/.+/);
  });

  test('each have a case for every server', () => {
    const shown = cases.map(({ kind, server }) => `${kind} ${server}`);
    const ruled = SCHEMA_RULES.flatMap(({ kind, servers }) =>
      Object.keys(servers).map((server) => `${kind} ${server}`),
    );
    expect(ruled.filter((one) => !shown.includes(one))).toEqual([]);
  });
});

describe.each(cases)('$server, $kind: $what', ({ server, kind, tool, paths, reduced }) => {
  const given = { name: 'tool', ...tool };

  test('is found at its places', () => {
    const found = findRefused(given, server).filter((part) => part.kind === kind);
    expect(found.map(({ path }) => path)).toEqual(paths);
    expect(found.every(({ source }) => source.startsWith('https://'))).toBe(true);
  });

  test('has a form that is not refused', () => {
    const before = structuredClone(given);
    const made = reduceTool(given, server);
    expect(made).toEqual({ name: 'tool', ...reduced });
    expect(made && findRefused(made, server)).toEqual([]);
    expect(given).toEqual(before);
  });
});

describe('findRefused', () => {
  const plain = toTool({
    type: 'object',
    properties: {
      city: { type: 'string', description: 'A city.', minLength: 1, maxLength: 80 },
      days: { type: 'integer', minimum: 1, maximum: 14 },
      unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
      at: { type: 'string', pattern: '^[0-9]{2}:[0-9]{2}$' },
      tags: { type: 'array', items: { type: 'string' } },
      where: { type: 'object', properties: { lat: { type: 'number' } }, required: ['lat'] },
    },
    required: ['city', 'days'],
  });

  test.each(SERVERS)('finds nothing in an ordinary tool for %s', (server) => {
    expect(findRefused(plain, server)).toEqual([]);
    expect(reduceTool(plain, server)).toEqual(plain);
  });

  test.each([
    ['a server without rules', 'Mistral', { properties: { a: { $ref: '#/x', pattern: 'x' } } }],
    [
      'parameters that name keywords',
      'Gemini',
      { properties: { not: { type: 'string' }, $ref: { type: 'string' } } },
    ],
    [
      'a reference that can be resolved',
      'llama-server',
      { properties: { a: { $ref: '#/$defs/P' } }, $defs: { P: {} } },
    ],
    ['a pattern beside an enum', 'llama-server', { properties: { a: { enum: ['a'], pattern: '\\d' } } }],
    ['a pattern of a number', 'llama-server', { properties: { a: { type: 'number', pattern: '\\d' } } }],
    ['unions inside', 'OpenAI', { properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } } }],
    ['no parameters', 'OpenAI', {}],
    ['no parameters', 'Groq', {}],
    ['a name of an inherited property', 'constructor', { properties: { a: { pattern: 'x' } } }],
  ])('finds nothing in %s for %s', (_what, server, parameters) => {
    expect(findRefused(toTool(parameters), server)).toEqual([]);
  });

  test('stays within its bounds for schemas of any size', () => {
    let deep: JsonSchema = { pattern: 'x' };
    for (let level = 0; level < 5_000; level++) deep = { type: 'object', properties: { a: deep } };
    expect(findRefused(toTool(deep), 'llama-server')).toEqual([]);
    const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`p${at}`, { pattern: 'x' }]));
    expect(findRefused(toTool({ properties: wide }), 'llama-server')).toHaveLength(200);
    // Each reference doubles what it is replaced with.
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => {
        const next = { $ref: `#/$defs/d${at + 1}` };
        return [`d${at}`, { type: 'object', properties: { a: next, b: next, c: next, d: next, e: next } }];
      }),
    );
    expect(
      reduceTool(toTool({ properties: { a: { $ref: '#/$defs/d0' } }, $defs }), 'Gemini'),
    ).toBeUndefined();
  });
});

const KEYWORDS = {
  type: fc.constantFrom<unknown>(
    'string',
    'integer',
    'object',
    'array',
    ['string', 'null'],
    ['array', 'object'],
    null,
  ),
  pattern: fc.constantFrom('a', '^\\d$', '^a|b', '\\bx', '[\\D]', ''),
  enum: fc.constantFrom<unknown>([1, 2], ['a', ''], [null], [], 'a'),
  const: fc.constantFrom<unknown>('a', 1, null),
  $ref: fc.constantFrom<unknown>(
    '#',
    '#/$defs/a',
    '#/$defs/b',
    '#/properties/a',
    '#/$defs/zz',
    'http://x',
    1,
  ),
  required: fc.constantFrom<unknown>(['a'], ['a', 'zz'], [], 'a'),
  format: fc.constantFrom('uri', 'date-time'),
  maxLength: fc.constantFrom(10, 2_000, 100_000),
  exclusiveMinimum: fc.constantFrom<unknown>(0, true),
  additionalProperties: fc.boolean(),
};

/** Schemas that use everything that the rules look at, also where it does not belong. */
const schemas = fc.letrec<{ schema: JsonSchema; map: Record<string, unknown>; list: unknown[] }>((tie) => ({
  schema: fc.record(
    {
      ...KEYWORDS,
      properties: tie('map'),
      $defs: tie('map'),
      items: fc.oneof({ maxDepth: 2 }, fc.constant(true), tie('schema'), tie('list')),
      anyOf: tie('list'),
      oneOf: tie('list'),
      allOf: tie('list'),
      not: fc.constant({}),
    },
    { requiredKeys: [] },
  ),
  map: fc.dictionary(
    fc.constantFrom('a', 'b', '__proto__', 'x/~'),
    fc.oneof({ maxDepth: 2 }, fc.boolean(), tie('schema')),
    {
      maxKeys: 2,
    },
  ),
  list: fc.array(fc.oneof({ maxDepth: 2 }, fc.constant(null), tie('schema')), { maxLength: 2 }),
}));

describe('reduceTool', () => {
  test.each(SERVERS)('makes a form that %s accepts, and changes it no more', (server) => {
    let made = 0;
    fc.assert(
      fc.property(schemas.schema, fc.constantFrom(10, 2_000), (schema, length) => {
        const tool = toTool(schema, 'd'.repeat(length));
        const before = JSON.stringify(tool);
        const reduced = reduceTool(tool, server);
        expect(JSON.stringify(tool)).toBe(before);
        if (!reduced) return;
        made++;
        expect(findRefused(reduced, server)).toEqual([]);
        expect(reduceTool(reduced, server)).toEqual(reduced);
        expect(reduced.parameters).toHaveProperty('properties');
      }),
      { numRuns: runs(300) },
    );
    expect(made).toBeGreaterThan(10);
  });
});
