import { describe, expect, it } from 'vitest';
import { findNames } from '../../../../src/library/rescue/tool-names';
import type { ToolNames } from '../../../../src/library/rescue/tool-names';
import type { ToolType } from '../../../../src/types';

const toTools = (...names: string[]): ToolType[] => names.map((name) => ({ name, parameters: {} }));

const endsAt = (names: ToolNames, text: string): boolean => names.mayEnd(text, text.length);

describe('findNames', () => {
  it('makes the names of a list once, and anew when the list has changed', () => {
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

  it('leaves out what has no name', () => {
    const tools = [...toTools('one'), undefined, { name: 1 }] as unknown as ToolType[];
    expect(findNames(tools).tools).toEqual(toTools('one'));
  });

  it('says where no name can end', () => {
    const names = findNames(toTools('get_weather', 'search'));
    expect(endsAt(names, 'call get_weather')).toBe(true);
    expect(endsAt(names, 'call GET_WEATHER \n')).toBe(true);
    expect(endsAt(names, 'functions.search')).toBe(true);
    expect(endsAt(names, 'the weathered')).toBe(false);
    expect(endsAt(names, 'the search     ')).toBe(false);
  });

  it('says where no name can start', () => {
    const names = findNames(toTools('get_weather'));
    expect(names.mayStart('<get_weather>', 1)).toBe(true);
    expect(names.mayStart('<functions.get_weather>', 1)).toBe(true);
    expect(names.mayStart('<p>', 1)).toBe(false);
    expect(findNames([]).mayEnd('f(', 1)).toBe(true);
  });

  it('rules nothing out for names of one character, and for other letters than ASCII', () => {
    expect(endsAt(findNames(toTools('f')), 'any')).toBe(true);
    expect(endsAt(findNames(toTools('zu_früh')), 'x früh')).toBe(true);
    expect(endsAt(findNames(toTools('search')), 'à')).toBe(true);
  });
});
