// What a person is asked before an evaluation, as far as anybody knows.
import { describe, expect, it } from 'vitest';
import type { EvaluationPlan } from '../../../../src/protocol';
import { refuseUnconfirmed } from '../../../../src/session/evaluation/estimate';

const ask = (more: Pick<EvaluationPlan, 'costUsd'> & Partial<EvaluationPlan>, lanes = 2): string => {
  const plan = { rows: 1, repeats: 6, samples: 6, stored: 0, left: 6, mostRequests: 6 };
  return refuseUnconfirmed({ ...plan, needsConfirmation: true, ...more }, lanes).info.what;
};

describe('the question before an evaluation', () => {
  it('names what is known of the cost', () => {
    const about = 'It sends up to 6 requests and costs about 0.27 USD, as far as that is known.';
    expect(ask({ costUsd: { a: 0.27, b: null } })).toBe(about);
    expect(ask({ costUsd: { a: 0, b: 0 } })).toBe('It sends up to 6 requests, which cost nothing.');
  });

  it('says that a cost is not known, also beside a lane of which nothing is sent', () => {
    // Nothing is said of a lane whose replies may be of any length.
    for (const costUsd of [{ a: null }, { a: 0, b: null }, { a: 0 }])
      expect(ask({ costUsd })).toBe('It sends up to 6 requests. What they cost is not known.');
  });

  it('counts those that use up a quota', () => {
    expect(ask({ costUsd: { a: null }, quotaRequests: 4 })).toMatch(
      /not known\. Up to 4 of them count against your quota of VS Code's models\.$/,
    );
  });
});
