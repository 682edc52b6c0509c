import { describe, expect, test } from 'vitest';
import { canonicalJson, normalForm } from '../../../src/inspect';

describe('normalForm', () => {
  test('is equal for JSON with the same meaning: keys are sorted, and ids are numbered in order', () => {
    const one = '{"b":1,"a":{"d":[{"id":"call_x9","z":1}],"c":null},"tool_call_id":"call_x9"}';
    const other = '{ "tool_call_id": "7f", "a": {"c": null, "d": [{"z": 1, "id": "7f"}]}, "b": 1 }';
    expect(normalForm(one)).toBe(normalForm(other));
    expect(normalForm(one)).toContain('"tool_call_id": "id 1"');
  });

  test('differs for JSON with another meaning', () => {
    expect(normalForm('{"id":"a","tool_call_id":"a"}')).not.toBe(normalForm('{"id":"a","tool_call_id":"b"}'));
    expect(normalForm('{"a":"1"}')).not.toBe(normalForm('{"a":1}'));
    // The order of a list is part of its meaning.
    expect(normalForm('[1,2]')).not.toBe(normalForm('[2,1]'));
  });

  test('is the text itself if that is not JSON', () => {
    expect(normalForm('<h1>no</h1>')).toBe('<h1>no</h1>');
    expect(normalForm(`${'['.repeat(3_000)}${']'.repeat(3_000)}`)).toContain('[');
  });
});

describe('canonicalJson', () => {
  test('sorts the keys at every depth, and only them', () => {
    const sorted = '{"a":[{"b":1,"c":[2,1]},null],"b":{"10":1,"9":2},"d":"x"}';
    expect(canonicalJson({ d: 'x', b: { 9: 2, 10: 1 }, a: [{ c: [2, 1], b: 1 }, null] })).toBe(
      canonicalJson(JSON.parse(sorted)),
    );
    expect(canonicalJson([{ b: 1, a: undefined }, undefined])).toBe('[{"b":1},null]');
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"d":1,"c":2}}'))).toBe(
      '{"__proto__":{"c":2,"d":1},"b":1}',
    );
    expect(canonicalJson('text')).toBe('"text"');
  });
});
