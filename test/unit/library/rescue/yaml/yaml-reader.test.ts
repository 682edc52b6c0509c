import { describe, expect, it } from 'vitest';
import { TextSource } from '../../../../../src/library/rescue/core/rescue-context';
import { readYaml } from '../../../../../src/library/rescue/yaml/yaml-reader';
import { kindsOf } from '../rescue-fixtures';

const read = (text: string) => {
  const { documents, failure, repairs } = readYaml(new TextSource(text), 0, text.length);
  return {
    values: documents.map(({ value }) => value),
    at: failure?.at,
    reason: failure?.reason,
    repairs: kindsOf(repairs),
  };
};

describe('readYaml', () => {
  it.each([
    ['a: 1\nb: x y # note\nc:\n', { a: 1, b: 'x y', c: null }],
    [
      'a: ~\nb: True\nc: 0x1F\nd: 1e3\ne: yes\nf: on\ng: 1.2.3',
      { a: null, b: true, c: 31, d: 1000, e: 'yes', f: 'on', g: '1.2.3' },
    ],
    ["on: false\n\"x: y\": 1\n'it''s': 2", { on: false, 'x: y': 1, "it's": 2 }],
    [
      'a:\n  - 1\n  -\n    b: 2\n  - - 3\n    - 4\n  - c: 5\n    d: 6',
      { a: [1, { b: 2 }, [3, 4], { c: 5, d: 6 }] },
    ],
    ['a:\n- 1\n- 2\nb: 3', { a: [1, 2], b: 3 }],
    ['a: |\n  x\n    y\n\n  z\n\nb: 1', { a: 'x\n  y\n\nz\n', b: 1 }],
    [
      'a: |-\n  x\nb: |+\n  y\n\nc: >\n  one\n  two\n\n  three',
      { a: 'x', b: 'y\n\n', c: 'one two\nthree\n' },
    ],
    ['a: one\n  two\n\n  three', { a: 'one two\nthree' }],
    ['a: "x\\n\\u00e9\n  y"\nb: \'x\n\n  y\'', { a: 'x\né y', b: 'x\ny' }],
    [
      'a: {b: c d, "e":1, f: ~}\ng: [x, "y", [], \'z\']',
      { a: { b: 'c d', e: 1, f: null }, g: ['x', 'y', [], 'z'] },
    ],
    ['a: [\n  0x1F,\n  two\n  words,\n @me]\nb: {}', { a: [31, 'two words', '@me'], b: {} }],
    ['a: https://x.org/#y', { a: 'https://x.org/#y' }],
    ['a: 1\r\nb: x\r\n', { a: 1, b: 'x' }],
    ['- a\n- 2', ['a', 2]],
    ['- \ta: 1', [{ a: 1 }]],
    ['a: |2\n    x\n   y', { a: '  x\n y\n' }],
    ['a: >\n  one\n\n    deep\n  two\n  three', { a: 'one\n\n  deep\ntwo three\n' }],
  ])('reads %j', (text, value) => {
    expect(read(text)).toEqual({ values: [value], at: undefined, reason: undefined, repairs: [] });
  });

  it('reads several documents', () => {
    expect(read('---\na: 1\n---\nb: 2\n...\n').values).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it('reads plain text that strict YAML refuses, and notes the repair', () => {
    expect(read('a: C#: new\nb: *.ts\nc: @me')).toMatchObject({
      values: [{ a: 'C#: new', b: '*.ts', c: '@me' }],
      repairs: ['unquoted-string', 'unquoted-string', 'unquoted-string'],
    });
  });

  it.each([
    ['an anchor', 'a: &x 1', 3],
    ['a tag', 'a: !!str 1', 3],
    ['the same key twice', 'a: 1\na: 2', 5],
    ['a tab as indentation', 'a:\n\tb: 1', 4],
    ['a key below a value', 'a: x\n  b: 1', 7],
    ['a quote that does not close', 'a: "x\nb: 1', 3],
    ['text after a quote', 'a: "x" y', 6],
    ['a bracket that does not close', 'a: [1, 2\nb: 1', 13],
    ['text beside a mapping', 'a: 1\nwords', 5],
    ['an anchor in brackets', 'a: [&x 1]', 4],
    ['the same key twice in brackets', 'a: {b: 1, b: 2}', 11],
    ['a key without a value in brackets', 'a: {b: x, c}', 11],
    ['a value that is missing in brackets', 'a: {b: , c: 1}', 7],
    ['a pair in a list in brackets', 'a: [b: 1]', 4],
    ['brackets in a word in brackets', 'a: [b[1], c]', 4],
    ['a comment in brackets', 'a: [1, # one\n 2]', 7],
    ['an escape that JSON has not, in brackets', 'a: ["\\x41"]', 5],
    ['a backslash in single quotes in brackets', "a: ['C:\\new']", 4],
    ['a doubled quote in brackets', "a: ['it''s']", 7],
  ])('fails at %s, and reports the offset', (_, text, at) => {
    expect(read(text)).toMatchObject({ at, reason: 'malformed' });
  });

  it('reads at most 128 levels', () => {
    expect(read(`${'- '.repeat(120)}x`).reason).toBeUndefined();
    expect(read(`${'- '.repeat(200)}x`).reason).toBe('too-deep');
    expect(read(`a: ${'['.repeat(50_000)}`).reason).toBe('too-deep');
  });

  it('does not read beyond the given end', () => {
    const text = '"a": 1\n"b": \'x\'\'';
    const { documents, failure } = readYaml(new TextSource(text), 0, text.length - 1);
    expect(documents.map(({ value }) => value)).toEqual([{ a: 1, b: 'x' }]);
    expect(failure).toBeUndefined();
  });

  it('returns what was read before it failed', () => {
    expect(read('name: f\narguments:\n  a: &x 1').values).toMatchObject([{ name: 'f' }]);
  });
});
