import { describe, expect, test } from 'vitest';
import { normalForm } from '../../../src/inspect';

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
