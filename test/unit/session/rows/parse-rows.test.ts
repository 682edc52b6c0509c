import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseDocument } from '../../../../src/session';
import { MAX_ROWS_BYTES, parseInlineRows, parseRows } from '../../../../src/session/rows/parse-rows';
import type { ParsedRows } from '../../../../src/session/rows/parse-rows';
import type { RowsFormat } from '../../../../src/session/rows/rows-path';
import { anyText } from '../../../support/arbitrary/arbitrary-text';
import { fc, runs } from '../../../support/arbitrary/properties';

const lines = (...each: string[]) => each.join('\n');
/** `3: message` for each problem. */
const problemsOf = ({ problems }: ParsedRows) => problems.map(({ line, message }) => `${line}: ${message}`);
const variablesOf = (text: string, format: RowsFormat) =>
  parseRows(text, format).rows.map(({ variables }) => variables);

describe('parseRows of .json', () => {
  test('reads a list of objects, each with its line', () => {
    const text = lines('\uFEFF[', '  { "city": "Oslo", "temp": 4 },', '', '  {', '    "city": null }', ']');
    expect(parseRows(text, 'json')).toMatchObject({
      rows: [
        { line: 2, variables: { city: 'Oslo', temp: 4 }, tags: [] },
        { line: 4, variables: { city: null } },
      ],
      problems: [],
      more: 0,
    });
  });

  test('reads reserved columns, which are not variables', () => {
    const row = {
      $id: 7,
      $name: 'Oslo in winter',
      $tags: ['cold', 'north'],
      $repeat: 3,
      $skip: 'the station is closed',
      $expect: [{ calls: [] }],
      $messages: '1-2, 5',
      city: 'Oslo',
    };
    expect(parseRows(JSON.stringify([row]), 'json').rows).toEqual([
      {
        id: '7',
        name: 'Oslo in winter',
        tags: ['cold', 'north'],
        repeat: 3,
        skip: 'the station is closed',
        expect: [{ calls: [] }],
        messages: [
          [1, 2],
          [5, 5],
        ],
        variables: { city: 'Oslo' },
        line: 1,
      },
    ]);
  });

  test.each([
    ['{}', '1: The rows must be a list of objects.'],
    ['[]', '1: There are no rows.'],
    ['[\n4]', '2: A row must be an object whose keys are names of variables.'],
    ['[\n{]', '2: The text is not JSON: a key in double quotes is expected.'],
    ['[{"a":1,\n"a":2}]', '2: [0].a appears here a second time.'],
    ['[{"$id":""}]', '1: $id must be text or a number, at most 200 characters.'],
    ['[{"$name":5}]', '1: $name must be text, at most 200 characters.'],
    ['[{"$tags":"a b"}]', '1: $tags must be a list of at most 50 short texts.'],
    ['[{"$repeat":"3"}]', '1: $repeat must be a whole number from 1 to 100.'],
    ['[{"$repeat":101}]', '1: $repeat must be a whole number from 1 to 100.'],
    ['[{"$skip":true}]', '1: $skip must be text that says why, at most 200 characters.'],
    ['[{"$messages":"2-1"}]', '1: $messages must be numbers of messages, such as "1-5" or "1, 6-9".'],
    ['[{"$expect":{"calls":[]}}]', '1: $expect must be a list of expectations.'],
    [
      '[{\n"$expects":[]}]',
      '2: $expects is not a reserved column: names that begin with $ are $id, $name, $tags, $repeat, $skip, $expect, $messages.',
    ],
  ])('says what is wrong with %s', (text, problem) => {
    const parsed = parseRows(text, 'json');
    expect(problemsOf(parsed)).toEqual([problem]);
    expect(parsed.rows).toEqual([]);
  });

  test('makes own keys of names that objects inherit', () => {
    const text = '[{"__proto__":{"admin":true},"constructor":1,"deep":{"__proto__":2}}]';
    const [variables] = variablesOf(text, 'json');
    expect(Object.keys(variables ?? {})).toEqual(['__proto__', 'constructor', 'deep']);
    expect(Object.getPrototypeOf(variables)).toBe(Object.prototype);
    expect(Object.keys(variables?.deep ?? {})).toEqual(['__proto__']);
    expect(Object.prototype).not.toHaveProperty('admin');
  });
});

