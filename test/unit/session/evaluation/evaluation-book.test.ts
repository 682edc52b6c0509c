import { describe, expect, it } from 'vitest';
import { EvaluationBook } from '../../../../src/session/evaluation/evaluation-book';
import { StoredSamples } from '../../../../src/session/evaluation/evaluation-store';
import type { SampleEntry } from '../../../../src/session/evaluation/sample-entry';
import { MemoryRunStore } from '../../../../src/session';

async function openBook(): Promise<EvaluationBook> {
  const journal = await new MemoryRunStore().open('samples');
  const head = { id: 'e', startedAt: 1, passed: 0, planned: 0, durationMs: 0, isEnded: true, more: {} };
  return EvaluationBook.open(head, new StoredSamples('e', journal, () => Promise.resolve(journal)));
}

const toEntry = (caseKey: string, repeat = 1): SampleEntry => ({
  key: `${caseKey}:${repeat}`,
  rowId: 'oslo',
  laneId: 'a',
  repeat,
  at: 1,
  runsIn: 'e',
  runIds: [],
  outcome: { reason: 'request', message: 'refused' },
});

describe('EvaluationBook', () => {
  it('is outdated when something else was sent for one of its samples than would be now', async () => {
    const book = await openBook();
    const first = new Map([['oslo\na', 'first']]);
    const second = new Map([['oslo\na', 'second']]);
    book.take(toEntry('first'));
    book.take(toEntry('first', 2));
    expect(book.isOutdated(first)).toBe(false);
    expect(book.isOutdated(second)).toBe(true);
    expect(book.isOutdated(new Map())).toBe(true);
    book.take(toEntry('second'));
    // One that was sent before a change of the document may end after it.
    expect(book.isOutdated(first)).toBe(true);
    book.take(toEntry('first'));
    expect(book.isOutdated(first)).toBe(false);
  });

  it('has no facts of a sample that was too long to be kept when its runs are gone', async () => {
    const book = await openBook();
    const facts = { calls: [], text: '', outcome: 'native', spent: {}, hasRates: false };
    const outcome = { facts, measures: { calls: 'get_weather {}' } } as unknown as SampleEntry['outcome'];
    const cut: SampleEntry = { ...toEntry('first'), outcome, isCut: true, runIds: ['gone'] };
    // Its calls were left out, so that it would fail as one without a call.
    expect((await book.whole(cut)).outcome).toEqual({
      reason: 'not-reported',
      message:
        'Its reply was too long to be kept with the evaluation, and is no longer in the history. Evaluate anew.',
    });
    expect(await book.whole({ ...cut, isCut: undefined })).toHaveProperty('outcome', outcome);
  });
});
