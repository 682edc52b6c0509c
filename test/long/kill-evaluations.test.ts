// Evaluations whose processes are killed at 30 random moments.
import { expect, it } from 'vitest';
import { killEvaluations } from '../support/evaluation/kill-evaluations';

it('sends no stored sample again and loses none of 30 killed processes', { timeout: 600_000 }, async () => {
  const seed = Date.now() % 1_000_000;
  const { sentAgain, ends } = await killEvaluations(30, seed);
  expect.soft(sentAgain, `seed ${seed}`).toEqual([]);
  for (const end of ends) expect.soft(end, `seed ${seed}`).toEqual({ passed: 60, lost: [] });
});
