import { describe, expect, test } from 'vitest';
import { findEntry } from '../../../src/connections/find-entry';

describe('findEntry', () => {
  const at = (text: string, id: string): string | undefined => {
    const range = findEntry(text, 'providerPlayground.connections', id);
    return range && text.slice(...range);
  };

  test('finds the entry with the id in a file with comments', () => {
    const text = '{ // mine\n "providerPlayground.connections": { "a": 1, "b": { "c": 2 }, }, }';
    expect(at(text, 'b')).toBe('"b": { "c": 2 }');
  });

  test('finds the entry in the settings of a workspace file', () => {
    expect(at('{ "settings": { "providerPlayground.connections": { "a": 1 } } }', 'a')).toBe('"a": 1');
  });

  test('falls back to the whole setting, and finds nothing without one', () => {
    expect(at('{ "providerPlayground.connections": [] }', 'a')).toBe('"providerPlayground.connections": []');
    expect(at('{}', 'a')).toBeUndefined();
    expect(at('', 'a')).toBeUndefined();
  });
});
