import { describe, expect, it } from 'vitest';
import { bindArguments } from '../../../../../src/library/rescue/pythonic/bind-arguments';
import { ToolIndex } from '../../../../../src/library/rescue/core/tool-index';

const properties = { a: { type: 'string' }, b: { type: 'number' }, c: { type: 'string' } };
const tools = new ToolIndex([
  { name: 'f', parameters: { type: 'object', properties, required: ['a', 'b'] } },
  {
    name: 'g',
    parameters: { type: 'object', properties: { options: { type: 'object' } }, required: ['options'] },
  },
]);

const bind = (name: string, positional: unknown[], keywords = {}) =>
  bindArguments(tools, name, { positional, keywords });

describe('bindArguments', () => {
  it('leaves named values unchanged', () => expect(bind('f', [], { z: 1 })).toEqual({ value: { z: 1 } }));

  it('assigns positional values to the leading required parameters', () => {
    expect(bind('f', ['x'], { b: 1 }).value).toEqual({ a: 'x', b: 1 });
    expect(bind('f', ['x', 1]).value).toEqual({ a: 'x', b: 1 });
  });

  it.each([
    ['an optional parameter', ['x', 1, 'y'], {}],
    ['one parameter too many', ['x', 1, 'y', 2], {}],
    ['a parameter that is named as well', ['x'], { a: 'y' }],
  ])('refuses %s', (_, positional, keywords) => {
    expect(bind('f', positional, keywords).refusal?.reason).toBe('invalid-arguments');
  });

  it('refuses positional values for an unknown tool', () => {
    expect(bind('h', [1]).refusal?.reason).toBe('invalid-arguments');
  });

  it('treats a single object as all arguments, unless the tool has an object parameter', () => {
    expect(bind('f', [{ a: 'x', b: 1 }]).value).toEqual({ a: 'x', b: 1 });
    expect(bind('g', [{ options: { deep: true } }]).value).toEqual({ options: { deep: true } });
    expect(bind('g', [{ deep: true }]).value).toEqual({ options: { deep: true } });
  });
});
