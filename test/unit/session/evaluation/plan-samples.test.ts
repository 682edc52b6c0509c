import { describe, expect, it } from 'vitest';
import { readBatch } from '../../../../src/session/evaluation/batch';
import { EvaluationBook } from '../../../../src/session/evaluation/evaluation-book';
import { StoredSamples } from '../../../../src/session/evaluation/evaluation-store';
import type { PlanSource, StartOptions } from '../../../../src/session/evaluation/plan-samples';
import { countPlanned, planSamples } from '../../../../src/session/evaluation/plan-samples';
import { caseOf, computeCaseKeys, sampleKey } from '../../../../src/session/evaluation/setting';
import { MemoryRunStore } from '../../../../src/session';
import { CONNECTION, NO_ROWS, scriptedServices } from '../../../support/session/scripted-session';

/** Two lanes and three rows, one of which has repeats of its own. Some samples are there: one failed on its way, one was beyond the plan. */
async function openSource(isChanged: boolean): Promise<Omit<PlanSource, 'options'>> {
  const { tools, clock } = scriptedServices({}).services;
  const text = JSON.stringify({
    messages: [{ role: 'user', content: 'weather in {{city}}' }],
    lanes: [{ id: 'a' }, { id: 'b' }],
    evaluate: {
      repeat: 3,
      rows: [
        { $id: 'x', city: 'Oslo' },
        { $id: 'y', city: 'Bergen', $repeat: 5 },
        { $id: 'z', city: 'Rome' },
      ],
    },
  });
  const source = { path: 'p', text, tools, rowsFile: NO_ROWS, clock, connections: [CONNECTION], choice: {} };
  const { batch, problems } = await readBatch(source);
  if (!batch) throw new Error(JSON.stringify(problems));
  const { setting } = batch;
  const keys = await computeCaseKeys(setting);
  const journal = await new MemoryRunStore().open('samples');
  const more = { '': 1, [caseOf('z', 'b')]: 2 };
  const head = { id: 'e', startedAt: 1, passed: 0, planned: 0, durationMs: 0, isEnded: true, more };
  const book = await EvaluationBook.open(
    head,
    new StoredSamples('e', journal, () => Promise.resolve(journal)),
  );
  const take = (rowId: string, laneId: string, repeat: number, reason = 'request'): void =>
    book.take({
      key: sampleKey(isChanged && rowId === 'y' ? 'old' : (keys.get(caseOf(rowId, laneId)) ?? ''), repeat),
      rowId,
      laneId,
      repeat,
      at: repeat,
      runsIn: 'e',
      runIds: [],
      outcome: { reason: reason as 'request', message: 'refused' },
    });
  for (const repeat of [1, 2, 3, 4]) take('x', 'a', repeat);
  for (const repeat of [1, 2, 9]) take('y', 'a', repeat);
  take('y', 'b', 1);
  take('z', 'b', 1, 'infrastructure');
  return { setting, keys, book };
}

const OPTIONS: readonly StartOptions[] = [
  {},
  { isAnew: true },
  { more: 2 },
  { repeats: 1 },
  { isWanted: (rowId, laneId) => rowId === 'y' && laneId === 'a' },
  { isWanted: () => false },
];

describe('countPlanned', () => {
  for (const isChanged of [false, true])
    it(`counts what planSamples lists, ${isChanged ? 'also after a change of what is sent' : 'whatever is asked for'}`, async () => {
      const source = await openSource(isChanged);
      for (const options of OPTIONS) {
        const { todo, kept, isNew } = planSamples({ ...source, options });
        const counts = new Map<string, number>();
        for (const { lane } of todo) counts.set(lane.config.id, (counts.get(lane.config.id) ?? 0) + 1);
        const counted = countPlanned({ ...source, options });
        expect(Object.fromEntries(counted.todo)).toEqual(Object.fromEntries(counts));
        expect(counted.kept).toEqual(kept);
        expect(isNew).toBe(isChanged || options.isAnew === true);
      }
      // Lane a has 4 + 6 + 4 samples planned: of the first row all are there, of the second two.
      const { todo } = countPlanned({ ...source, options: {} });
      expect(todo.get('a')).toBe(isChanged ? 3 + 5 + 3 - 3 : 8);
    });
});
