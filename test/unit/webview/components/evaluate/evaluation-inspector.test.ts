import { html } from 'lit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EvaluationSampleView, RunEntry } from '../../../../../src/protocol';
import { setPlace } from '../../../../../webview/actions/evaluate';
import type { Script } from '../../../../support/panel/scripted-evaluation';
import { scriptCase, scriptEvaluation, scriptSample } from '../../../../support/panel/scripted-evaluation';
import type { Drawn } from '../../draw';
import { buttonsIn, drawPart, findButton, press, textOf } from '../../draw';
import { CALL, toDocument, toLane, toOutcome, toReply } from '../../samples';
import { registerOnce } from '../../register-once';

beforeAll(registerOnce);

const CELL = { rowId: 'r2', laneId: 'a' };
const RUN: RunEntry = {
  kind: 'run',
  id: 's1',
  results: {},
  outcome: toOutcome('s1', toReply('Rain.', [CALL])),
};
const EXPECT = [{ name: 'asks for the right call', calls: [{ tool: 'get_weather' }] }];

function draw(script: Script = {}, repeat = 1, change: Partial<EvaluationSampleView> = {}): Promise<Drawn> {
  const { document } = toDocument([toLane('a')], {}, { expect: EXPECT });
  return drawPart(
    (playground) => html`<pg-evaluation-inspector .playground=${playground}></pg-evaluation-inspector>`,
    {
      evaluation: scriptEvaluation(script),
      document: { document },
      answers: {
        'evaluation/case': scriptCase(CELL),
        'evaluation/sample': { ...scriptSample({ ...CELL, repeat }, [RUN]), ...change },
      },
    },
  );
}

async function openSample(drawn: Drawn): Promise<void> {
  setPlace(drawn.playground, { cell: CELL, repeat: 1, isFirstTab: true });
  await drawn.settle();
  await drawn.settle();
}

describe('with nothing selected', () => {
  it('shows what waits and the newest failures while it runs', async () => {
    const drawn = await draw({ state: 'running' });
    expect(drawn.text()).toContain(
      'Under way 2 samples qwen3:8b sao-paulo, sample 5 waiting for headers 0:0',
    );
    expect(drawn.text()).toContain('gpt-4o-mini 429, Retry-After: 20');
    expect(drawn.text()).toContain('hermes-text · celsius');
    drawn.host.querySelectorAll<HTMLElement>('[role=option]')[1]?.click();
    expect(drawn.playground.state.evaluate).toMatchObject({ cell: { rowId: 'r2', laneId: 'a' }, repeat: 4 });
  });

  it('shows after a stop what was not run', async () => {
    const drawn = await draw({ state: 'stopped' });
    expect(drawn.text()).toMatch(/Not run \d+ of 600 samples/);
    expect(drawn.text()).toContain('none is sent twice');
  });

  it('lists the expectations, which open their editor', async () => {
    const drawn = await draw();
    findButton(drawn.host, 'asks for the right call').click();
    await drawn.settle();
    expect(drawn.playground.state.evaluate.expectation).toBe(0);
    expect(drawn.host.querySelector('pg-expectation-editor')).not.toBeNull();
  });
});

describe('a cell', () => {
  it('shows its samples, failing first, its variables and its calls', async () => {
    const drawn = await draw();
    setPlace(drawn.playground, { cell: CELL });
    await drawn.settle();
    await drawn.settle();
    expect(drawn.sent('evaluation/case')).toEqual([CELL]);
    expect(drawn.text()).toContain('6 of 10 passed 31 to 83 %; 9 of 10 required');
    expect(drawn.text()).toContain('city "Oslo"');
    const options = [...drawn.host.querySelectorAll('[role=option]')].map(textOf);
    expect(options).toHaveLength(10);
    expect(options[0]).toBe(
      'failed 1 unit is "Celsius"; expected "celsius". rescued · no token counts · 1 s'.replace(
        '". r',
        '".r',
      ),
    );
    expect(options[9]).toBe('passed 10 rescued · 77 tok · 1.9 s');
    expect(drawn.text()).toContain('agreement 60 %');
    expect(drawn.text()).toContain('2 no call');
  });

  it('opens the active sample by Enter', async () => {
    const drawn = await draw();
    setPlace(drawn.playground, { cell: CELL });
    await drawn.settle();
    await drawn.settle();
    const list = drawn.host.querySelector('[role=listbox]') ?? drawn.host;
    press(list, 'ArrowDown');
    expect(list.getAttribute('aria-activedescendant')).toBe('samples-of-case-1');
    press(list, 'Enter');
    expect(drawn.playground.state.evaluate.repeat).toBe(2);
  });
});

