import { describe, expect, it } from 'vitest';
import type { EvaluationPlan } from '../../../../src/protocol';
import type { Billing, LaneSummary } from '../../../../src/types';
import {
  describeMore,
  describePlan,
  describeRan,
  describeSpent,
} from '../../../../webview/evaluate/plan-words';
import { scriptEvaluation } from '../../../support/panel/scripted-evaluation';

const { lanes, plan } = scriptEvaluation();
const PLAN: EvaluationPlan = { ...(plan as EvaluationPlan), stored: 0 };

describe('describePlan', () => {
  it('says what is sent and what it costs, as far as anybody knows', () => {
    expect(describePlan(PLAN, lanes)).toEqual({
      title: '3 lanes × 20 rows × 10 = 600 requests',
      rest: 'about 410\u202f000 tokens in, 60\u202f000 out · about $0.27 for gpt-4o-mini, no rates for 2 lanes · about 20 min',
    });
  });

  it('says that what costs nothing costs nothing, if that is true of all lanes', () => {
    const free = Object.fromEntries(lanes.map(({ id }) => [id, 0]));
    expect(describePlan({ ...PLAN, costUsd: free }, lanes).rest).toContain(' · no cost · ');
    expect(describePlan({ ...PLAN, costUsd: { ...free, c: null } }, lanes).rest).toContain(
      'no rates for 1 lane',
    );
  });

  it('names no rates of lanes that use a quota, which have none', () => {
    const costUsd = { a: 0, b: 0, c: null };
    const ofQuota = lanes.map((lane) => ({ ...lane, billing: lane.id === 'c' ? 'quota' : 'free' }) as const);
    const { rest } = describePlan({ ...PLAN, costUsd, quotaRequests: 200 }, ofQuota);
    expect(rest).toContain("up to 200 requests of your quota of VS Code's models");
    expect(rest).not.toMatch(/rates|unknown|no cost/);
  });

  it('claims no product where rows have repeats of their own', () => {
    expect(describePlan({ ...PLAN, samples: 610, mostRequests: 610 }, lanes).title).toBe(
      '3 lanes × 20 rows: 610 requests',
    );
  });

  it('counts the repeats that were added with those of the file', () => {
    const more = { ...PLAN, addedRepeats: 5, samples: 900, stored: 600, mostRequests: 300 };
    const { title, rest } = describePlan(more, lanes);
    expect(title).toBe('3 lanes × 20 rows × 15 = 900 requests');
    expect(rest).toMatch(/^600 of them are there already · /);
  });

  it('gives an agent a range, and names what is stored already', () => {
    const { title, rest } = describePlan({ ...PLAN, mostRequests: 6000, stored: 388 }, lanes);
    expect(title).toBe('3 lanes × 20 rows × 10 = 600 to 6\u202f000 requests');
    expect(rest).toMatch(/^388 of them are there already · /);
  });

  it('leaves out what nobody can know', () => {
    const unknown = {
      rows: 1,
      repeats: 1,
      samples: 1,
      stored: 0,
      left: 1,
      mostRequests: 1,
      needsConfirmation: false,
    };
    const [lane] = lanes;
    expect(describePlan({ ...unknown, costUsd: {} }, lane ? [lane] : [])).toEqual({
      title: '1 lane × 1 row × 1 = 1 request',
      rest: 'cost of 1 lane unknown',
    });
  });
});

describe('describeRan', () => {
  const stored = { id: 'e', startedAt: 0, passed: 51, planned: 60 };

  it('says what a stored evaluation was, whatever the playground sends by now', () => {
    const extent = { lanes: ['one', 'other'], rows: 3, repeats: 10 };
    expect(describeRan({ ...stored, ...extent, failed: 5, notRun: 4 })).toBe(
      '2 lanes × 3 rows × 10 · 51 of 56 judged samples passed · 4 not run',
    );
    expect(describeRan({ ...stored, ...extent, failed: 9, notRun: 0 })).toBe(
      '2 lanes × 3 rows × 10 · 51 of 60 judged samples passed',
    );
  });

  it('claims no rate where nothing was expected, and nothing that an earlier version did not store', () => {
    expect(describeRan({ ...stored, passed: 0, lanes: ['one'], rows: 1, repeats: 60, notRun: 20 })).toBe(
      '1 lane × 1 row × 60 · 40 samples · 20 not run',
    );
    expect(describeRan({ ...stored, failed: 9 })).toBe('51 of 60 judged samples passed');
  });
});

describe('describeMore', () => {
  it('counts the samples of more repeats, and those of the cases that failed', () => {
    const evaluation = scriptEvaluation();
    expect(describeMore(evaluation, { more: 5 }).samples).toBe(300);
    const failed = evaluation.result?.summary.lanes.reduce((sum, { lostCases }) => sum + lostCases, 0) ?? 0;
    expect(failed).toBeGreaterThan(0);
    expect(describeMore(evaluation, { scope: 'failing' }).samples).toBe(failed * 10);
  });
});

describe('describeSpent', () => {
  const ran = (laneId: string, more: object = {}): LaneSummary =>
    ({ laneId, planned: 200, notRun: 0, tokens: { total: 233_060, samples: 200 }, ...more }) as LaneSummary;
  const spent = (ofLanes: LaneSummary[], costUsd = 0): string =>
    describeSpent({ durationMs: 60_000, tokens: 466_120, costUsd, summary: { lanes: ofLanes } }, lanes);
  const billed = (billing: Billing, ...ofLanes: LaneSummary[]): string => {
    const all = lanes.map((lane) => ({ ...lane, billing }));
    return describeSpent({ durationMs: 60_000, tokens: 1, costUsd: 0, summary: { lanes: ofLanes } }, all);
  };

  it('has the cost of the lanes with rates, and says of the others why there is none', () => {
    const rated = ran('c', { costUsd: { total: 0.27, samples: 200 } });
    expect(spent([rated], 0.27)).toBe('1 min · 466\u202f120 tokens · $0.27');
    expect(spent([ran('a'), ran('b'), rated], 0.27)).toBe(
      '1 min · 466\u202f120 tokens · $0.27, no rates for 2 lanes',
    );
    expect(spent([ran('c')])).toMatch(/ · cost of 1 lane unknown$/);
  });

  it('says what really happened instead of 0', () => {
    expect(billed('free', ran('a'), ran('b'))).toBe('1 min · 1 token · no cost');
    expect(billed('unknown', ran('a'), ran('b'))).toMatch(/ · no rates for 2 lanes$/);
    expect(billed('quota', ran('a'))).toMatch(/ · quota of VS Code's models used$/);
    const none = {
      durationMs: 60_000,
      tokens: 0,
      costUsd: 0,
      summary: { lanes: [ran('a', { tokens: undefined })] },
    };
    expect(describeSpent(none, lanes)).toBe('1 min · no token counts · no rates for 1 lane');
  });

  it('says nothing of lanes of which no sample ran', () => {
    const idle = { notRun: 200, tokens: undefined };
    expect(spent([ran('a'), ran('b', idle), ran('c', idle)])).toBe(
      '1 min · 466\u202f120 tokens · no rates for 1 lane',
    );
    expect(spent([ran('a'), ran('b', { tokens: undefined })])).toContain('tokens, no counts in 1 lane ·');
  });
});
