import { describe, expect, it } from 'vitest';
import type { ParameterRow } from '../../../../src/protocol';
import {
  areOddOptions,
  freeName,
  moved,
  newRow,
  parseRowPart,
  showRowPart,
  withType,
} from '../../../../webview/tools/parameter-rows';

const ROW: ParameterRow = {
  name: 'unit',
  type: 'enum',
  description: '',
  isRequired: false,
  options: ['c', 'f'],
};

describe('parseRowPart', () => {
  it('refuses names that are invalid or taken', () => {
    expect(parseRowPart('name', ' ', []).problem).toBe('A parameter needs a name.');
    expect(parseRowPart('name', 'city', ['city']).problem).toBe('Another parameter has this name.');
    expect(parseRowPart('name', '__proto__', []).problem).toContain('__proto__');
    expect(parseRowPart('name', 'a'.repeat(201), []).problem).toContain('200');
    expect(parseRowPart('name', 'constructor', ['city'])).toEqual({ value: 'constructor' });
  });

  it('reads one option per line, and reports a duplicate', () => {
    expect(parseRowPart('options', 'c\r\n\n f \n', [])).toEqual({ value: ['c', ' f '] });
    expect(parseRowPart('options', 'c\nf\nc', []).problem).toBe('`c` appears here twice.');
    expect(parseRowPart('options', showRowPart(ROW, 'options') ?? '', [])).toEqual({ value: ROW.options });
  });
});

describe('areOddOptions', () => {
  it('finds options that cannot be written one per line', () => {
    expect(areOddOptions(['a', 'b c'])).toBe(false);
    for (const options of [['a\nb'], [''], ['a', 'a'], ['a\r']]) expect(areOddOptions(options)).toBe(true);
  });
});

describe('withType', () => {
  it('has options only for a choice', () => {
    expect(withType(ROW, 'string')).toEqual({
      name: 'unit',
      type: 'string',
      description: '',
      isRequired: false,
    });
    expect(withType({ ...ROW, type: 'string', options: undefined }, 'enum').options).toEqual([]);
    expect(showRowPart(withType(ROW, 'list'), 'options')).toBeUndefined();
  });
});

describe('newRow', () => {
  it('has a unique name', () => {
    expect(newRow([]).name).toBe('parameter');
    expect(newRow([newRow([])]).name).toBe('parameter_2');
  });
});

describe('freeName', () => {
  it('counts on from a number at the end', () => {
    expect(freeName('a', ['b'])).toBe('a');
    expect(freeName('a', ['a', 'a_2'])).toBe('a_3');
    expect(freeName('a_2', ['a_2', 'a'])).toBe('a_3');
    expect(freeName('x'.repeat(200), ['x'.repeat(200)]).length).toBeLessThanOrEqual(200);
  });
});

describe('moved', () => {
  it('moves one element to another place', () => {
    expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
    expect(moved(['a', 'b'], 0, 1)).toEqual(['b', 'a']);
  });
});
