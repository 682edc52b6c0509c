import { html } from 'lit';
import { beforeAll, describe, expect, it } from 'vitest';
import { EVALUATE_VIEW } from '../../../../webview/views/evaluate-view';
import { scriptEvaluation, scriptRows } from '../../../support/panel/scripted-evaluation';
import type { Drawn } from '../draw';
import { drawPart, findButton, press, textOf } from '../draw';
import { toDocument, toLane, toPanel } from '../samples';
import { registerOnce } from '../register-once';

beforeAll(registerOnce);

const app = (state: 'before' | 'running' | 'done' | 'stopped', rows?: string): Promise<Drawn> => {
  const evaluate = {
    mode: 'chat' as const,
    repeat: 10,
    varySeed: false,
    pass: { case: 1 },
    ...(rows && { rows }),
  };
  const { document } = toDocument([toLane('a')], {}, { evaluate, expect: [{ calls: [] }] });
  return drawPart((playground) => html`<pg-app .playground=${playground}></pg-app>`, {
    view: { view: 'evaluate' },
    document: { document, draft: 'Weather in {{city}}?' },
    evaluation: scriptEvaluation({ state }),
    answers: { 'evaluation/rows': scriptRows({ state }, { filter: 'all', from: 0, count: 120 }) },
  });
};
const bar = ({ host }: Drawn): Element => host.querySelector('.bar') ?? host;

describe('the bar of the view Evaluate', () => {
  it('stops what is under way, and cannot start beside it', async () => {
    const drawn = await app('running');
    expect(
      findButton(drawn.host.querySelector('.run') ?? drawn.host, 'Evaluate').hasAttribute('disabled'),
    ).toBe(true);
    findButton(bar(drawn), 'Stop').click();
    expect(drawn.sent('evaluation/stop')).toEqual([{}]);
  });

  it('starts by Ctrl+Enter, and stops by Escape', async () => {
    const before = await app('before');
    press(window, 'Enter', { ctrlKey: true });
    await before.settle();
    expect(before.playground.state.evaluate.question?.kind).toBe('start');
  });

  it('sets how often each row is sent; once is the default, which is left out', async () => {
    const drawn = await app('before');
    for (const label of ['×1', '×20']) {
      findButton(bar(drawn), 'Repeat ×10').click();
      await drawn.settle();
      [...bar(drawn).querySelectorAll<HTMLElement>('[role=menuitem]')]
        .find((item) => textOf(item) === label)
        ?.click();
    }
    expect(drawn.sent('document/edit')).toMatchObject([
      { edits: [{ path: ['evaluate', 'repeat'] }] },
      { edits: [{ path: ['evaluate', 'repeat'], value: 20 }] },
    ]);
  });

  it('adds a row with the variables of the message, unless rows come from a file', async () => {
    const drawn = await app('before');
    findButton(bar(drawn), 'Add row').click();
    await drawn.settle();
    expect(drawn.sent('document/edit')).toEqual([
      { edits: [{ path: ['evaluate', 'rows'], value: [{ $name: 'row 1', city: '', unit: '' }] }] },
    ]);
    const other = await app('before', './cities.csv');
    expect(findButton(bar(other), 'Add row').title).toBe('The rows are in ./cities.csv: add a line there.');
  });

  it('leaves the primary action to Continue after a stop', async () => {
    const drawn = await app('stopped');
    expect(
      findButton(drawn.host.querySelector('.run') ?? drawn.host, 'Evaluate').getAttribute('appearance'),
    ).toBe('secondary');
  });
});

describe('what is announced', () => {
  it('is progress at most every ten seconds, and then the result', () => {
    const at = (now: number, done: number): string => {
      const { progress, ...evaluation } = scriptEvaluation({ state: 'running' });
      const state = toPanel(
        { a: {} },
        { now, evaluation: { ...evaluation, progress: progress && { ...progress, done } } },
      );
      return EVALUATE_VIEW.announce(state).join();
    };
    expect(at(1000, 1)).toBe('1 of 600 samples.');
    expect(at(5000, 2)).toBe('1 of 600 samples.');
    expect(at(11_000, 3)).toBe('3 of 600 samples.');
    const { passed = 0, failed = 0 } = scriptEvaluation().result?.summary ?? {};
    expect(EVALUATE_VIEW.announce(toPanel({ a: {} }, { evaluation: scriptEvaluation() }))).toEqual([
      `${passed} samples passed, ${failed} failed, 0 have no verdict.`,
    ]);
  });
});
