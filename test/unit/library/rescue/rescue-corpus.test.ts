import { describe, expect, it } from 'vitest';
import { RESCUE_FORMATS } from '../../../../src/library/rescue/formats/index';
import { precisionOf, recallOf, scoreCase, tally } from '../../../support/scores/score-rescue';
import type { CaseScore } from '../../../support/scores/score-rescue';
import { CORPUS, kindsOf, OWN_CORPUS, toolsOf } from './rescue-fixtures';
import type { CorpusCase } from './rescue-fixtures';

type Score = CaseScore<CorpusCase>;

const SCORES: readonly Score[] = CORPUS.map((item) => scoreCase(item, toolsOf(item.tools)));

const idsOf = (scores: readonly Score[]): string[] => scores.map(({ item }) => item.id);
const ofKind = (...kinds: string[]): Score[] => SCORES.filter(({ item }) => kinds.includes(item.kind));
const inexact = (scores: readonly Score[]): string =>
  idsOf(scores.filter(({ isExact }) => !isExact)).join(' ');

describe('rescueToolCalls on the given corpus', () => {
  it('reads all of it', () => expect(SCORES).toHaveLength(350));

  it('finds no call in a reply that holds none', () => {
    const free = SCORES.filter(({ item }) => item.expected.length === 0);
    expect(free.length).toBeGreaterThan(60);
    expect(idsOf(free.filter(({ surplus }) => surplus > 0))).toEqual([]);
  });

  it('finds hardly any call that was not expected (precision of at least 99 %)', () => {
    expect(precisionOf(tally(SCORES)), inexact(SCORES)).toBeGreaterThanOrEqual(0.99);
  });

  it('finds every call of well-formed replies, one or several', () => {
    const clean = ofKind('clean', 'multi');
    expect(clean.length).toBeGreaterThan(50);
    expect(idsOf(clean.filter(({ isExact }) => !isExact))).toEqual([]);
  });

  it('finds at least 98 % of the calls in damaged replies', () => {
    const damaged = ofKind('malformed');
    expect(damaged.length).toBeGreaterThan(50);
    expect(recallOf(tally(damaged)), inexact(damaged)).toBeGreaterThanOrEqual(0.98);
  });

  it('names the right format for at least 97 % of the replies', () => {
    const calling = SCORES.filter(({ report }) => report.calls.length > 0);
    const misnamed = calling.filter(({ isNamed }) => !isNamed);
    expect(1 - misnamed.length / calling.length, idsOf(misnamed).join(' ')).toBeGreaterThanOrEqual(0.97);
  });

  it('leaves the rest of the text unchanged', () => {
    const stated = SCORES.filter(({ item }) => item.remaining !== undefined);
    expect(stated.length).toBeGreaterThan(20);
    const bad = stated.filter(({ item, report }) => report.content !== item.remaining?.trim());
    expect(idsOf(bad)).toEqual([]);
  });

  it('notes the repairs that it made', () => {
    const stated = SCORES.filter(({ item }) => (item.repairs ?? []).length > 0);
    expect(stated.length).toBeGreaterThan(50);
    const bad = stated.filter(({ item, report }) => {
      const made = report.calls.flatMap(({ repairs }) => kindsOf(repairs));
      return !(item.repairs ?? []).every((kind) => made.includes(kind));
    });
    expect(idsOf(bad)).toEqual([]);
  });

  it('reports why it rejected what looked like a call', () => {
    const stated = SCORES.filter(({ item }) => item.reject !== undefined);
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

  it('has cases of every format, which has an opener or a first character', () => {
    const known = new Set(cases.flatMap(({ format, alt_format: other }) => [format, other]));
    for (const { id, openers, firstCharacters } of RESCUE_FORMATS) {
      expect(known).toContain(id);
      expect(openers.length + (firstCharacters ?? '').length, id).toBeGreaterThan(0);
      expect(openers, id).not.toContain('');
    }
  });
});
