import { describe, expect, test } from 'vitest';
import { editDocument as editParsed, NEW_PLAYGROUND_TEXT, parseDocument } from '../../../../src/session';
import type { DocumentEdit } from '../../../../src/protocol';
import { newPlayground } from '../../../support/session/new-playground';

type Place = DocumentEdit['path'];
const set = (path: Place, value: unknown): DocumentEdit => ({ path, value });
const insert = (path: Place, value: unknown): DocumentEdit => ({ path, value, isInsertion: true });
const remove = (path: Place): DocumentEdit => ({ path });

const editDocument = (text: string, edits: readonly DocumentEdit[]) => editParsed(parseDocument(text), edits);

function edit(text: string, ...edits: DocumentEdit[]): string {
  const result = editDocument(text, edits);
  if (result.error !== undefined) throw new Error(result.error);
  return result.after.text;
}
const refusalOf = (text: string, ...edits: DocumentEdit[]) => editDocument(text, edits).error;

const FILE = `// what I try
{
  "version": 1, // the first
  "system": "Short.",
  /* the conversation */
  "messages": [
    { "role": "user", "content": "Hello" }, // one
    // the second
    { "role": "user", "content": "And?" } // two
    // more to come
  ],
  "lanes": [
    {
      "id": "a", // left
      "model": "first-look"
    }
  ]
}
`;

