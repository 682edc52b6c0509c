// Expectations made from what came: which values stay literal, and which are a variable of the row.
import { describe, expect, it } from 'vitest';
import { toLiteral } from '../../../../src/session/evaluation/change-expectations';

describe('toLiteral', () => {
  it('is the variable of the row where a text is its value', () => {
    const row = { city: 'São Paulo', days: 3 };
    expect(toLiteral({ city: 'São Paulo', days: 3, near: ['São Paulo'] }, row)).toEqual({
      city: '{{city}}',
      days: 3,
      near: ['{{city}}'],
    });
  });

  it.each([
    ['another text', 'Oslo', { city: 'Bergen' }],
    ['a text of one character, which is equal by chance', 'a', { unit: 'a' }],
    ['the value of two variables', 'Oslo', { from: 'Oslo', to: 'Oslo' }],
    ['a variable whose name no placeholder can have', 'Oslo', { 'the.city': 'Oslo' }],
  ])('is literal for %s', (_title, text, row) => {
    expect(toLiteral(text, row)).toBe(text);
  });

  it('keeps braces from being filled, and fills nothing in a document without rows', () => {
    expect(toLiteral('{{city}}', { city: 'Oslo' })).toBe(String.raw`\{{city}}`);
    expect(toLiteral('{{city}}', false)).toBe('{{city}}');
  });
});
