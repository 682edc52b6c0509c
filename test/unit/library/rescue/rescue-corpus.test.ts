import { describe, expect, it } from 'vitest';
import { RESCUE_FORMATS } from '../../../../src/library/rescue/formats/index';
import { rescueToolCalls } from '../../../../src/library/rescue/rescue-tool-calls';
import { CORPUS, kindsOf, toolsOf, toPlain } from './rescue-fixtures';
import type { CorpusCase } from './rescue-fixtures';

const OURS = new Set(RESCUE_FORMATS.map(({ id }) => id));
const POSITIVE = CORPUS.filter(({ format, expected }) => OURS.has(format) && expected.length > 0);
const CALL_FREE = CORPUS.filter(({ kind }) => kind === 'negative' || kind === 'truncated');

const rescue = (item: CorpusCase) => rescueToolCalls(item.text, toolsOf(item.tools));

const isFound = (item: CorpusCase): boolean =>
  JSON.stringify(rescue(item).calls.map(toPlain)) === JSON.stringify(item.expected.map(toPlain));

const missed = (items: readonly CorpusCase[]): string[] =>
  items.filter((item) => !isFound(item)).map(({ id }) => id);

describe('rescueToolCalls on the corpus', () => {
  it('sees the whole corpus', () => {
    expect(CORPUS).toHaveLength(350);
    expect(CALL_FREE.length).toBeGreaterThan(60);
  });

  it('makes no call of any reply that holds none, whatever the format', () => {
    const called = CALL_FREE.filter((item) => rescue(item).calls.length > 0).map(({ id }) => id);
    expect(called).toEqual([]);
  });

  it('makes no call beyond the expected ones of any format', () => {
    const surplus = CORPUS.filter(({ text, tools, expected }) => {
      const wanted = expected.map((call) => JSON.stringify(toPlain(call)));
      const found = rescueToolCalls(text, toolsOf(tools)).calls.map((call) => JSON.stringify(toPlain(call)));
      return found.some((call) => !wanted.includes(call));
    });
    expect(surplus.map(({ id }) => id)).toEqual([]);
  });

  it('finds every call of the well-formed replies of its formats', () => {
    const clean = POSITIVE.filter(({ kind }) => kind === 'clean' || kind === 'multi' || kind === 'mixed');
    expect(clean.length).toBeGreaterThan(20);
    expect(missed(clean)).toEqual([]);
  });

  it('finds the calls of at least 95 in 100 damaged replies of its formats', () => {
    const damaged = POSITIVE.filter(({ kind }) => kind === 'malformed');
    expect(damaged.length).toBeGreaterThan(40);
    expect(missed(damaged).length, missed(damaged).join(' ')).toBeLessThanOrEqual(damaged.length * 0.05);
  });

  it.each(POSITIVE.filter(isFound))('names the format of $id and reports its repairs', (item) => {
    const { calls } = rescue(item);
    for (const call of calls) expect([item.format, item.alt_format]).toContain(call.format);
    const repairs = calls.flatMap((call) => kindsOf(call.repairs));
    expect(repairs).toEqual(expect.arrayContaining(item.repairs ?? []));
  });

  const settled = CORPUS.filter(
    ({ format, expected }) => OURS.has(format) || (format === 'none' && expected.length === 0),
  );

  it.each(settled.filter(({ remaining }) => remaining !== undefined))('leaves the text of $id', (item) => {
    expect(rescue(item).content).toBe(item.remaining?.trim());
  });

  it.each(settled.filter(({ format, reject }) => OURS.has(format) && reject))(
    'says why $id was left',
    (item) => {
      expect(rescue(item).rejected.map(({ reason }) => reason)).toContain(item.reject);
    },
  );
});

describe('RESCUE_FORMATS', () => {
  it.each(RESCUE_FORMATS.map(({ id }) => ({ id })))('has cases of $id in the corpus', ({ id }) => {
    const cases = CORPUS.filter(({ format, alt_format: other }) => format === id || other === id);
    expect(cases.some(({ expected }) => expected.length > 0)).toBe(true);
  });

  it('has each id once', () => {
    expect(OURS.size).toBe(RESCUE_FORMATS.length);
  });

  it.each([...RESCUE_FORMATS])(
    'reaches $id by an opener or a first character',
    ({ openers, firstCharacters }) => {
      expect(openers.length + (firstCharacters ?? '').length).toBeGreaterThan(0);
      expect(openers).not.toContain('');
    },
  );
});
