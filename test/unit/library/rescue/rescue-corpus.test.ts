import { describe, expect, it } from 'vitest';
import { RESCUE_FORMATS } from '../../../../src/library/rescue/formats/index';
import { precisionOf, recallOf, scoreCase, tally } from '../../../support/score-rescue';
import type { CaseScore } from '../../../support/score-rescue';
import { CORPUS, kindsOf, OWN_CORPUS, toolsOf } from './rescue-fixtures';
import type { CorpusCase } from './rescue-fixtures';

type Score = CaseScore<CorpusCase>;

const scoreAll = (cases: readonly CorpusCase[]): Score[] =>
  cases.map((item) => scoreCase(item, toolsOf(item.tools)));

const idsOf = (scores: readonly Score[]): string[] => scores.map(({ item }) => item.id);
const ofKind = (scores: readonly Score[], ...kinds: string[]): Score[] =>
  scores.filter(({ item }) => kinds.includes(item.kind));
const inexact = (scores: readonly Score[]): string =>
  idsOf(scores.filter(({ isExact }) => !isExact)).join(' ');

const GIVEN = scoreAll(CORPUS);
const OWN = scoreAll(OWN_CORPUS);

it('reads the whole given corpus, and one of our own', () => {
  expect(GIVEN).toHaveLength(350);
  expect(OWN.length).toBeGreaterThan(300);
});

describe.each([
  { corpus: 'the given corpus', scores: GIVEN },
  { corpus: 'our own corpus', scores: OWN },
])('rescueToolCalls on $corpus', ({ scores }) => {
  it('finds no call in a reply without calls', () => {
    const free = scores.filter(({ item }) => item.expected.length === 0);
    expect(free.length).toBeGreaterThan(60);
    expect(idsOf(free.filter(({ surplus }) => surplus > 0))).toEqual([]);
  });

  it('finds hardly any unexpected call (precision of at least 99 %)', () => {
    expect(precisionOf(tally(scores)), inexact(scores)).toBeGreaterThanOrEqual(0.99);
  });

  it('finds every call of well-formed replies, one or several', () => {
    const clean = ofKind(scores, 'clean', 'multi');
    expect(clean.length).toBeGreaterThan(50);
    expect(idsOf(clean.filter(({ isExact }) => !isExact))).toEqual([]);
  });

  it('finds at least 98 % of the calls in damaged replies', () => {
    const damaged = ofKind(scores, 'malformed');
    expect(damaged.length).toBeGreaterThan(50);
    expect(recallOf(tally(damaged)), inexact(damaged)).toBeGreaterThanOrEqual(0.98);
  });

  it('names the right format for at least 97 % of the replies', () => {
    const calling = scores.filter(({ report }) => report.calls.length > 0);
    const misnamed = calling.filter(({ isNamed }) => !isNamed);
    expect(1 - misnamed.length / calling.length, idsOf(misnamed).join(' ')).toBeGreaterThanOrEqual(0.97);
  });

  it('leaves the rest of the text unchanged', () => {
    const stated = scores.filter(({ item }) => item.remaining !== undefined);
    expect(stated.length).toBeGreaterThan(20);
    const bad = stated.filter(({ item, report }) => report.content !== item.remaining?.trim());
    expect(idsOf(bad)).toEqual([]);
  });

  it('notes the repairs that it made', () => {
    const stated = scores.filter(({ item }) => (item.repairs ?? []).length > 0);
    expect(stated.length).toBeGreaterThan(50);
    const bad = stated.filter(({ item, report }) => {
      const made = report.calls.flatMap(({ repairs }) => kindsOf(repairs));
      return !(item.repairs ?? []).every((kind) => made.includes(kind));
    });
    expect(idsOf(bad)).toEqual([]);
  });

  it('reports why it rejected what looked like a call', () => {
    const stated = scores.filter(({ item }) => item.reject !== undefined);
    expect(stated.length).toBeGreaterThan(20);
    const bad = stated.filter(
      ({ item, report }) => !report.rejected.some(({ reason }) => reason === item.reject),
    );
    expect(idsOf(bad)).toEqual([]);
  });
});

describe('RESCUE_FORMATS', () => {
  const ids = new Set(RESCUE_FORMATS.map(({ id }) => id));
  const cases = [...CORPUS, ...OWN_CORPUS].filter(({ expected }) => expected.length > 0);

  it('has every format that the corpus names', () => {
    const named = new Set(cases.map(({ format }) => format));
    expect([...named].filter((id) => id !== 'none' && id !== 'mixed' && !ids.has(id))).toEqual([]);
  });

  it('has unique ids', () => {
    expect(ids.size).toBe(RESCUE_FORMATS.length);
  });

  it.each(RESCUE_FORMATS.map(({ id }) => ({ id })))('has cases of $id', ({ id }) => {
    expect(cases.some(({ format, alt_format: other }) => format === id || other === id)).toBe(true);
  });

  it.each([...RESCUE_FORMATS])(
    'has an opener or a first character for $id',
    ({ openers, firstCharacters }) => {
      expect(openers.length + (firstCharacters ?? '').length).toBeGreaterThan(0);
      expect(openers).not.toContain('');
    },
  );
});
