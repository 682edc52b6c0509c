// What one key of an expectation came to.
import type { ExpectationVerdict, JudgedExpectation } from '../../types';

export interface Judgement extends Pick<
  JudgedExpectation,
  'message' | 'expected' | 'actual' | 'accept' | 'departure'
> {
  verdict: ExpectationVerdict;
  details: readonly string[];
}

type Shown = Pick<Judgement, 'expected' | 'actual'> &
  Partial<Pick<Judgement, 'details' | 'accept' | 'departure'>>;

const judged =
  (verdict: ExpectationVerdict) =>
  (message: string, shown: Shown): Judgement => ({ verdict, message, details: [], ...shown });

export const passed = judged('passed');
export const failed = judged('failed');
/** Nobody can tell whether it holds. */
export const unjudged = judged('no-verdict');
