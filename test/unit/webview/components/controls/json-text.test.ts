import { render } from 'lit';
import { describe, expect, it } from 'vitest';
import { jsonText, jsonValue } from '../../../../../webview/components/controls/json-text';

function draw(template: unknown): HTMLElement {
  const place = document.createElement('div');
  render(template, place);
  return place;
}

describe('jsonText', () => {
  it('distinguishes names, texts and other values', () => {
    const place = draw(jsonText('{"a": "x", "b": [-1.5e3, true, null]}'));
    const words = (kind: string): string[] =>
      [...place.querySelectorAll(kind)].map(({ textContent }) => textContent);
    expect(words('.key')).toEqual(['"a"', '"b"']);
    expect(words('.str')).toEqual(['"x"']);
    expect(words('.lit')).toEqual(['-1.5e3', 'true', 'null']);
  });

  it.each(['{"a": "quote \\" and: colon"}', '{"cut": "in the mid', 'not JSON at all', ''])(
    'keeps every character of %j',
    (json) => {
      expect(draw(jsonText(json)).textContent).toBe(json);
    },
  );

  it('makes hidden characters in names and values visible', () => {
    const place = draw(jsonText('{"pa\u200bth": "a\u202eb"}'));
    expect(place.querySelector('.key')?.textContent).toBe('"paU+200Bth"');
    expect(place.querySelector('.str')?.textContent).toBe('"aU+202Eb"');
    expect(place.querySelectorAll('.mark-char')).toHaveLength(2);
  });
});

describe('jsonValue', () => {
  it('distinguishes text from numbers by quotes', () => {
    expect(draw(jsonValue('1')).textContent).toBe('"1"');
    expect(draw(jsonValue(1)).textContent).toBe('1');
    expect(draw(jsonValue(undefined)).textContent).toBe('undefined');
  });

  it('truncates a value that is too long for a line', () => {
    expect(draw(jsonValue('x'.repeat(50), 10)).textContent).toBe(`"${'x'.repeat(9)}…`);
  });
});