describe('parseRows of .jsonl', () => {
  test('skips blank lines and keeps the numbers of the others', () => {
    const text = '\uFEFF\r\n{"city":"Oslo"}\r\n  \n{"city":"Rome"}';
    expect(parseRows(text, 'jsonl').rows).toMatchObject([
      { line: 2, variables: { city: 'Oslo' } },
      { line: 4, variables: { city: 'Rome' } },
    ]);
    expect(variablesOf('\uFEFF{"a":1}\n', 'jsonl')).toEqual([{ a: 1 }]);
  });

  test('says for each line what is wrong with it', () => {
    const text = lines('{"$id":[]}', '{"a":', '[1]', '{"a":1}');
    expect(problemsOf(parseRows(text, 'jsonl'))).toEqual([
      '1: $id must be text or a number, at most 200 characters.',
      '2: The text is not JSON: a value is expected.',
      '3: A row must be an object whose keys are names of variables.',
    ]);
  });

  test('lists ten problems, and counts the others', () => {
    const parsed = parseRows('{"$x":1}\n'.repeat(4_999), 'jsonl');
    expect(parsed.problems).toHaveLength(10);
    expect(parsed.more).toBe(4_989);
  });
});

describe('parseRows of .csv', () => {
  test('reads every cell as text, as it stands there', () => {
    const text = lines('\uFEFFcity, temp ', 'Oslo, 4 ', '"São ""SP"" Paulo","a,b"', '""," "', '');
    expect(variablesOf(text, 'csv')).toEqual([
      { city: 'Oslo', temp: ' 4 ' },
      { city: 'São "SP" Paulo', temp: 'a,b' },
      { city: '', temp: ' ' },
    ]);
  });

  test('counts the lines of quoted cells, whatever ends a line', () => {
    const text = 'text,n\r\n"one\r\n\r\ntwo",1\r\n\r\nthree,2\nfour,3\rfive,4';
    expect(parseRows(text, 'csv').rows.map(({ line, variables }) => [line, variables.text])).toEqual([
      [2, 'one\n\ntwo'],
      [6, 'three'],
      [7, 'four'],
      [8, 'five'],
    ]);
  });

  test('tells a blank line from a cell without text', () => {
    expect(variablesOf('word\n\n""\n', 'csv')).toEqual([{ word: '' }]);
  });

  test('reads cells as JSON below a header that says so', () => {
    const text = lines(
      'city,temp:json,user:json',
      'Oslo,4,"{""name"":""Kari"",""__proto__"":1}"',
      'Rome,null,[]',
    );
    const [first, second] = variablesOf(text, 'csv');
    expect(JSON.stringify(first)).toBe('{"city":"Oslo","temp":4,"user":{"name":"Kari","__proto__":1}}');
    expect(second).toEqual({ city: 'Rome', temp: null, user: [] });
  });

  test('reads reserved columns; an empty cell is none', () => {
    const text = lines(
      '$id,$name,$tags,$repeat,$skip,$expect,a',
      'x,First,"cold, north",3,later,"[{""calls"":[]}]",1',
      ',,,,,,2',
    );
    expect(parseRows(text, 'csv').rows).toEqual([
      {
        id: 'x',
        name: 'First',
        tags: ['cold', 'north'],
        repeat: 3,
        skip: 'later',
        expect: [{ calls: [] }],
        variables: { a: '1' },
        line: 2,
      },
      { id: expect.stringMatching(/^[\da-f]{12}$/) as string, tags: [], variables: { a: '2' }, line: 3 },
    ]);
    expect(parseRows('$tags:json\n"[""new york""]"', 'csv').rows).toMatchObject([{ tags: ['new york'] }]);
  });

  test.each([
    ['', '1: There are no rows.'],
    ['a,b\n', '1: There are no rows.'],
    ['a,\n1,2', '1: Column 2 has no name in the header.'],
    ['a,a:json\n1,2', '1: The header has the column a twice.'],
    [
      'a,b\n\n1\n2,3',
      '3: The number of cells is 1, that of the header 2. A cell that contains a comma is put in quotes.',
    ],
    [
      'a,b\n1,2,3',
      '2: The number of cells is 3, that of the header 2. A cell that contains a comma is put in quotes.',
    ],
    ['a,b\n1,"2\n3,4\n', '2: A cell of the row begins with a quote and has no closing one.'],
    [
      'a,b\n1,2\n1,"2"x,"3"\n3,4',
      '3: A cell of the row goes on after its closing quote: a quote inside a quoted cell is written twice.',
    ],
    ['a:json\n""\n', '2: a: The text is not JSON: a value is expected.'],
    ['a:json\n1\n{\n', '3: a: The text is not JSON: a closing brace is missing.'],
    ['$repeat,a\n0x5,1', '2: $repeat must be a whole number from 1 to 100.'],
    [
      '$city,b\n1,2\n3,4',
      '1: $city is not a reserved column: names that begin with $ are $id, $name, $tags, $repeat, $skip, $expect, $messages.',
    ],
    ['a;b\n1;2', '1: The header has no comma: the cells of a row are separated by commas.'],
    ['a\tb\n1\t2', '1: The header has no comma: the cells of a row are separated by commas.'],
    [','.repeat(1_000), '1: There are more than 1000 columns.'],
  ])('says what is wrong with %j', (text, problem) => {
    const parsed = parseRows(text, 'csv');
    expect(problemsOf(parsed)).toEqual([problem]);
    expect(parsed.rows).toEqual([]);
  });

  test('makes own keys of names that objects inherit', () => {
    const [variables] = variablesOf('__proto__,constructor,toString\n1,2,3', 'csv');
    expect(Object.entries(variables ?? {})).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
      ['toString', '3'],
    ]);
  });
});

