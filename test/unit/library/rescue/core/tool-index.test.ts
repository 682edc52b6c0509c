import { describe, expect, it } from 'vitest';
import { findNames, ToolIndex } from '../../../../../src/library/rescue/core/tool-index';
import type { ToolType } from '../../../../../src/types';

const index = new ToolIndex(
  ['get_weather', 'get_time', 'send_email', 'files.search'].map((name) => ({ name, parameters: {} })),
);

describe('ToolIndex', () => {
  it.each([
    ['get_weather', 'get_weather', []],
    [' get_weather\n', 'get_weather', []],
    ['functions.get_time', 'get_time', ['name-prefix']],
    ['Send_Email', 'send_email', ['name-case']],
    ['tools.GET_TIME', 'get_time', ['name-prefix', 'name-case']],
    ['files.search', 'files.search', []],
    ['get_time.get_time', 'get_time', ['name-prefix']],
    ['files.files.search', 'files.search', ['name-prefix']],
  ])('resolves %j to %s', (written, name, repairs) => {
    expect(index.resolve(written)).toMatchObject({ tool: { name }, repairs });
  });

  it.each([
    'weather',
    'get_weathr',
    'search',
    'functions.functions.get_time',
    'send_email.get_time',
    '',
    'toString',
  ])('does not resolve %j to any tool', (written) => {
    expect(index.resolve(written)).toBeUndefined();
  });

  it('suggests the most similar names first', () => {
    expect(index.nearest('get_wether')).toEqual(['get_weather', 'get_time']);
    expect(index.nearest('zzzzzz')).toEqual([]);
  });

  it('stops comparing names after many lookups', () => {
    const many = Array.from({ length: 100 }, (_, number) => index.nearest(`get_weather${number}`));
    expect(many.at(-1)).toEqual([]);
  });
});

const toTools = (...names: string[]): ToolType[] => names.map((name) => ({ name, parameters: {} }));

describe('findNames', () => {
  it('builds the index of a list once, and again when the list has changed', () => {
    const tools = toTools('one', 'two');
    const names = findNames(tools);
    expect(findNames(tools)).toBe(names);
    tools[1] = { name: 'two', parameters: { type: 'object' } };
    expect(findNames(tools).exact.get('two')).toBe(tools[1]);
    tools.push(...toTools('three'));
    expect([...findNames(tools).exact.keys()]).toEqual(['one', 'two', 'three']);
    (tools[0] as { name: string }).name = 'four';
    expect([...findNames(tools).exact.keys()]).toEqual(['four', 'two', 'three']);
  });

  it('leaves out tools without a name', () => {
    const tools = [...toTools('one'), undefined, { name: 1 }] as unknown as ToolType[];
    expect(findNames(tools).tools).toEqual(toTools('one'));
  });
});
