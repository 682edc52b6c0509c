import { describe, expect, it } from 'vitest';
import { precisionOf, recallOf, scoreCase, tally } from '../../../support/scores/score-rescue';
import { PROGRAMMERS_PROSE, toolsOf } from './rescue-fixtures';

const SCORES = PROGRAMMERS_PROSE.map((item) => scoreCase(item, toolsOf(item.tools)));

describe('rescueToolCalls on the prose of programmers', () => {
  it('finds no call in prompts, signatures, chats, diffs, stack traces, documents and settings', () => {
    const free = SCORES.filter(({ item }) => item.expected.length === 0);
    expect(free.length).toBeGreaterThan(90);
    expect(free.filter(({ surplus }) => surplus > 0).map(({ item }) => item.text)).toEqual([]);
    expect(precisionOf(tally(SCORES))).toBe(1);
  });

  it('finds the calls after sentences that begin like code', () => {
    expect(SCORES.filter(({ isExact }) => !isExact).map(({ item }) => item.text)).toEqual([]);
    expect(recallOf(tally(SCORES))).toBe(1);
  });

  it('keeps the whole of a document that the user asked for', () => {
    const stated = SCORES.filter(({ item }) => item.remaining !== undefined);
    expect(stated.length).toBeGreaterThan(1);
    for (const { item, report } of stated) expect(report.content).toBe(item.remaining);
  });
});
