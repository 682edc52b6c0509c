import { html } from 'lit';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Script } from '../../../../support/panel/scripted-evaluation';
import { scriptEvaluation, scriptRows } from '../../../../support/panel/scripted-evaluation';
import type { Drawn } from '../../draw';
import { drawPart, press, textOf } from '../../draw';
import { registerOnce } from '../../register-once';
import { applySnapshot } from '../../../../../webview/state/session-state';

beforeAll(registerOnce);

function draw(script: Script = {}): Promise<Drawn> {
  return drawPart((playground) => html`<pg-evaluation-rows .playground=${playground}></pg-evaluation-rows>`, {
    evaluation: scriptEvaluation(script),
    answers: { 'evaluation/rows': scriptRows(script, { filter: 'all', from: 0, count: 120 }) },
  });
}

const table = ({ host }: Drawn): HTMLElement => {
  const found = host.querySelector<HTMLElement>('[role=grid]');
  if (!found) throw new Error('no table');
  return found;
};
const active = (drawn: Drawn): string | null => table(drawn).getAttribute('aria-activedescendant');

describe('EvaluationRows', () => {
  it('is a table by its roles, with a mark, a count and the outcomes in each cell', async () => {
    const drawn = await draw();
    expect(table(drawn).getAttribute('aria-rowcount')).toBe('21');
    expect([...table(drawn).querySelectorAll('[role=columnheader]')].map(textOf)).toEqual([
      'Row',
      'Expects',
      'hermes-text',
      'qwen3:8b',
      'gpt-4o-mini',
    ]);
    const [, , celsius] = table(drawn).querySelectorAll('tbody [role=row]');
    expect(textOf(celsius)).toContain('celsius get_weather');
    expect(textOf(celsius?.querySelector('[id="case-2-0"]'))).toBe(
      'gate not met6/106 rescued, 3 malformed, 1 none',
    );
  });

  it('asks for the rows in sight only, and draws few of 5,000', async () => {
    const drawn = await draw({ rows: 5000 });
    expect(drawn.sent('evaluation/rows')).toEqual([{ filter: 'all', from: 0, count: 120 }]);
    expect(table(drawn).getAttribute('aria-rowcount')).toBe('5001');
    expect(table(drawn).querySelectorAll('tbody [role=row]').length).toBeLessThan(100);
  });

  it('moves by cell, to the ends of the row and of the table', async () => {
    const drawn = await draw();
    const keys = (...names: [string, KeyboardEventInit?][]): void => {
      for (const [key, init] of names) press(table(drawn), key, init);
    };
    keys(['ArrowDown'], ['ArrowRight']);
    await drawn.settle();
    expect(active(drawn)).toBe('case-1-1');
    keys(['End']);
    await drawn.settle();
    expect(active(drawn)).toBe('case-1-2');
    keys(['End', { ctrlKey: true }], ['ArrowDown'], ['ArrowRight']);
    await drawn.settle();
    expect(active(drawn)).toBe('case-19-2');
    keys(['Home', { ctrlKey: true }], ['ArrowUp'], ['ArrowLeft']);
    await drawn.settle();
    expect(active(drawn)).toBe('case-0-0');
  });

  it('shows the samples of the active cell by Enter, and of another by a click', async () => {
    const drawn = await draw();
    press(table(drawn), 'ArrowDown');
    press(table(drawn), 'Enter');
    expect(drawn.playground.state.evaluate.cell).toEqual({ rowId: 'r1', laneId: 'a' });
    await drawn.settle();
    expect(table(drawn).querySelector('[aria-selected=true]')?.id).toBe('case-1-0');
    table(drawn).querySelector<HTMLElement>('[id="case-3-2"]')?.click();
    expect(drawn.playground.state.evaluate.cell).toEqual({ rowId: 'r3', laneId: 'c' });
  });

  it('goes to the cell that is selected elsewhere, wherever it is, and once', async () => {
    const view = scriptRows({ rows: 5000 }, { filter: 'all', from: 0, count: 120 });
    const drawn = await drawPart(
      (playground) => html`<pg-evaluation-rows .playground=${playground}></pg-evaluation-rows>`,
      {
        evaluation: scriptEvaluation({ rows: 5000 }),
        answers: { 'evaluation/rows': { ...view, found: 30 } },
      },
    );
    expect(active(drawn)).toBe('case-0-0');
    const cell = { rowId: 'r30', laneId: 'b' };
    drawn.playground.update((state) => ({ ...state, evaluate: { ...state.evaluate, cell } }));
    await drawn.settle();
    expect(drawn.sent('evaluation/rows').at(1)).toEqual({ filter: 'all', from: 0, count: 120, find: 'r30' });
    expect(active(drawn)).toBe('case-30-1');
    press(table(drawn), 'ArrowDown');
    await drawn.settle();
    expect(active(drawn)).toBe('case-31-1');
    expect(drawn.sent('evaluation/rows')).toHaveLength(2);
  });

  it('reads the rows again when the evaluation has changed, but not at once', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const drawn = await draw({ state: 'running' });
    expect(drawn.sent('evaluation/rows')).toHaveLength(1);
    for (const version of [2, 3, 4]) {
      drawn.playground.update((state) => ({
        ...state,
        session: applySnapshot(state.session, {
          lanes: [],
          evaluation: { ...scriptEvaluation({ state: 'running' }), version },
        }),
      }));
      await drawn.settle();
    }
    expect(drawn.sent('evaluation/rows')).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(250);
    expect(drawn.sent('evaluation/rows')).toHaveLength(2);
    expect(textOf(table(drawn))).toContain('oslo');
  });

  it.each([
    [{ passed: 8, failed: 12 }, 'was 8 of 20'],
    [{ passed: 12, failed: 8 }, ''],
    [{ passed: 8, failed: 2 }, 'was 8'],
  ])('says of a baseline with %o what the share was', async (before, words) => {
    const script: Script = { state: 'baseline' };
    const view = scriptRows(script, { filter: 'all', from: 0, count: 120 });
    const [, , row] = view.rows;
    const cell = row?.cells[0];
    if (cell) cell.before = before;
    const drawn = await drawPart(
      (playground) => html`<pg-evaluation-rows .playground=${playground}></pg-evaluation-rows>`,
      { evaluation: scriptEvaluation(script), answers: { 'evaluation/rows': view } },
    );
    // 6 of 10 passed.
    expect(textOf(table(drawn).querySelector('[id="case-2-0"] .was'))).toBe(words);
  });

  it('shows what changed beside a baseline', async () => {
    const drawn = await draw({ state: 'baseline' });
    expect(textOf(table(drawn).querySelector('[id="case-3-0"]'))).toBe('gate met9/10was 6fixed');
  });
});
