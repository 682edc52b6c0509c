import { describe, expect, test } from 'vitest';
import { findToolOffset, parseTool } from '../../../../src/session';
import { anyText } from '../../../support/arbitrary/arbitrary-text';
import { fc } from '../../../support/arbitrary/properties';

describe('parseTool', () => {
  test('returns a tool as written, without defaults', () => {
    const text = '{ "name": "a", // mine\n "parameters": { "constructor": 1, "b": 2 }, }';
    expect(parseTool(text)).toEqual({ value: { name: 'a', parameters: { constructor: 1, b: 2 } } });
    expect(parseTool('{ "$ref": "user#/a" }')).toEqual({ value: { $ref: 'user#/a' } });
    expect(parseTool('{ "name": "a", "strict": true }')).toEqual({ value: { name: 'a', strict: true } });
  });

  test.each([
    ['{\n  "name": 5\n}', 2, 'name must be text, not a number.'],
    ['\n"text"', 2, 'A tool must be an object.'],
    ['{ "name": "a",\r\n "__proto__": {} }', 2, 'A key __proto__ cannot be kept.'],
  ])('reports line and reason for %j', (text, line, message) => {
    expect(parseTool(text).error).toMatchObject({ line, message });
  });

  test('never throws for any text', () => {
    const text = fc.oneof(
      anyText(),
      fc.json(),
      fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',') }),
    );
    fc.assert(
      fc.property(text, (some) => {
        const { value, error } = parseTool(some);
        expect(value === undefined).toBe(error !== undefined);
      }),
    );
    expect(parseTool('{"name":'.repeat(100_000)).error?.message).toContain('more than 200 levels deep');
  });
});

describe('findToolOffset', () => {
  test('returns the offset of the tool’s key', () => {
    const text = '{\n  "a": {}, // "b"\n  "b": {}\n}';
    expect(findToolOffset(text, 'b')).toBe(text.indexOf('"b":'));
    expect(findToolOffset(text, 'none')).toBe(0);
    expect(findToolOffset('{ no JSON', 'a')).toBe(0);
  });
});