describe('parseRows', () => {
  test('refuses text that was not UTF-8, with its line; an escape is what it says', () => {
    const latin = Buffer.from('city\nOslo\nMünchen\n', 'latin1').toString('utf8');
    expect(parseRows(latin, 'csv')).toMatchObject({
      rows: [],
      problems: [{ line: 3, message: expect.stringContaining('is not UTF-8') }],
    });
    const [row] = parseRows(String.raw`{ "text": "\ufffd" }`, 'jsonl').rows;
    expect(row?.variables).toEqual({ text: '\uFFFD' });
  });

  test.each([
    ['json', (count: number) => `[${'{"a":1},'.repeat(count)}]`],
    ['jsonl', (count: number) => '{"a":1}\n'.repeat(count)],
    ['csv', (count: number) => `a\n${'1\n'.repeat(count)}`],
  ] as const)('reads 5,000 rows of .%s and refuses one more', (format, textOf) => {
    expect(parseRows(textOf(5_000), format)).toMatchObject({ problems: [], rows: { length: 5_000 } });
    expect(parseRows(textOf(5_001), format)).toEqual({
      rows: [],
      problems: [{ line: 1, message: 'There are more than 5000 rows; use fewer.' }],
      more: 0,
    });
  });

  test.each(['json', 'jsonl', 'csv'] as const)(
    'refuses a .%s that is too large without reading it',
    (format) => {
      const text = '"'.repeat(MAX_ROWS_BYTES + 1);
      expect(problemsOf(parseRows(text, format))).toEqual([
        '1: The data file is larger than 8 MB; use a smaller one.',
      ]);
    },
  );

  test.each(['json', 'jsonl', 'csv'] as const)('never throws for .%s, and has rows or problems', (format) => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ',',
      ':',
      '\n',
      '\r',
      '$id',
      ':json',
      '""',
      '1',
      '\\',
    );
    const text = fc.array(fc.oneof(piece, anyText({ maxLength: 3 })), { maxLength: 30 });
    fc.assert(
      fc.property(text, (pieces) => {
        const { rows, problems } = parseRows(pieces.join(''), format);
        expect(rows.length === 0).toBe(problems.length > 0);
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('reads any table that is written as CSV', () => {
    const cell = anyText({ maxLength: 6 }).map((text) => text.replaceAll('\r', '\n'));
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1 }));
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(table, (rows) => {
        const header = (rows[0] ?? []).map((_, index) => `c${index}`);
        const text = [header, ...rows].map((row) => row.map(quoted).join(',')).join('\r\n');
        expect(variablesOf(text, 'csv').map((row) => Object.values(row))).toEqual(rows);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('parseInlineRows', () => {
  test('reads the rows of a document, with their lines in it', () => {
    const text = lines('{', '  "evaluate": {', '    "rows": [', '      { "city": "Oslo", "$id": 1 } ] } }');
    const { tree } = parseDocument(text);
    expect(tree && parseInlineRows(tree).rows).toEqual([
      { id: '1', tags: [], variables: { city: 'Oslo' }, line: 4 },
    ]);
  });

  test('says that there are none', () => {
    const { tree } = parseDocument('{\n "evaluate": {\n "rows": [] } }');
    expect(tree && problemsOf(parseInlineRows(tree))).toEqual(['3: There are no rows.']);
    const other = parseDocument('{ "evaluate": { "rows": "./x.csv" } }').tree;
    expect(other && problemsOf(parseInlineRows(other))).toEqual(['1: The rows must be a list of objects.']);
  });
});

describe('the id of a row', () => {
  const idsOf = (...rows: object[]) => parseRows(JSON.stringify(rows), 'json').rows.map(({ id }) => id);
  const hashOf = (json: string) => createHash('sha256').update(json).digest('hex').slice(0, 12);

  test('is made of the variables, in any order, and of no reserved column', () => {
    const hash = hashOf('{"a":{"x":1,"y":2},"b":"2"}');
    expect(idsOf({ b: '2', a: { y: 2, x: 1 } })).toEqual([hash]);
    const row = {
      $name: 'n',
      $tags: ['t'],
      $expect: [],
      $repeat: 2,
      $skip: 'why',
      a: { x: 1, y: 2 },
      b: '2',
    };
    expect(idsOf(row)).toEqual([hash]);
  });

  test('is numbered for equal rows', () => {
    const hash = hashOf('{"a":1}');
    expect(idsOf({ a: 1 }, { a: 2 }, { a: 1 }, { a: 1 })).toEqual([
      hash,
      hashOf('{"a":2}'),
      `${hash}#2`,
      `${hash}#3`,
    ]);
  });

  test('is the variable id when every row has one and no two are equal', () => {
    expect(idsOf({ id: 'a' }, { id: 2 })).toEqual(['a', '2']);
    for (const other of [{}, { id: '2' }, { id: null }, { id: '' }, { id: 'x'.repeat(201) }])
      expect(idsOf({ id: 2 }, other)[0]).toBe(hashOf('{"id":2}'));
  });

  test('is the $id first, which no two rows may have', () => {
    expect(idsOf({ $id: 'x', id: 'a' }, { id: 'b' })).toEqual(['x', 'b']);
    const parsed = parseRows('{"$id":"x"}\n\n{"$id":"y"}\n{"$id":"x"}', 'jsonl');
    expect(problemsOf(parsed)).toEqual(['4: The row has the id x, which the row in line 1 has already.']);
    expect(parsed.rows).toEqual([]);
  });

  test('does not depend on the order of the rows', () => {
    const row = fc.record(
      { a: fc.nat(2), b: fc.string({ maxLength: 1 }), id: fc.nat(5) },
      { requiredKeys: [], noNullPrototype: true },
    );
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), (rows) => {
        expect(idsOf(...rows.toReversed()).toSorted()).toEqual(idsOf(...rows).toSorted());
      }),
      { numRuns: runs(500) },
    );
  });
});
