import { describe, expect, it } from 'vitest';
import type { EvaluationSnapshot } from '../../../../src/protocol';
import {
  confirmStart,
  escapeEvaluation,
  evaluateTimes,
  evaluationBlocker,
  isContinued,
  setPlace,
  startEvaluation,
} from '../../../../webview/actions/evaluate';
import { applySnapshot } from '../../../../webview/state/session-state';
import { scriptEvaluation } from '../../../support/panel/scripted-evaluation';
import { openPlayground } from '../draw';

/** A plan of which nothing is stored yet and that needs no confirmation. */
function small(change: Partial<EvaluationSnapshot> = {}): EvaluationSnapshot {
  const evaluation = scriptEvaluation({ rows: 1, state: 'before' });
  const plan = evaluation.plan && { ...evaluation.plan, needsConfirmation: false };
  return { ...evaluation, plan, ...change };
}

function open(evaluation: EvaluationSnapshot) {
  const { playground, frames } = openPlayground({ evaluation });
  const sent = (method: string): unknown[] =>
    frames.flatMap((frame) => (frame.kind === 'request' && frame.method === method ? [frame.params] : []));
  return { playground, sent };
}

describe('startEvaluation', () => {
  it('starts a small evaluation at once', async () => {
    const { playground, sent } = open(small());
    await startEvaluation(playground);
    expect(sent('evaluation/start')).toEqual([{}]);
  });

  it('asks before one that needs it, with the sentence of the plan, and then sends the confirmation', async () => {
    const { playground, sent } = open(scriptEvaluation({ state: 'before' }));
    await startEvaluation(playground);
    expect(sent('evaluation/start')).toEqual([]);
    const { question } = playground.state.evaluate;
    expect(question).toMatchObject({ kind: 'start', words: expect.stringContaining('= 600 requests') });
    await confirmStart(playground, {});
    expect(sent('evaluation/start')).toEqual([{ isConfirmed: true }]);
    expect(playground.state.evaluate.question).toBeUndefined();
  });

  it('asks before many more samples although the plan needs no confirmation', async () => {
    const evaluation = scriptEvaluation({ rows: 12 });
    const plan = evaluation.plan && { ...evaluation.plan, needsConfirmation: false };
    const { playground, sent } = open({ ...evaluation, plan });
    await startEvaluation(playground, { more: 1 });
    expect(sent('evaluation/start')).toEqual([{ more: 1 }]);
    await startEvaluation(playground, { more: 5 });
    expect(playground.state.evaluate.question).toMatchObject({ start: { more: 5 } });
  });

  it('asks before it sends again what is there already', async () => {
    const { playground, sent } = open(scriptEvaluation());
    await startEvaluation(playground);
    expect(playground.state.evaluate.question).toMatchObject({
      start: { isAnew: true },
      words: expect.stringMatching(/^All samples are there already.* = 600 requests/),
    });
    expect(sent('evaluation/start')).toEqual([]);
  });

  it('goes on with repeats that were added and stopped, although those of the document are there', async () => {
    const evaluation = scriptEvaluation({ state: 'stopped' });
    const { samples = 0 } = evaluation.plan ?? {};
    const plan = evaluation.plan && { ...evaluation.plan, stored: samples + 7, left: 23 };
    const { playground, sent } = open({ ...evaluation, plan });
    await startEvaluation(playground);
    expect(sent('evaluation/start')).toHaveLength(1);
    expect(sent('evaluation/start')).not.toMatchObject([{ isAnew: true }]);
  });

  it('says why nothing can start', async () => {
    const { playground, sent } = open(
      small({ plan: undefined, problems: [{ message: 'Row 2 has no city.' }] }),
    );
    await startEvaluation(playground);
    expect(sent('evaluation/start')).toEqual([]);
    expect(playground.state.notice).toBe('Row 2 has no city.');
  });
});

describe('evaluationBlocker', () => {
  it.each([
    ['An evaluation is under way.', scriptEvaluation({ state: 'running' })],
    ['The rows are being read.', small({ plan: undefined })],
  ])('is %s', (words, evaluation) => {
    expect(evaluationBlocker(open(evaluation).playground.state)).toMatch(words);
  });

  it('is none after a stop: the rest can be sent', () => {
    const evaluation = scriptEvaluation({ state: 'stopped' });
    expect(evaluationBlocker(open(evaluation).playground.state)).toBeUndefined();
    expect(isContinued(evaluation)).toBe(true);
    const { result } = evaluation;
    expect(isContinued({ ...evaluation, result: result && { ...result, isOutdated: true } })).toBe(false);
  });
});

describe('evaluateTimes', () => {
  it('waits for the plan of the new number before it starts', async () => {
    const { playground, sent } = open(small());
    const before = small();
    const plan = before.plan && { ...before.plan, repeats: 3 };
    const done = evaluateTimes(playground, 3);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(playground.state.view.view).toBe('evaluate');
    expect(sent('evaluation/start')).toEqual([]);
    playground.update((state) => ({
      ...state,
      session: applySnapshot(state.session, { lanes: [], evaluation: { ...before, version: 2, plan } }),
    }));
    await done;
    expect(sent('document/edit')).toMatchObject([
      { edits: [{ path: ['evaluate', 'repeat'], value: 3 }], isLast: true },
    ]);
    expect(sent('evaluation/start')).toEqual([{}]);
  });
});

describe('escapeEvaluation', () => {
  it('leads from the sample to the cell, to nothing selected, and then stops', () => {
    const { playground, sent } = open(scriptEvaluation({ state: 'running' }));
    setPlace(playground, { cell: { rowId: 'r0', laneId: 'a' }, repeat: 2, isFirstTab: false });
    escapeEvaluation(playground);
    expect(playground.state.evaluate).toMatchObject({
      cell: { rowId: 'r0' },
      repeat: undefined,
      isFirstTab: true,
    });
    escapeEvaluation(playground);
    expect(playground.state.evaluate.cell).toBeUndefined();
    expect(sent('evaluation/stop')).toEqual([]);
    escapeEvaluation(playground);
    expect(sent('evaluation/stop')).toEqual([{}]);
  });
});
