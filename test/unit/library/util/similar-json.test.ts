import { describe, expect, test, vi } from 'vitest';
import { parseJson } from '../../../../src/library/util/json';
import { SimilarJson } from '../../../../src/library/util/similar-json';
import { fc, runs } from '../../../support/arbitrary/properties';

const PATHS = [['m', 'content'], ['list', 0, 'm', 'note'], ['at']] as const;

/** Parses the documents one after the other and copies each, since the next one may overwrite it. */
function parseAll(texts: readonly string[], documents = new SimilarJson(PATHS)): unknown[] {
  return texts.map((text) => structuredClone(documents.parse(text)));
}

/** Counts how often a whole document is parsed, including in preparation for later ones. */
function countParsed(texts: readonly string[], documents?: SimilarJson): number {
  const parse = vi.spyOn(JSON, 'parse');
  try {
    parseAll(texts, documents);
    return parse.mock.calls.filter(([text]) => text.startsWith('{')).length;
  } finally {
    parse.mockRestore();
  }
}

/** Documents with a gap for a text at each `#`, at one of the paths or at a place that resembles one. */
const FORMS = [
  '{"m":{"content":"#"}}',
  '{"id":"x","at":"#","m":{"role":"assistant","content":"#"},"done":false}',
  '{"m": {"content": "#", "other": null}, "list": [{"m": {"note": "#"}}]}',
  '\ufeff {"m":{"content":"#"}}\r\n',
  '{"list":[{"m":{"note":"#"}},{"m":{"note":"#"}}]}',
  '{"m":{"content":"#","content":"#"}}',
  '{"m":{"content":"#","conten\\u0074":"#"}}',
  '{"m":{"conten\\u0074":"#","content":"#"}}',
  '{"m":{"content":"#"},"m":{"content":"#"}}',
  '{"m":{"x\\"content":"#","content":"#"}}',
  '{"m":{"content":"#","note":"0"},"content":"#"}',
  '{"m":[{"content":"#"}],"at":["#"]}',
  '{"m":{"content":{"content":"#"}}}',
  '{"__proto__":{"content":"#"},"m":{"content":"#","__proto__":"#"}}',
  '{"m":{"content":"#"}',
  '{"m":{"content":"#"}} {}',
];
const PARTS = ['', 'a', ' word', '0', '1', '#', 'é', '😀', 'fourteen or so characters', '\\n', '\\"', '\\\\']
  .concat(['\\', '\\u00e9', '\\ud83d', '\\u12', '\\x', '"', '\n', '\u0001', '\u007f', '\u2028'])
  .concat(['","content":"', '"}}', '"},"m":{"content":"', '\\","content\\":\\"']);
const anyGap = fc.array(fc.constantFrom(...PARTS), { maxLength: 3 }).map((parts) => parts.join(''));
const fill = (form: string, gaps: readonly string[]): string =>
  form
    .split('#')
    .map((part, index) => part + (index < form.split('#').length - 1 ? (gaps[index] ?? '') : ''))
    .join('');
const anyDocument = (form: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(form, fc.array(anyGap, { minLength: 3, maxLength: 3 })).map(([one, gaps]) => fill(one, gaps));

describe('SimilarJson', () => {
  test('returns what parseJson returns, for any documents', () => {
    const oneForm = fc
      .constantFrom(...FORMS)
      .chain((form) => fc.array(anyDocument(fc.constant(form)), { maxLength: 6 }));
    const anyForms = fc.array(anyDocument(fc.constantFrom(...FORMS)), { maxLength: 6 });
    fc.assert(
      fc.property(fc.oneof(oneForm, anyForms), (texts) => {
        const parsed = parseAll(texts);
        expect(parsed).toStrictEqual(texts.map(parseJson));
        expect(JSON.stringify(parsed)).toBe(JSON.stringify(texts.map(parseJson)));
      }),
      { numRuns: runs(20_000) },
    );
  });

  test('parses only the first of documents that differ in their texts alone', () => {
    const texts = Array.from({ length: 50 }, (_, index) =>
      JSON.stringify({ at: `${index} s`, m: { role: 'x', content: `“word”\n${index}` }, done: false }),
    );
    expect(countParsed(texts)).toBe(2);
    expect(parseAll(texts)).toEqual(texts.map(parseJson));
  });

  test('follows a change to another shape of document, and back', () => {
    const one = (index: number): string => `{"m":{"content":"${index}"}}`;
    const other = (index: number): string => `{"list":[{"m":{"note":"${index}"}}]}`;
    const texts = [0, 1, 2, 3].flatMap((round) =>
      Array.from({ length: 20 }, (_, index) => (round % 2 ? other(index) : one(index))),
    );
    expect(countParsed(texts)).toBe(8);
    expect(parseAll(texts)).toEqual(texts.map(parseJson));
  });

  test('stops preparing when every document is different', () => {
    const texts = Array.from({ length: 100 }, (_, index) => `{"n":${index},"m":{"content":"a"}}`);
    expect(countParsed(texts)).toBe(108);
  });

  test('does not parse text that nobody reads, but checks that it is valid', () => {
    const toText = (at: string): string => `{"at":"${at}","m":{"content":"c${at.length}"}}`;
    const texts = ['a', 'longer than a few characters', '\\n', '\\x', '\n', 'b'].map(toText);
    const parsed = parseAll(texts, new SimilarJson([['m', 'content']], { texts: [['at']] }));
    expect(parsed).toEqual(
      texts.map(parseJson).map((document) => document && { ...document, at: expect.any(String) }),
    );
  });

  test('does not parse a number that nobody reads, but checks that it is one', () => {
    const toText = (at: string, content: string): string => `{"at":${at},"m":{"content":"${content}"}}`;
    const numbers = ['0', '7', '12', '4294967296', '01', '1.5', '1e3', '-1', '', 'x', '"3"', '[]', '13'];
    const texts = numbers.map((at) => toText(at, `at ${at.length}`));
    const create = (): SimilarJson => new SimilarJson([['m', 'content']], { numbers: [['at']] });
    const documents = create();
    for (const text of texts) {
      const expected = parseJson(text) as object | undefined;
      const parsed = documents.parse(text);
      expect(parsed).toEqual(expected && { ...expected, at: expect.anything() as unknown });
    }
    expect(
      countParsed(
        Array.from({ length: 50 }, (_, at) => toText(`${at}`, 'a')),
        create(),
      ),
    ).toBe(2);
  });

  test('takes no number for another one with the same name', () => {
    const texts = [1, 2, 3].map((at) => `{"list":[{"at":${at}}],"at":5,"m":{"content":"a"}}`);
    const documents = new SimilarJson([['m', 'content']], { numbers: [['at']] });
    expect(parseAll(texts, documents)).toEqual(texts.map(parseJson));
  });

  test('does not overwrite a document that was kept', () => {
    const documents = new SimilarJson(PATHS);
    const read = (content: string): unknown => documents.parse(JSON.stringify({ m: { content } }));
    read('one');
    const kept = read('two');
    documents.keep();
    read('three');
    read('four');
    expect(kept).toEqual({ m: { content: 'two' } });
  });
});
