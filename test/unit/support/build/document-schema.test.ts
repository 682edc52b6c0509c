// The JSON schemas by which the editor checks files: up to date with their source, and consistent with the check at run
// time.
import { Validator } from '@cfworker/json-schema';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { NEW_PLAYGROUND_TEXT, parseDocument, parseToolLibrary } from '../../../../src/session';
import { parseLabFile } from '../../../../src/session/lab/lab-file';
import {
  documentJsonSchema,
  labJsonSchema,
  SCHEMA_FILES,
  toolJsonSchema,
  toolsJsonSchema,
} from '../../../support/build/document-schema';

function checker(schema: object): (value: unknown) => boolean {
  const validator = new Validator(schema, '7');
  // The editor knows the meta-schema, but this validator does not.
  validator.addSchema({
    $id: 'http://json-schema.org/draft-07/schema',
    properties: { type: { enum: ['object', 'string'] } },
  });
  return (value) => validator.validate(value).valid;
}

describe('SCHEMA_FILES', () => {
  test.each(Object.entries(SCHEMA_FILES))('%s is up to date with its source', (file, toSchema) => {
    // If not, run: node test/support/run-typescript.mjs test/support/build/write-schemas.ts
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(toSchema())));
  });
});

const tool = { name: 'get_weather', parameters: { type: 'object' } };
const withMocks = (...mocks: unknown[]) => ({ tools: [{ ...tool, mocks }] });

describe('documentJsonSchema', () => {
  const isValid = checker(documentJsonSchema());

  test.each([
    {},
    JSON.parse(NEW_PLAYGROUND_TEXT),
    { $schema: 'x', later: 1 },
    { tools: [{ $ref: 'user#/get_weather', offered: false }, tool] },
    withMocks({ when: { city: 'Oslo' }, result: null }, { call: 2, error: 'x' }, { ask: true, delayMs: 5 }),
    { lanes: [{ id: 'a', toolChoice: { tool: 'x' }, raw: { any: [1] }, limits: { maxCostUsd: 0.5 } }] },
  ])('accepts what is read: %j', (value) => {
    expect(isValid(value)).toBe(true);
    expect(parseDocument(JSON.stringify(value)).error).toBeUndefined();
  });

  test.each([
    [],
    { version: 2 },
    { messages: [{ role: 'robot' }] },
    { lanes: [] },
    { tools: [{}] },
    withMocks({ result: 1, ask: true }),
    withMocks({ delayMs: 5 }),
    { embedding: { texts: [1] } },
  ])('refuses what is not read: %j', (value) => {
    expect(isValid(value)).toBe(false);
    expect(parseDocument(JSON.stringify(value)).error).toBeDefined();
  });

  test.each([
    { lanes: [{ id: 'a', temprature: 0 }] },
    { lanes: [{ id: 'a', sampling: { minP: 0.1 } }] },
    { tools: [{ $ref: 'user#/x', name: 'x' }] },
    withMocks({ result: 1, note: 'x' }),
  ])('refuses an unknown key, which is read with a warning: %j', (value) => {
    expect(isValid(value)).toBe(false);
    expect(parseDocument(JSON.stringify(value)).warnings).toHaveLength(1);
  });

  test('checks parameters against the meta-schema', () => {
    expect(isValid({ tools: [{ ...tool, parameters: { type: 'objekt' } }] })).toBe(false);
    expect(isValid({ tools: [{ ...tool, parameters: true }] })).toBe(false);
  });

  test('has valid snippets', () => {
    const { $defs = {} } = documentJsonSchema();
    const snippets = Object.values($defs).flatMap((definition) =>
      typeof definition === 'object' && 'defaultSnippets' in definition
        ? (definition.defaultSnippets as { label: string; body: Record<string, unknown> }[])
        : [],
    );
    expect(snippets.map(({ label }) => label)).toEqual(
      expect.arrayContaining(['Lane', 'Tool', 'Result', 'Ask me']),
    );
    for (const { body } of snippets) {
      // As the editor inserts it: placeholders become their defaults, and those with ^ lose their quotes.
      const written: unknown = JSON.parse(
        JSON.stringify(body)
          .replaceAll(/"\^\$\{\d:([^}]*)\}"/g, '$1')
          .replaceAll(/\$\{\d:([^}]*)\}|\$\d/g, '$1'),
      );
      const isLane = 'connection' in body;
      const isTool = 'name' in body || '$ref' in body;
      const document = isLane ? { lanes: [written] } : isTool ? { tools: [written] } : withMocks(written);
      expect(parseDocument(JSON.stringify(document)).error).toBeUndefined();
      expect(isValid(document)).toBe(true);
    }
  });
});

describe('toolsJsonSchema', () => {
  const isValid = checker(toolsJsonSchema());

  test('accepts tools by name, without repeating the name', () => {
    const value = { $schema: 'x', get_weather: { description: 'd', mocks: [{ result: 1 }] }, other: tool };
    expect(isValid(value)).toBe(true);
    expect(parseToolLibrary(JSON.stringify(value)).error).toBeUndefined();
  });

  test.each([{ get_weather: 5 }, { get_weather: { mocks: [{}] } }])(
    'refuses an invalid tool: %j',
    (value) => {
      expect(isValid(value)).toBe(false);
      expect(parseToolLibrary(JSON.stringify(value)).error).toBeDefined();
    },
  );

  test('refuses an unknown key, which is read with a warning', () => {
    const value = { get_weather: { mock: [] } };
    expect(isValid(value)).toBe(false);
    expect(parseToolLibrary(JSON.stringify(value)).warning).toBeDefined();
  });
});

describe('toolJsonSchema', () => {
  test('accepts one tool with its name', () => {
    const isValid = checker(toolJsonSchema());
    expect(isValid({ ...tool, mocks: [{ ask: true }] })).toBe(true);
    expect(isValid({ description: 'x' })).toBe(false);
  });
});

describe('labJsonSchema', () => {
  const isValid = checker(labJsonSchema());
  const lab = { version: 1, text: '<tool_call>' };

  test.each([lab, { ...lab, tools: [tool], format: 'hermes-json', writeAs: 'react' }])(
    'accepts a file that can be read: %j',
    (value) => {
      expect(isValid(value)).toBe(true);
      expect(parseLabFile(JSON.stringify(value))).toMatchObject(value);
    },
  );

  test.each([{ version: 1 }, { ...lab, version: 2 }, { ...lab, more: 1 }, { ...lab, tools: [{}] }])(
    'refuses a file that cannot be read: %j',
    (value) => {
      expect(isValid(value)).toBe(false);
      expect(() => parseLabFile(JSON.stringify(value))).toThrow();
    },
  );

  test('refuses an unknown format', () => {
    expect(isValid({ ...lab, format: 'hermes' })).toBe(false);
  });
});
