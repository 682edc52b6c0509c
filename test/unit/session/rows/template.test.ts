import { describe, expect, test } from 'vitest';
import type { Shape } from '../../../../src/session/rows/template';
import { findVariable, Template } from '../../../../src/session/rows/template';
import { anyText } from '../../../support/arbitrary/arbitrary-text';
import { fc, runs } from '../../../support/arbitrary/properties';

const fill = (value: unknown, variables: Record<string, unknown>, shape: Shape = 'json') =>
  new Template(value, shape).fillWith(variables);
const filled = (value: unknown, variables: Record<string, unknown>, shape: Shape = 'json') => {
  const { value: result, unfilled } = fill(value, variables, shape);
  expect(unfilled).toEqual([]);
  return result;
};

describe('Template', () => {
  test('inserts text as it is, and any other value as compact JSON', () => {
    const row = { city: 'Oslo "N"\n', temp: 4, on: true, list: [1, 'a'], user: { name: 'Kari' } };
    expect(filled('In {{city}}: {{temp}}, {{on}}, {{list}}, {{user}}', row, 'text')).toBe(
      'In Oslo "N"\n: 4, true, [1,"a"], {"name":"Kari"}',
    );
    expect(filled('{{temp}}', row, 'text')).toBe('4');
  });

  test('replaces a text that is one placeholder by the variable, where JSON is taken', () => {
    const row = { temp: 4, none: null, list: [1] };
    expect(filled({ a: '{{temp}}', b: ['{{none}}', '{{list}}'], c: ' {{temp}}' }, row)).toEqual({
      a: 4,
      b: [null, [1]],
      c: ' 4',
    });
  });

  test('replaces once: a placeholder in a variable stays', () => {
    expect(filled('{{a}}', { a: '{{b}}', b: 'no' })).toBe('{{b}}');
    expect(filled('{{a}}b}}', { a: '{{' }, 'text')).toBe('{{b}}');
    expect(filled('{{a}}{{c}}', { a: '\\', c: '{{b}}' }, 'text')).toBe('\\{{b}}');
  });

  test('keeps what is escaped', () => {
    expect(filled('\\{{city}} is {{city}}', { city: 'Oslo' })).toBe('{{city}} is Oslo');
    expect(filled('\\{{city}}', { city: 'Oslo' })).toBe('{{city}}');
  });

  test('reads the innermost braces', () => {
    expect(filled('{{{a}}}', { a: 1 }, 'text')).toBe('{1}');
    expect(filled('{"x":{{a}}}', { a: { y: 1 } }, 'text')).toBe('{"x":{"y":1}}');
  });

  test.each(['{{city}', '{{}}', '{{ci{ty}}', '{{ci\nty}}', '{{{{city}}}}'])(
    'says that %j has braces that begin no placeholder',
    (text) => {
      expect(new Template({ a: text }, 'json').strays).toEqual([{ path: ['a'], name: '', reason: 'stray' }]);
    },
  );

  test('takes names as they are, with white space', () => {
    expect(filled('{{first name}}', { 'first name': 'Kari' })).toBe('Kari');
    expect(fill('{{ city }}', { city: 'Oslo' }).unfilled).toEqual([
      { path: [], name: ' city ', reason: 'absent' },
    ]);
  });

  test('names what is absent, and null where text is needed', () => {
    const value = { a: 'x {{none}}', b: '{{none}}', c: ['{{gone}}', '{{gone}}!'] };
    expect(fill(value, { none: null }).unfilled).toEqual([
      { path: ['a'], name: 'none', reason: 'null' },
      { path: ['c', 0], name: 'gone', reason: 'absent' },
      { path: ['c', 1], name: 'gone', reason: 'absent' },
    ]);
  });

  test('refuses a text that grows too long, without building it', () => {
    const row = { a: 'x'.repeat(1_000_000) };
    expect(fill('{{a}}'.repeat(100_000), row, 'text').unfilled).toEqual([
      { path: [], name: 'a', reason: 'too-long' },
    ]);
  });

  test('fills the parts that the shape names, and no keys', () => {
    const value = { name: '{{a}}', '{{a}}': '{{a}}', list: [{ text: '{{a}}', id: '{{a}}' }] };
    expect(filled(value, { a: 1 }, { list: [{ text: 'json' }] })).toEqual({
      ...value,
      list: [{ text: 1, id: '{{a}}' }],
    });
    expect(filled({ list: { text: '{{a}}' } }, { a: 1 }, { list: [{ text: 'json' }] })).toEqual({
      list: { text: '{{a}}' },
    });
  });

  test('copies only what changes', () => {
    const value = { a: { b: ['{{x}}'] }, c: { d: [1] } };
    const result = filled(value, { x: 1 }) as typeof value;
    expect(result).toEqual({ a: { b: [1] }, c: { d: [1] } });
    expect(result.c).toBe(value.c);
    expect(value.a.b).toEqual(['{{x}}']);
    expect(filled(value.c, { x: 1 })).toBe(value.c);
  });

  test('never changes a value without braces', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.dictionary(anyText({ maxLength: 2 }), fc.jsonValue()), (value, row) => {
        fc.pre(!JSON.stringify(value).includes('{{'));
        expect(filled(value, row)).toBe(value);
      }),
      { numRuns: runs(500) },
    );
  });

  test('gives back any text whose braces are escaped', () => {
    const row = { a: 1 };
    const piece = fc.constantFrom('{', '{{', '}', '}}', '\\', 'a', '{{a}}', '\n');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const template = new Template(text.replaceAll('{{', '\\{{'), 'json');
        expect([template.placeholders, template.strays]).toEqual([[], []]);
        expect(template.fillWith(row).value).toBe(text);
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('reads a long text in linear time; otherwise this test would time out', () => {
    for (const text of ['{'.repeat(2_000_000), '{{a'.repeat(600_000), '\\{{'.repeat(600_000)])
      expect(new Template(text, 'text').placeholders).toEqual([]);
  });
});

describe('findVariable', () => {
  const variables = JSON.parse(
    '{"user":{"name":"Kari","__proto__":1},"items":[{"a":5}],"user.id":7,"text":"abc","__proto__":2}',
  ) as Record<string, unknown>;

  test.each([
    ['user.name', 'Kari'],
    ['items.0', { a: 5 }],
    ['items.0.a', 5],
    ['user.id', 7],
    ['__proto__', 2],
    ['user.__proto__', 1],
  ])('finds %s', (name, value) => expect(findVariable(variables, name)).toEqual(value));

  test.each([
    'constructor',
    'user.toString',
    'items.length',
    'items.1',
    'items.-1',
    'text.length',
    'text.0',
    'user.',
    '',
  ])('finds no %j, which is no own key', (name) => expect(findVariable(variables, name)).toBeUndefined());
});
