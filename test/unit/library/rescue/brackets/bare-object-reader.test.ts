import { describe, expect, it } from 'vitest';
import { readBareObject } from '../../../../../src/library/rescue/brackets/bare-object-reader';
import { RepairLog } from '../../../../../src/library/rescue/core/repair-log';
import { TextSource } from '../../../../../src/library/rescue/core/rescue-context';
import { kindsOf } from '../rescue-fixtures';

const STYLE = { stops: ['<|', '<end>'], delimiters: ['<|'], ends: ['<end>'] };

const read = (text: string, declared: Record<string, 'text' | 'other'> = {}) => {
  const log = new RepairLog();
  const names = Object.keys(declared);
  const keys = names.length > 0 ? new Set(names) : undefined;
  const texts = new Set(names.filter((name) => declared[name] === 'text'));
  const source = new TextSource(`${text}<end>`);
  const { value, end, failure } = readBareObject(source, 0, { ...STYLE, keys, texts }, log);
  return { value, rest: source.text.slice(end), failure, repairs: kindsOf(log.repairs) };
};

describe('readBareObject', () => {
  it.each([
    ['{}', {}],
    ['{city:<|Ghent, {x}<|,days:3}', { city: 'Ghent, {x}', days: 3 }],
    ['{ a : { b.c : [<|x<|, 1, true] } }', { a: { 'b.c': ['x', 1, true] } }],
    ['{the first:<|a<|}', { 'the first': 'a' }],
  ])('reads %s', (text, value) => {
    expect(read(text)).toEqual({ value, rest: '<end>', failure: undefined, repairs: [] });
  });

  it.each([
    ['{city:Ghent, Belgium,days:3}', { city: 'Ghent, Belgium', days: 3 }, ['unquoted-string']],
    ['{city:see http://x.org}', { city: 'see http://x.org' }, ['unquoted-string']],
    ['{city:"a",days:1}', { city: 'a', days: 1 }, ['foreign-body']],
    ["{city:'a'<|}", { city: 'a' }, ['foreign-body']],
    ['{city=<|a<|,}', { city: 'a' }, ['foreign-body', 'trailing-comma']],
    ['{city:<|a<| days:1}', { city: 'a', days: 1 }, ['missing-comma']],
    ['{city:a<|,days:1}', { city: 'a', days: 1 }, ['unquoted-string']],
    ['{city:a { b }}', { city: 'a { b }' }, ['unquoted-string']],
    ['{city:}', { city: '' }, ['unquoted-string']],
    ['{city:Ghent', { city: 'Ghent' }, ['unquoted-string', 'missing-closer']],
  ])('repairs %s', (text, value, repairs) => {
    expect(read(text)).toEqual({ value, rest: '<end>', failure: undefined, repairs });
  });

  it('uses the declared parameters to find where a value ends', () => {
    const both = { title: 'text', body: 'text' } as const;
    expect(read('{title:cook: soup, and: more,body:b}', both).value).toEqual({
      title: 'cook: soup, and: more',
      body: 'b',
    });
    expect(read('{title:<|a,body:<|b<|}', both)).toMatchObject({
      value: { title: 'a', body: 'b' },
      repairs: ['missing-closer'],
    });
    expect(read('{title:12,body:true}', both).value).toEqual({ title: '12', body: 'true' });
    expect(read('{level:5,exact:true}', { level: 'other' }).value).toEqual({ level: 5, exact: true });
    expect(read('{title:5,exact:true}', both).value).toEqual({ title: '5,exact:true' });
  });

  it.each([
    ["{days:12,city='Ghent'}", { days: 12, city: 'Ghent' }],
    ['{city=<|Ghent<|,days=12}', { city: 'Ghent', days: 12 }],
    ['{city:a,note=b}', undefined],
    ['{city:f(a, note="b")}', undefined],
  ])('takes an equals sign for a colon, unless it may be part of a text: %s', (text, value) => {
    expect(read(text, { days: 'other', city: 'text', note: 'text' }).value).toEqual(value);
  });

  it.each([
    ['{city:<|Gh', 'truncated', 'the value `city`'],
    ['{city:<|a<|,city:<|b<|}', 'malformed', 'the value `city`'],
    ['{city:[a', 'malformed', 'the value `city`'],
    ['{"ci', 'truncated', 'the value'],
    ['{*a}', 'malformed', 'the value'],
    ['{city <|a<|}', 'malformed', 'the value'],
    ['{a:[<|x<| y]}', 'malformed', 'the value `a`'],
    ['{a:'.repeat(129), 'too-deep', 'the value `a`'],
  ])('reports why it failed and in which value: %s', (text, reason, inside) => {
    expect(read(text).failure).toMatchObject({ reason, inside });
  });
});
