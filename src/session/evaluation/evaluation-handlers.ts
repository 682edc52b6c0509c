// Handles a front end's requests about evaluations. Requests that need the editor are handled by the front end itself.
import type { RequestHandlers } from '../../protocol';
import type { Evaluation } from './evaluation';

/**
 * @param open Gives the evaluations of the session.
 * @param command Runs what changes them, one after the other.
 */
export function createEvaluationHandlers(
  open: () => Promise<Evaluation>,
  command: <T>(work: (evaluation: Evaluation) => Promise<T>) => Promise<T>,
) {
  const change = (work: (evaluation: Evaluation) => Promise<void> | void): Promise<null> =>
    command(async (evaluation) => {
      await work(evaluation);
      return null;
    });
  return {
    'evaluation/start': (options) => change((evaluation) => evaluation.start(options)),
    'evaluation/stop': async () => {
      (await open()).stop();
      // Stops now, and once more after the commands that are still queued: they may start one.
      return change((evaluation) => evaluation.stop());
    },
    'evaluation/rows': async (wanted) => (await open()).views.rows(wanted),
    'evaluation/case': async (place) => (await open()).views.case(place),
    'evaluation/sample': async (place) => (await open()).views.sample(place),
    'evaluation/accept': ({ expectation, ...place }) =>
      change((evaluation) => evaluation.accept(place, expectation)),
    'evaluation/open-sample': (place) => change((evaluation) => evaluation.openSample(place)),
    'evaluation/expect': ({ laneId, runId, ...wanted }) =>
      change((evaluation) => evaluation.expect({ laneId, runId }, wanted)),
    'evaluation/baseline': ({ id }) => change((evaluation) => evaluation.setBaseline(id)),
    'evaluation/show': ({ id, baselineId }) => change((evaluation) => evaluation.show(id, baselineId)),
    'evaluation/reference': ({ laneId }) => change((evaluation) => evaluation.setReference(laneId)),
    'evaluation/choose-row': ({ rowId }) => change((evaluation) => evaluation.chooseRow(rowId)),
  } satisfies Partial<RequestHandlers>;
}
