// The progress of an evaluation that goes on, with what had been done before. Pure.
import type { EvaluationProgress } from '../../protocol';
import type { SampleCounts } from '../../types';

/**
 * Counts the samples that were there before it went on, so that it says as many as the counts beside it.
 * @param counts Of the whole evaluation; undefined before the first judging.
 * @param most Number of samples under way that it lists.
 */
export function toWholeProgress(
  progress: EvaluationProgress,
  counts: Pick<SampleCounts, 'planned' | 'notRun'> | undefined,
  most: number,
): EvaluationProgress {
  const { done, planned, underWay } = progress;
  const judged = counts ? counts.planned - counts.notRun : done;
  return {
    ...progress,
    done: judged,
    planned: planned - done + judged,
    underWay: underWay.slice(0, most),
  };
}
