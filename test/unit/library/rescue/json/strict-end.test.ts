import { describe, expect, it } from 'vitest';
import { findStrictEnd } from '../../../../../src/library/rescue/json/strict-end';
import { TextSource } from '../../../../../src/library/rescue/core/rescue-context';

const endOf = (text: string): number => findStrictEnd(new TextSource(text), 0);

const B = '\\';

describe('findStrictEnd', () => {
  it.each([
    ['an escaped quote', `{"a":"x${B}"y"}`],
    ['adjacent escaped quotes', `{"a":"${`${B}"`.repeat(9)}"}`],
    ['a backslash at the end of a string', `{"a":"C:${B}${B}"}`],
    ['escaped backslashes and quotes', `{"a":"${B}${B}${B}"","b":"${B}"${B}${B}"}`],
    ['an escaped key', `{"${B}"":1}`],
    [
      'blanks of any length',
      `{${' '.repeat(40)}"a"${'\n'.repeat(40)}: [1,${' '.repeat(33)}2]${'\t'.repeat(40)}}`,
    ],
  ])('returns the end of the value, past %s', (_name, text) => {
    expect(JSON.parse(text)).toBeDefined();
    expect(endOf(`${text} "and" } more`)).toBe(text.length);
  });

  it.each([
    ['a line break in a string', '{"a":"x\ny"}'],
    ['an escaped line break in a string', `{"a":"x${B}\ny"}`],
    ['an unclosed string', '{"a":"xy}'],
    ['an escaped last quote', `{"a":"xy${B}"`],
    ['a last quote after three backslashes', `{"a":"${B}${B}${B}"}`],
    ['text after a string', '{"a":"x" y"}'],
    ['a word', '{"a":zebra}'],
  ])('fails at %s', (_name, text) => {
    expect(endOf(text)).toBe(-1);
  });

  it.each([
    ['a comma before a bracket', '{"a":[1, ]}'],
    ['a comma before a brace', '{"a":1,}'],
    ['a missing value', '{"a":}'],
    ['a comma instead of a value', '{"a":,"b":1}'],
    ['a missing comma', '{"a":1 "b":2}'],
    ['a key without quotes', '{a:1}'],
  ])('leaves %s to the parser', (_name, text) => {
    expect(endOf(text)).toBe(text.length);
  });

  it('fails at the end of a line inside a string without reading further', () => {
    const source = new TextSource(`{"a":"x\n${'y'.repeat(5000)}`);
    expect(findStrictEnd(source, 0)).toBe(-1);
    expect(source.meter.reached).toBe(7);
    expect(source.meter.hasReachedEnd).toBe(false);
  });
});
