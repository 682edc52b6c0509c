import { describe, expect, it } from 'vitest';
import { typeValue } from '../../../../../src/library/rescue/schema/type-value';
import { kindsOf } from '../rescue-fixtures';

describe('typeValue', () => {
  it.each([
    ['0042', ['string'], '0042'],
    [' 7 ', [], ' 7 '],
    ['a &amp; b', ['string'], 'a &amp; b'],
    [' 42\n', ['integer'], 42],
    ['5.0', ['integer'], 5],
    ['-1.5e3', ['number'], -1500],
    ['true', ['boolean'], true],
    ['null', ['integer'], null],
    ['null', ['null', 'string'], null],
    ['None', ['null', 'string'], 'None'],
    ['7', ['integer', 'string'], 7],
    ['1', ['boolean', 'integer'], 1],
    ['1', ['boolean', 'string'], '1'],
    ['seven', ['integer', 'string'], 'seven'],
    ['["a", 1]', ['array'], ['a', 1]],
    ['{"a": {}}', ['object'], { a: {} }],
  ])('reads %j as %j', (text, types, value) => {
    expect(typeValue(text, types)).toEqual({ value, repairs: [] });
  });

  it.each([
    ['True', ['boolean'], true, ['python-literal']],
    ['None', ['integer'], null, ['python-literal']],
    ['NULL', ['integer'], null, ['python-literal']],
    ['1', ['boolean'], true, ['python-literal']],
    [' 0', ['null', 'boolean'], false, ['python-literal']],
    ["['a', None]", ['array'], ['a', null], ['single-quotes', 'python-literal']],
    ["['a']", ['array'], ['a'], ['single-quotes', 'python-literal']],
    ['"[1]"', ['array'], [1], ['double-encoded']],
    ['{"a": 1,}', ['object'], { a: 1 }, ['trailing-comma']],
  ])('repairs %j as %j', (text, types, value, kinds) => {
    const typed = typeValue(text, types);
    expect([typed.value, kindsOf(typed.repairs)]).toEqual([value, kinds]);
  });

  it.each([
    ['007', ['integer'], 'an integer'],
    ['1.5', ['integer'], 'an integer'],
    ['yes', ['boolean'], 'true or false'],
    ['2', ['boolean'], 'true or false'],
    ['[1', ['array'], 'a list'],
    ['{"a": 1} and more', ['object'], 'an object'],
    ['a, b', ['null', 'array'], 'null or a list'],
  ])('leaves %j as text where %j is wanted, and reports an issue', (text, types, wanted) => {
    expect(typeValue(text, types)).toEqual({
      value: text,
      repairs: [],
      issue: `is text; the schema requires ${wanted}`,
    });
  });

  it('reports when a number lost digits', () => {
    expect(typeValue('9007199254740993', ['integer']).issue).toBe(
      'was rounded; the text says 9007199254740993',
    );
    expect(typeValue('9007199254740992', ['integer']).issue).toBeUndefined();
  });
});
