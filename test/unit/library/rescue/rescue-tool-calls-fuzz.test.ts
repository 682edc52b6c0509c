import { describe, expect, it } from 'vitest';
import { describeFailure, fuzzRescue } from '../../../fuzz/fuzz-rescue';
import { makeInput } from '../../../fuzz/make-input';
import { rescueToolCalls } from '../../../../src/library/rescue/rescue-tool-calls';
import { SEED } from './law-support';
import { runs } from '../../../support/arbitrary/properties';

const RUNS = runs(20_000);
/** Takes seconds, and many of them on a busy machine. */
const LIMIT = { timeout: 120_000 };

describe('rescueToolCalls and RescueScanner', () => {
  it(`keep their laws on ${RUNS} generated replies (seed ${SEED})`, LIMIT, () => {
    const failures = fuzzRescue({ seed: SEED * 1_000_000, runs: RUNS, most: 5 });
    expect(failures.map(describeFailure).join('\n')).toBe('');
  });

  it('find calls in some of the replies, so that the other test is meaningful', () => {
    const calling = Array.from({ length: 500 }, (_, run) => makeInput(SEED * 1_000_000 + run)).filter(
      ({ text, tools }) => rescueToolCalls(text, tools).calls.length > 0,
    );
    expect(calling.length).toBeGreaterThan(100);
  });
});
