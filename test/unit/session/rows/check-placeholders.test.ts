import { describe, expect, test } from 'vitest';
import { parseDocument } from '../../../../src/session';
import { checkPlaceholders } from '../../../../src/session/rows/check-placeholders';
import { DocumentTemplate } from '../../../../src/session/rows/document-template';
import { parseRows } from '../../../../src/session/rows/parse-rows';
import type { RowsFormat } from '../../../../src/session/rows/rows-path';

const rowsOf = (text: string, format: RowsFormat = 'jsonl') => {
  const { rows, problems } = parseRows(text, format);
  expect(problems).toEqual([]);
  return rows;
};
const checkDocument = (value: object, rows: string, format?: RowsFormat) => {
  const { document, error } = parseDocument(JSON.stringify({ evaluate: { rows: './x.csv' }, ...value }));
  if (!document) throw new Error(error?.message);
  return checkPlaceholders(new DocumentTemplate(document), rowsOf(rows, format), ({ length }) => length);
};
const check = (system: string, rows: string, format?: RowsFormat) => checkDocument({ system }, rows, format);
const print = ({ listed }: ReturnType<typeof check>) =>
  listed.map(({ place, line, message }) => `${place} ${line}: ${message}`);
const problemsOf = (...args: Parameters<typeof check>) => print(check(...args));
const escape = 'A backslash before {{ keeps the braces as text.';

describe('checkPlaceholders', () => {
  test('finds nothing when every row has everything; an empty cell is text', () => {
    expect(problemsOf('{{city}} {{user.name}} \\{{x}}', '{"city":"","user":{"name":0}}')).toEqual([]);
    expect(problemsOf('{{city}}{{temp}}', 'city,temp\nOslo,\n', 'csv')).toEqual([]);
  });

  test('names a placeholder that no row has, and the nearest name', () => {
    expect(problemsOf('{{citty}}', 'city,temp\nOslo,4\nRome,5', 'csv')).toEqual([
      `document 1: system has {{citty}}, and no row has such a variable. Did you mean {{city}}? ${escape}`,
    ]);
    expect(problemsOf('{{ user.name }}', '{"user":{"name":"Kari"}}')).toEqual([
      `document 1: system has {{ user.name }}, and no row has such a variable. Did you mean {{user.name}}? ${escape}`,
    ]);
    expect(problemsOf('{{#each}}', '{"city":1}\n{"temp":2}')).toEqual([
      `document 1: system has {{#each}}, and no row has such a variable. The rows have city, temp. ${escape}`,
    ]);
    expect(problemsOf('{{x}}', '{}')).toEqual([
      `document 1: system has {{x}}, and no row has such a variable. ${escape}`,
    ]);
  });

  test('names the rows that lack a variable, or have null where text is needed', () => {
    const rows = '{"city":"Oslo","temp":1}\n\n{"temp":null}\n{"city":null,"$skip":"later"}\n{"city":"x"}';
    expect(problemsOf('{{city}} {{city}} {{temp}} {{none}}', rows)).toEqual([
      `document 1: system has {{none}}, and no row has such a variable. The rows have city, temp. ${escape}`,
      'rows 3: The row has no city, which system needs.',
      'rows 3: In the row, temp is null, and system needs text.',
      'rows 5: The row has no temp, which system needs.',
    ]);
  });

  test('names braces that begin no placeholder', () => {
    expect(problemsOf('{{city}', '{"city":1}')).toEqual([
      `document 1: system has {{ that begins no placeholder. ${escape}`,
    ]);
  });

  test('names a text that is too long with a row', () => {
    expect(problemsOf('{{a}}{{a}}', `{"a":"${'x'.repeat(1_500_000)}"}`)).toEqual([
      'rows 1: With this row, system has more than 2000000 characters.',
    ]);
  });

  test('checks what a row makes of expectations and matchers', () => {
    const near = { calls: [{ tool: 'a', arguments: { lat: { $near: '{{lat}}', $within: 1 } } }] };
    expect(print(checkDocument({ expect: [near] }, 'lat,a:json\n59.9,1', 'csv'))).toEqual([
      'rows 2: With this row: expect[0].calls[0].arguments.lat.$near must be a number.',
    ]);
    expect(print(checkDocument({ expect: [near] }, 'lat:json\n59.9', 'csv'))).toEqual([]);
    expect(print(checkDocument({ expect: [{ finish: '{{a}}' }] }, '{"a":4}'))).toEqual([
      'rows 1: With this row: expect[0].finish must be one of text, a list.',
    ]);
    const mock = { when: { a: { $matches: '^{{re}}$' } }, result: 1 };
    expect(print(checkDocument({ tools: [{ name: 'a', mocks: [mock] }] }, '{"re":"("}\n{"re":"a"}'))).toEqual(
      ['rows 1: With this row: tools[0].mocks[0].when.a.$matches is no regular expression.'],
    );
  });

  test('checks the expectations of a row', () => {
    const rows = [
      '{"$expect":[{"text":"{{a}}"}],"a":{"$contains":"b"}}',
      '{"$expect":[{"text":"a"},{"calls":[{"tools":"a"}]}]}',
      '{"$expect":[{"calls":[],"nevr":["a"]}]}',
      '{"$expect":[{"text":{"$like":1}}]}',
    ];
    expect(print(checkDocument({ expect: [{ calls: [] }] }, rows.join('\n')))).toEqual([
      'rows 2: With this row: $expect[1].calls[0].tool is missing.',
      'rows 3: With this row: $expect[0].nevr is not known.',
      expect.stringMatching(/^rows 4: With this row: \$expect\[0\]\.text\.\$like is no matcher/),
    ]);
  });

  test('lists ten, and counts the others', () => {
    const { listed, more } = check('{{a}}', `{"a":1}\n${'{"b":1}\n'.repeat(4_999)}`);
    expect([listed.length, more]).toEqual([10, 4_989]);
  });
});