describe('editDocument', () => {
  test('changes nothing but the value', () => {
    expect(edit(FILE, set(['system'], 'Long.'))).toBe(FILE.replace('Short.', 'Long.'));
    expect(edit(FILE, set(['messages', 1, 'content'], 'a\n"b"'))).toBe(FILE.replace('And?', 'a\\n\\"b\\"'));
  });

  test('adds a new key after the last one, before the comments that follow', () => {
    expect(edit(FILE, set(['lanes', 0, 'sampling', 'temperature'], 0))).toBe(
      FILE.replace('"first-look"', '"first-look",\n      "sampling": {\n        "temperature": 0\n      }'),
    );
  });

  test('keeps a comment after the last entry with that entry', () => {
    const message = { role: 'user', content: 'So?' };
    expect(edit(FILE, set(['messages', 2], message))).toBe(
      FILE.replace(
        '"And?" } // two',
        '"And?" }, // two\n    {\n      "role": "user",\n      "content": "So?"\n    }',
      ),
    );
  });

  test('adds a key of the top level at its usual place', () => {
    expect(edit('{\n  "lanes": [{ "id": "a" }]\n}', set(['system'], 'x'))).toBe(
      '{\n  "system": "x",\n  "lanes": [{ "id": "a" }]\n}',
    );
    expect(edit('{\n  "version": 1,\n  "lanes": [{ "id": "a" }]\n}', set(['system'], 'x'))).toBe(
      '{\n  "version": 1,\n  "system": "x",\n  "lanes": [{ "id": "a" }]\n}',
    );
  });

  test('inserts an entry before the one at its index', () => {
    const text = edit(FILE, insert(['lanes', 0], { id: 'z' }), insert(['messages', 1], { role: 'user' }));
    expect(text).toContain('"lanes": [\n    {\n      "id": "z"\n    },\n    {\n      "id": "a", // left');
    expect(text).toContain('"Hello" }, // one\n    {\n      "role": "user"\n    },\n    // the second\n');
  });

  test('removes an entry with its line, but no comment', () => {
    expect(edit(FILE, remove(['system']))).toBe(FILE.replace('  "system": "Short.",\n', ''));
    expect(edit(FILE, remove(['lanes', 0, 'model']))).toBe(
      FILE.replace('"a", // left\n      "model": "first-look"', '"a" // left'),
    );
    expect(edit(FILE, remove(['messages', 1]))).toBe(
      FILE.replace('}, // one', '} // one').replace('{ "role": "user", "content": "And?" } // two', '// two'),
    );
  });

  test('reorders keys of a schema with their formatting, and keeps all comments', () => {
    const path = ['tools', 0, 'parameters', 'properties'];
    const [city, unit] = [
      '"city": { "type": "string" /* no country */ }',
      '"unit": {\n  "type": "string"\n}',
    ];
    const file = (properties: string): string =>
      `{ "tools": [{ "name": "a", "parameters": { "properties": {\n${properties}\n} } }] }`;
    const text = file(`// where\n${city}, // first\n${unit} // second`);
    const swapped = { unit: { type: 'string' }, city: { type: 'string' } };
    expect(edit(text, set(path, swapped))).toBe(file(`// where\n${unit}, // first\n${city} // second`));
    expect(edit(text, set(path, { ...swapped, unit: { type: 'number' } }))).toBe(
      file(`// where\n"unit": {\n  "type": "number"\n}, // first\n${city} // second`),
    );
  });

  test('keeps on one line what is on one line', () => {
    const text = '{ "lanes": [{ "id": "a", "model": "m" }, { "id": "b" }] }\n';
    expect(edit(text, remove(['lanes', 1]))).toBe('{ "lanes": [{ "id": "a", "model": "m" }] }\n');
    expect(edit(text, remove(['lanes', 0]))).toBe('{ "lanes": [{ "id": "b" }] }\n');
    expect(edit(text, remove(['lanes', 0, 'model']))).toBe('{ "lanes": [{ "id": "a" }, { "id": "b" }] }\n');
    expect(edit(text, set(['lanes', 0, 'sampling', 'stop'], ['x']))).toBe(
      '{ "lanes": [{ "id": "a", "model": "m", "sampling": { "stop": ["x"] } }, { "id": "b" }] }\n',
    );
    expect(edit(text, insert(['lanes', 1], { id: 'c' }))).toBe(
      '{ "lanes": [{ "id": "a", "model": "m" }, { "id": "c" }, { "id": "b" }] }\n',
    );
    expect(edit(text, insert(['lanes', 0], { id: 'c' }))).toBe(
      '{ "lanes": [{ "id": "c" }, { "id": "a", "model": "m" }, { "id": "b" }] }\n',
    );
  });

  test('keeps a compact file compact', () => {
    const text = '{"lanes":[{"id":"a"}],"tools":[]}';
    expect(
      edit(
        text,
        set(['system'], 'x'),
        set(['tools', 0], { name: 't', mocks: [] }),
        set(['lanes', 0, 'raw', 'a'], 1),
      ),
    ).toBe('{"system":"x","lanes":[{"id":"a","raw":{"a":1}}],"tools":[{"name":"t","mocks":[]}]}');
  });

  test('fills an empty list and empties a full one', () => {
    const text = '{\n  "messages": [],\n  "tools": [ /* none */ ]\n}\n';
    const filled = edit(text, set(['messages', 0], { role: 'user' }), set(['tools', 0], { name: 'a' }));
    expect(filled).toBe(
      '{\n  "messages": [\n    {\n      "role": "user"\n    }\n  ],\n  "tools": [ /* none */\n    {\n      "name": "a"\n    }\n  ]\n}\n',
    );
    expect(edit(filled, remove(['messages', 0]))).toContain('"messages": [],');
    expect(edit(filled, remove(['tools', 0]))).toContain('"tools": [ /* none */\n  ]');
  });

  test.each([
    ['two blanks', '  ', '\n'],
    ['four blanks', '    ', '\n'],
    ['tabs', '\t', '\n'],
    ['\\r\\n', '  ', '\r\n'],
  ])('keeps indentation and line ends of the file: %s', (_, unit, lineEnd) => {
    const like = (text: string) => text.replaceAll('  ', unit).replaceAll('\n', lineEnd);
    const text = like('{\n  "lanes": [\n    {\n      "id": "a"\n    }\n  ]\n}');
    expect(edit(text, set(['lanes', 0, 'raw'], { a: [1] }))).toBe(
      like(
        '{\n  "lanes": [\n    {\n      "id": "a",\n      "raw": {\n        "a": [\n          1\n        ]\n      }\n    }\n  ]\n}',
      ),
    );
    expect(edit(edit(text, set(['lanes', 1], { id: 'b' })), remove(['lanes', 1]))).toBe(text);
  });

  test('keeps a trailing comma and a byte order mark', () => {
    const text = '\uFEFF{\n  "lanes": [\n    { "id": "a" }, // one\n  ],\n}\n';
    const edited = edit(text, set(['lanes', 1], { id: 'b' }));
    expect(edited).toBe(
      '\uFEFF{\n  "lanes": [\n    { "id": "a" }, // one\n    {\n      "id": "b"\n    },\n  ],\n}\n',
    );
    expect(edit(edited, remove(['lanes', 1]))).toBe(text);
  });

  test('replaces an empty text by a new playground at the first change', () => {
    expect(editDocument('', [])).toMatchObject({ after: { text: '' }, edits: [] });
    expect(editDocument(' \n', [set(['version'], 1)])).toMatchObject({ after: { text: ' \n' }, edits: [] });
    const text = NEW_PLAYGROUND_TEXT.replace('Oslo?', 'Rome?');
    const result = editDocument(' \n', [set(['messages', 0, 'content'], 'What is the weather in Rome?')]);
    expect(result).toMatchObject({
      after: { text },
      edits: [{ offset: 0, length: 1, text: text.slice(0, -1) }],
    });
    expect(parseDocument(text).document).toEqual({
      ...newPlayground(),
      messages: [{ role: 'user', content: 'What is the weather in Rome?' }],
    });
  });

  test('edits a missing value as its default', () => {
    expect(edit('{}', set(['lanes', 0, 'model'], 'm'))).toBe(
      '{\n  "lanes": [\n    {\n      "id": "a",\n      "connection": "demo",\n      "model": "m"\n    }\n  ]\n}',
    );
    const text = '{ "tools": [{ "name": "t" }] }';
    expect(edit(text, set(['tools', 0, 'parameters', 'properties', 'city'], {}))).toBe(
      '{ "tools": [{ "name": "t", "parameters": { "type": "object", "properties": { "city": {} } } }] }',
    );
    expect(
      edit(text, remove(['lanes', 0, 'model']), remove(['embedding', 'model']), remove(['system'])),
    ).toBe(text);
  });

  test('applies edits in order, and validates only the result', () => {
    const text = '{ "lanes": [{ "id": "a" }, { "id": "b" }] }';
    expect(edit(text, set(['lanes', 0, 'id'], 'b'), set(['lanes', 1, 'id'], 'a'))).toBe(
      '{ "lanes": [{ "id": "b" }, { "id": "a" }] }',
    );
  });

  test.each([
    ['an index beyond the end', [set(['messages', 3], { role: 'user' })], 'messages[3] does not exist.'],
    ['removing an entry that does not exist', [remove(['messages', 2])], 'messages[2] does not exist.'],
    ['a path through a missing entry', [remove(['messages', 2, 'role'])], 'messages[2] does not exist.'],
    ['a key in a list', [set(['messages', 'x'], 1)], 'messages is not an object.'],
    ['an index in an object', [set([0], 1)], 'The document is not a list.'],
    ['a path through a string', [set(['system', 'x', 'y'], 1)], 'system is not an object.'],
    ['an insertion into an object', [insert(['lanes', 0, 'model'], 'x')], 'lanes[0] is not a list.'],
    ['an insertion without a value', [{ path: ['lanes', 0], isInsertion: true }], 'A value is missing.'],
    ['removing the document', [remove([])], 'The document cannot be removed.'],
    [
      'an edit that makes the document invalid',
      [set(['lanes', 0, 'id'], 5)],
      'lanes[0].id must be text, not a number.',
    ],
    ['removing the last lane', [remove(['lanes', 0])], 'lanes must not be empty.'],
    ['__proto__', [set(['__proto__', 'x'], 1)], 'The path contains a key that cannot be edited.'],
    ['constructor', [set(['lanes', 0, 'constructor'], 1)], 'The path contains a key that cannot be edited.'],
    [
      'an index that is not an integer',
      [set(['lanes', 0.5], 1)],
      'The path contains a key that cannot be edited.',
    ],
    ['an index below 0', [set(['lanes', -1], { id: 'b' })], 'The path contains a key that cannot be edited.'],
    [
      'a long path',
      [
        set(
          Array.from({ length: 33 }, () => 'a'),
          1,
        ),
      ],
      'The path has more than 32 keys.',
    ],
    [
      'many edits',
      Array.from({ length: 1_001 }, () => set(['system'], '')),
      'These are more than 1000 edits.',
    ],
  ])('refuses the edit and changes nothing: %s', (_, edits, message) => {
    expect(editDocument(FILE, edits)).toEqual({ error: message });
  });

  test('refuses to edit an invalid text', () => {
    expect(refusalOf('{\n"lanes": 5 }', set(['system'], ''))).toBe(
      'Line 2: lanes must be a list, not a number.',
    );
  });

  const holdsItself: unknown[] = [];
  holdsItself.push(holdsItself, holdsItself);
  let bomb: unknown = [];
  for (let depth = 0; depth < 60; depth++) bomb = [bomb, bomb];
  let deep: unknown = 1;
  for (let depth = 0; depth < 100_000; depth++) deep = [deep];
  test.each([
    ['a function', () => 1, 'JSON cannot'],
    ['NaN', [Number.NaN], 'JSON cannot'],
    ['a bigint', 10n, 'JSON cannot'],
    ['a symbol', { a: Symbol('a') }, 'JSON cannot'],
    ['an instance of a class', new Map(), 'of a class'],
    ['a date', new Date(0), 'of a class'],
    ['a value that contains itself', holdsItself, 'contains itself'],
    ['a value that doubles with each level', bomb, 'too many parts'],
    ['a list of holes', Object.assign([], { length: 2 ** 31 }), 'too many parts'],
    ['a deeply nested value', deep, 'deep'],
    ['a long text repeated many times', Array.from({ length: 1_000 }, () => 'a'.repeat(100_000)), 'too long'],
    ['a key __proto__', JSON.parse('{ "__proto__": 1 }'), '__proto__'],
  ])('refuses a value that is not plain JSON: %s', (_, value, message) => {
    expect(refusalOf(FILE, set(['lanes', 0, 'raw'], { value }))).toContain(message);
  });

  test('refuses a result that is too long for a string', () => {
    let value: unknown = Array.from({ length: 10_000 }, () => 0);
    for (let depth = 0; depth < 150; depth++) value = [value];
    const indentation = ' '.repeat(100_000);
    expect(refusalOf(`{\n${indentation}"version": 1\n}`, set(['extra'], value))).toContain('too long');
  });

  test('leaves out members without a value, which become null in a list', () => {
    const text = edit('{}', set(['extra'], { a: undefined, b: [undefined, -0], c: '\uD83D' }));
    expect(parseDocument(text).document?.['extra']).toEqual({ b: [null, 0], c: '\uD83D' });
  });

  test('replaces the root', () => {
    expect(edit(FILE, set([], { system: 'x' }))).toBe('// what I try\n{\n  "system": "x"\n}\n');
  });

  test('moves an element of a list with its formatting', () => {
    const lanes =
      '[\n    // fast\n    { "id": "a" },\n    {\n      "id": "b", // big\n      "model": "m"\n    }\n  ]';
    const text = `{\n  "lanes": ${lanes}\n}\n`;
    expect(edit(text, { path: ['lanes', 0], movedFrom: 1 })).toBe(
      '{\n  "lanes": [\n    {\n      "id": "b", // big\n      "model": "m"\n    },\n    // fast\n    { "id": "a" }\n  ]\n}\n',
    );
    expect(editDocument(text, [{ path: ['lanes', 0], movedFrom: 2 }]).error).toContain('does not exist');
    expect(editDocument(text, [{ path: ['lanes', 0], movedFrom: 1, value: {} }]).error).toBeDefined();
  });

  test('keeps the formatting of equal parts in a new value', () => {
    const text = '{\n  "extra": { "a": 1, // one\n    "b": [1, /* two */ 2,   3] }\n}\n';
    expect(edit(text, set(['extra'], { a: 1, b: [1, 2, 4] }))).toBe(text.replace('3]', '4]'));
    expect(edit(text, set(['extra'], { a: 1, b: [2, 3] }))).toBe(
      text.replace('[1, /* two */ 2', '[/* two */ 2'),
    );
  });

  test('edits a very long line in linear time; otherwise this test would time out', () => {
    const text = `{"extra":[${'{"a":[1,2,3]},'.repeat(25_000)}0]}`;
    expect(editDocument(text, [set(['system'], 'x'), remove(['extra', 12_500])]).error).toBeUndefined();
  });
});
