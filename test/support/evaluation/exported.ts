// An evaluation as it is exported, whose texts are all the given one.
import type { ExportedEvaluation } from '../../../src/inspect';
import { summarizeEvaluation } from '../../../src/inspect';
import type { JudgedSample } from '../../../src/types';
import { caseOf, laneOf } from './samples';

/** Two lanes and six rows of ten samples: the first lane passes everything, the second fails as its samples say. */
export function exportedOf(
  text: string,
  failures: (sample: JudgedSample) => Partial<JudgedSample> = () => ({ message: text }),
): ExportedEvaluation {
  const rows = [1, 2, 3, 4, 5, 6].map((index) => ({ id: `${index}`, name: `${text}${index}` }));
  const lanes = ['a', 'b'].map((id) => ({
    ...laneOf(id, { label: `${text}-${id}`, seed: 7 }),
    connection: text,
    model: text,
    settings: { raw: { [text]: text }, seed: 7, system: undefined },
  }));
  const samples = [
    ...rows.flatMap(({ id }) => caseOf('a', id, [10])),
    ...rows.flatMap(({ id }) => caseOf('b', id, id === '6' ? [0, 0, 10] : [3, 6, 1])),
  ].map((sample) => (sample.verdict === 'passed' ? sample : { ...sample, ...failures(sample) }));
  const plan = { rows, lanes, repeat: 10, gates: { case: 0.9, lane: 0.95 } };
  const baseline = rows.flatMap(({ id }) => [...caseOf('a', id, [1, 9]), ...caseOf('b', id, [10])]);
  return {
    title: text,
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1_190_000,
    stopped: text,
    mode: 'chat',
    repeat: 10,
    gates: plan.gates,
    referenceId: 'a',
    baselineAt: '2025-12-01T00:00:00.000Z',
    lanes,
    rows,
    summary: summarizeEvaluation({ ...plan, baseline }, samples, { isEnded: true }),
    samples,
  };
}