describe('a sample', () => {
  it('shows first what was expected and what came, with the difference marked', async () => {
    const drawn = await draw();
    await openSample(drawn);
    const [first, second, third] = [...drawn.host.querySelectorAll('.judged > li')];
    expect(textOf(first)).toContain('asks for the right call failed');
    expect(textOf(first?.querySelector('mark.want'))).toBe('"celsius"');
    expect(textOf(first?.querySelector('mark.got'))).toBe('"Celsius"');
    expect(textOf(second)).toContain('no verdict');
    expect(textOf(third)).toBe('in time passed 3.9 s; at most 20 s.');
    expect(textOf(drawn.host.querySelector('.sample-band'))).toBe(
      'Failed · 1 of 3 expectations rescued'.replace('s r', 'sr'),
    );
  });

  it('opens an expectation of the row alone where it is written', async () => {
    const drawn = await draw({}, 1, { ownExpect: { path: ['evaluate', 'rows', 2, '$expect'] } });
    await openSample(drawn);
    findButton(drawn.host, 'Edit expectation stays short').click();
    expect(drawn.sent('document/open-text')).toEqual([{ path: ['evaluate', 'rows', 2, '$expect', 0] }]);
    const inFile = await draw({}, 1, { ownExpect: { line: 4 } });
    await openSample(inFile);
    const [, second] = [...inFile.host.querySelectorAll('.judged > li')];
    expect(textOf(second)).toContain('it is in the rows file, line 4.');
    findButton(second ?? inFile.host, 'Open the rows file for stays short').click();
    expect(inFile.sent('document/open-text')).toEqual([{ line: 4, isInRows: true }]);
  });

  it('accepts the value, opens the diff, and edits only expectations of the document', async () => {
    const drawn = await draw();
    await openSample(drawn);
    const [first, second] = [...drawn.host.querySelectorAll('.judged > li')];
    findButton(first ?? drawn.host, 'Accept "Celsius" too').click();
    expect(drawn.sent('evaluation/accept')).toEqual([{ ...CELL, repeat: 1, expectation: 0 }]);
    await expect.poll(() => document.activeElement?.className).toBe('pane');
    findButton(first ?? drawn.host, 'Open diff of asks for the right call').click();
    expect(drawn.sent('evaluation/diff')).toEqual([{ ...CELL, repeat: 1, expectation: 0 }]);
    expect(buttonsIn(second ?? drawn.host)).toEqual(['Open diff of stays short']);
  });

  it('has the tabs of a run, drawn as the chat draws them', async () => {
    const drawn = await draw();
    await openSample(drawn);
    const tabs = [...drawn.host.querySelectorAll<HTMLElement>('[role=tab]')];
    expect(tabs.map(textOf)).toEqual([
      'Expectations3',
      'Reply',
      'Tool calls1',
      'Rescue',
      'Attempts1',
      'Wire',
    ]);
    tabs[1]?.click();
    await drawn.settle();
    expect(textOf(drawn.host.querySelector('.pane'))).toContain('RawAssistant');
    expect(drawn.text()).toContain('Rain.');
  });

  it('leads to the next sample by Alt and arrows, and back by Escape', async () => {
    const drawn = await draw();
    await openSample(drawn);
    expect(drawn.text()).toContain('Sample 1 of 10');
    press(window, 'ArrowDown', { altKey: true });
    expect(drawn.playground.state.evaluate.repeat).toBe(2);
    press(window, 'ArrowUp', { altKey: true });
    press(window, 'ArrowUp', { altKey: true });
    expect(drawn.playground.state.evaluate.repeat).toBe(1);
    press(drawn.host.querySelector('.pane') ?? drawn.host, 'Escape');
    expect(drawn.playground.state.evaluate).toMatchObject({ cell: CELL, repeat: undefined });
    press(drawn.host.querySelector('.pane') ?? drawn.host, 'Escape');
    expect(drawn.playground.state.evaluate.cell).toBeUndefined();
  });

  it('says that its reply is no longer stored, and offers no conversation', async () => {
    const error = {
      code: 'not-kept',
      title: 'No longer in the history',
      what: 'The reply of this sample is no longer stored.',
      why: 'The history is limited.',
      next: 'Raise the limits.',
    };
    const entries = [{ ...RUN, outcome: toOutcome('s1', undefined, { error }) }];
    const drawn = await draw({}, 1, { entries });
    await openSample(drawn);
    expect(drawn.text()).toContain(
      'The reply of this sample is no longer stored. The history is limited. Raise the limits.',
    );
    expect(buttonsIn(drawn.host)).not.toContain('Open in Chat');
  });

  it('becomes the conversation of its lane, and leads to one that passed', async () => {
    const drawn = await draw();
    await openSample(drawn);
    findButton(drawn.host, 'Open in Chat').click();
    expect(drawn.sent('evaluation/open-sample')).toEqual([{ ...CELL, repeat: 1 }]);
    await drawn.settle();
    expect(drawn.playground.state.view).toMatchObject({ view: 'chat', laneId: 'a' });
    findButton(drawn.host, 'Show sample 10, which passed').click();
    expect(drawn.playground.state.evaluate.repeat).toBe(10);
  });
});
