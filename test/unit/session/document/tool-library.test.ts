import { describe, expect, test } from 'vitest';
import { parseToolLibrary } from '../../../../src/session';

describe('parseToolLibrary', () => {
  test('returns tools by their keys; a tool without a name has its key as its name', () => {
    const text = `{
      // of everyone
      "$schema": "x",
      "get_weather": { "description": "d", "mocks": [{ "ask": true }], },
      "other": { "name": "another", "parameters": { "type": "object" } },
    }`;
    const { tools, error } = parseToolLibrary(text);
    expect(error).toBeUndefined();
    expect([...tools]).toEqual([
      [
        'get_weather',
        {
          name: 'get_weather',
          description: 'd',
          parameters: { type: 'object', properties: {} },
          offered: true,
          mocks: [{ ask: true }],
        },
      ],
      ['other', { name: 'another', parameters: { type: 'object' }, offered: true, mocks: [] }],
    ]);
  });

  test('reads an empty text as no tools', () => {
    expect(parseToolLibrary(' \n')).toEqual({ tools: new Map() });
  });

  test('reports an invalid tool without affecting others', () => {
    const { tools, error } = parseToolLibrary(
      '{\n  "a": { "mocks": [{ "asks": true }] },\n  "b": {},\n  "c": 5\n}',
    );
    expect([...tools.keys()]).toEqual(['b']);
    expect(error).toMatchObject({
      line: 2,
      column: 20,
      message: expect.stringMatching(/^a\.mocks\[0\] must have exactly one of/) as string,
    });
  });

  test('warns of an unknown key, and keeps its tool', () => {
    const { tools, error, warning } = parseToolLibrary(
      '{\n  "a": {},\n  "b": { "mock": [] },\n  "c": { "x": 1 }\n}',
    );
    expect([...tools.keys()]).toEqual(['a', 'b', 'c']);
    expect(error).toBeUndefined();
    expect(warning).toMatchObject({ line: 3, message: 'b.mock is not known to this version; it is kept.' });
  });

  test.each([
    ['{', 'a closing brace is missing'],
    ['[]', 'The document must be an object whose keys are the names of tools.'],
    ['{ "": {} }', '[""].name must not be empty.'],
    ['{ "a": [] }', 'a.name is missing.'],
    ['{ "a": 5 }', 'a must be an object, not a number.'],
    ['['.repeat(100_000), 'deep'],
  ])('reports the error: %s', (text, message) => {
    const { tools, error } = parseToolLibrary(text);
    expect(tools.size).toBe(0);
    expect(error?.message).toContain(message);
  });

  test('ignores a tool __proto__', () => {
    expect(parseToolLibrary('{ "__proto__": { "name": "a" }, "constructor": {} }').tools).toEqual(
      new Map([['constructor', expect.objectContaining({ name: 'constructor' })]]),
    );
  });
});
