import { describe, expect, test } from 'vitest';
import type { DocumentTool, ToolReference } from '../../../../src/protocol';
import { resolveTools } from '../../../../src/session';

const tool = (name: string, fields: Partial<DocumentTool> = {}): DocumentTool => ({
  name,
  parameters: { type: 'object', properties: {} },
  offered: true,
  mocks: [],
  ...fields,
});
const reference = ($ref: string, fields: Partial<ToolReference> = {}): ToolReference => ({
  $ref,
  offered: true,
  ...fields,
});
const unasked = (): Promise<string> => Promise.reject(new Error('nobody should ask'));

describe('resolveTools', () => {
  test('returns the tools of the document in order', async () => {
    const tools = [tool('a'), tool('b', { offered: false })];
    expect(await resolveTools(tools, unasked)).toEqual([
      { tool: tools[0], index: 0, problems: [] },
      { tool: tools[1], index: 1, problems: [] },
    ]);
  });

  test("merges the fields of the document over the library's tool", async () => {
    const library = tool('get_weather', { description: 'Weather', offered: false, mocks: [{ result: 1 }] });
    const mocks = [{ result: 2 }];
    const asked: string[] = [];
    const resolved = await resolveTools(
      [
        reference('#/x', { mocks }),
        tool('a'),
        reference('#/y', { offered: false, mocks: [] }),
        reference('#/x'),
      ],
      (name) => {
        asked.push(name);
        return Promise.resolve({ ...library, name });
      },
    );
    expect(asked).toEqual(['#/x', '#/y']);
    expect(resolved).toMatchObject([
      { tool: { description: 'Weather', offered: true, mocks }, index: 0, reference: '#/x' },
      { tool: { name: 'a' }, index: 1 },
      { tool: { offered: false, mocks: [] }, index: 2, reference: '#/y' },
      { tool: { offered: true, mocks: [{ result: 1 }] }, index: 3, reference: '#/x' },
    ]);
    expect(library.offered).toBe(false);
  });

  test.each([
    ['./.provider-playground/tools.json#/get_weather', 'get_weather'],
    ['user#/a~1b~0c', 'a/b~c'],
    ['user#/get%20it', 'get it'],
    ['tools.json', 'tools.json'],
    ['a%', 'a%'],
    ['#/', '#/'],
    ['x'.repeat(1_000), 'x'.repeat(200)],
  ])('returns a tool that is not offered for the unresolved reference %.60s', async ($ref, name) => {
    const mocks = [{ result: 1 }];
    expect(
      await resolveTools([reference($ref, { mocks })], () => Promise.resolve('There is no such tool.')),
    ).toEqual([
      {
        tool: tool(name, { offered: false, mocks }),
        index: 0,
        reference: $ref,
        problems: ['There is no such tool.'],
      },
    ]);
  });

  test('reports an error of the library', async () => {
    const failing = (): Promise<string> => Promise.reject(new Error('the disk is gone'));
    const throwing = (): Promise<string> => {
      throw new TypeError('no library');
    };
    const problem = async (resolve: () => Promise<string>): Promise<unknown> =>
      (await resolveTools([reference('user#/a')], resolve))[0]?.problems;
    expect(await problem(failing)).toEqual(['The tool user#/a could not be read: the disk is gone.']);
    expect(await problem(throwing)).toEqual(['The tool user#/a could not be read: no library.']);
  });

  test('reports names that servers refuse, and invalid schemas', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 8 }, (_, at) => [`p${at}`, { type: 'strnig' }]),
    );
    const [first] = await resolveTools([tool('a.b', { parameters: { type: 'array', properties } })], unasked);
    expect(first?.problems).toHaveLength(7);
    expect(first?.problems[0]).toMatch(/^The name a\.b has a dot/);
    expect(first?.problems[1]).toBe(
      'In the parameters, /type is "array"; servers require "object" at the top level.',
    );
    expect(first?.problems[2]).toMatch(
      /^In the parameters, \/properties\/p0\/type is not one of string, number/,
    );
    expect(first?.problems[6]).toBe('Its parameters have 4 more problems.');
  });

  test('reports the duplicate name at each of two tools', async () => {
    const resolved = await resolveTools([tool('a'), tool('b'), reference('#/a')], () =>
      Promise.resolve(tool('a')),
    );
    expect(resolved.map(({ problems }) => problems.length)).toEqual([1, 0, 1]);
    expect(resolved[0]?.problems[0]).toMatch(/2 tools with the name a/);
  });
});
