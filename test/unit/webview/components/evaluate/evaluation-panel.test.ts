import { html } from 'lit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EvaluationSnapshot, PlaygroundDocument } from '../../../../../src/protocol';
import type { Billing } from '../../../../../src/types';
import type { Script } from '../../../../support/panel/scripted-evaluation';
import { scriptEvaluation, scriptRows } from '../../../../support/panel/scripted-evaluation';
import type { Drawn } from '../../draw';
import { buttonsIn, drawPart, findButton, press, textOf } from '../../draw';
import {
  CALL,
  CONNECTION,
  ENVIRONMENT,
  HIDDEN,
  HOSTILE,
  toDocument,
  toLane,
  toOutcome,
  toReply,
} from '../../samples';
import { registerOnce } from '../../register-once';

beforeAll(registerOnce);

const EXPECT = [{ name: 'stays short', max: { completionTokens: 300 } }];

function draw(
  script: Script,
  change: Partial<EvaluationSnapshot> = {},
  expect_: object[] = EXPECT,
  messages: PlaygroundDocument['messages'] = [],
): Promise<Drawn> {
  const { document } = toDocument([toLane('a')], {}, { expect: expect_, messages });
  return drawPart((playground) => html`<pg-evaluation .playground=${playground}></pg-evaluation>`, {
    evaluation: { ...scriptEvaluation(script), ...change },
    document: { document, draft: 'Weather in {{city}}?' },
    answers: {
      'evaluation/choose-rows': { path: './data/cities.csv' },
      'evaluation/rows': scriptRows(script, { filter: 'all', from: 0, count: 120 }),
    },
  });
}

const planOf = ({ host }: Drawn): string => textOf(host.querySelector('.plan'));

describe('the line of cost', () => {
  it('says before the start what it would send and cost', async () => {
    const drawn = await draw({ state: 'before' });
    expect(planOf(drawn)).toContain('3 lanes × 20 rows × 10 = 600 requests');
    expect(planOf(drawn)).toContain('no rates for 2 lanes');
    expect(planOf(drawn)).toContain('Budget: not set');
  });

  it('says while it runs how far it is and how long it takes', async () => {
    const drawn = await draw({ state: 'running' });
    expect(planOf(drawn)).toMatch(/^\d+ of 600 .*passed.*failed.*about 17 min left/);
    const bar = drawn.host.querySelector('[role=progressbar]');
    expect(bar?.getAttribute('aria-valuemax')).toBe('600');
    expect(buttonsIn(drawn.host.querySelector('.plan') ?? drawn.host)).toEqual([]);
  });

  it('continues as the primary action after a stop', async () => {
    const drawn = await draw({ state: 'stopped' });
    expect(planOf(drawn)).toMatch(/^Stopped: \d+ of 600/);
    expect(planOf(drawn)).toContain('not run');
    const button = findButton(drawn.host, 'Continue');
    expect(button.getAttribute('appearance')).toBe('primary');
    button.click();
    await drawn.settle();
    // It was confirmed when it began.
    expect(drawn.sent('evaluation/start')).toEqual([{ isConfirmed: true }]);
    expect(drawn.host.querySelector('dialog')).toBeNull();
  });

  it('confirms a large start, also when it goes on with more samples than it began with', async () => {
    const stored = [{ id: 'e1', startedAt: 1, passed: 1, planned: 300 }];
    const drawn = await draw({ state: 'stopped' }, { stored });
    findButton(drawn.host, 'Continue').click();
    await drawn.settle();
    expect(textOf(drawn.host.querySelector('dialog'))).toContain('600 requests');
    findButton(drawn.host, 'Start').click();
    await drawn.settle();
    expect(drawn.sent('evaluation/start')).toEqual([{ isConfirmed: true }]);
    expect(drawn.host.querySelector('dialog')).toBeNull();
  });

  it('says of one that the playground no longer sends so what it was, and apart from that what would be sent now', async () => {
    const { result } = scriptEvaluation();
    if (!result) throw new Error('no result');
    const extent = { lanes: ['one', 'other'], rows: 3, repeats: 5, failed: 9, notRun: 0 };
    const stored = [{ id: result.id, startedAt: 1, passed: 21, planned: 30, ...extent }];
    const drawn = await draw({}, { result: { ...result, isOutdated: true }, stored });
    expect(planOf(drawn)).toMatch(
      /^Shown: .* 2 lanes × 3 rows × 5 · 21 of 30 judged samples passed · the playground has changed since Now: 3 lanes × 20 rows × 10 = 600 requests/,
    );
  });

  it('closes the question by Escape, which then stops nothing', async () => {
    const drawn = await draw({});
    findButton(drawn.host, '5 more repeats').click();
    await drawn.settle();
    const pressed = press(drawn.host.querySelector('dialog') ?? drawn.host, 'Escape');
    await drawn.settle();
    expect(drawn.host.querySelector('dialog')).toBeNull();
    expect(pressed.defaultPrevented).toBe(true);
    expect(drawn.sent('evaluation/start')).toEqual([]);
  });

  it('names the problems with their line, and opens it', async () => {
    const problems = [
      { message: 'Row 3 has no value for `city`.', line: 4, isInRows: true },
      { message: '`citty` is no variable of the rows.', line: 12 },
      { message: 'Nothing is sent from here.', isNote: true },
    ];
    const drawn = await draw({ state: 'before' }, { problems, plan: undefined });
    const list = textOf(drawn.host.querySelector('.problems'));
    expect(list).toContain('Rows file, line 4: Row 3 has no value for city.');
    expect(list).toContain('Line 12: citty is no variable of the rows.');
    // Only what is wrong is drawn as wrong.
    expect(drawn.host.querySelectorAll('.problems .s-error')).toHaveLength(2);
    expect(drawn.host.querySelectorAll('.problems .s-info')).toHaveLength(1);
    findButton(drawn.host, 'Open as Text').click();
    findButton(drawn.host, 'Open rows file').click();
    expect(drawn.sent('document/open-text')).toEqual([{ line: 12 }, { line: 4, isInRows: true }]);
  });

  it('shows by its counts, and by the parts of the bar of a lane, the rows with such samples', async () => {
    const drawn = await draw({});
    const asked = () => drawn.sent('evaluation/rows').at(-1);
    const click = (label: RegExp): void =>
      [...drawn.host.querySelectorAll('button')].find((each) => label.test(each.textContent.trim()))?.click();
    const pressed = () =>
      [...drawn.host.querySelectorAll('[aria-pressed=true]')].map((each) =>
        (each.getAttribute('aria-label') ?? textOf(each)).trim(),
      );
    const [bar] = drawn.host.querySelectorAll('.heads .stack');
    const part = [...(bar?.querySelectorAll<HTMLElement>('button') ?? [])].find((each) =>
      each.getAttribute('aria-label')?.startsWith('malformed'),
    );
    part?.click();
    await drawn.settle();
    expect(asked()).toMatchObject({ filter: 'all', part: { laneId: 'a', kind: 'malformed' } });
    expect(pressed()).toEqual([
      expect.stringMatching(/^malformed: \d+ of hermes-text$/),
      'hermes-text: malformed',
    ]);
    click(/ failed$/);
    await drawn.settle();
    expect(asked()).toMatchObject({ part: { kind: 'failed' } });
    click(/ failed$/);
    await drawn.settle();
    expect(asked()).not.toHaveProperty('part');
    part?.click();
    await drawn.settle();
    click(/^Flaky/);
    await drawn.settle();
    expect(drawn.playground.state.evaluate).toMatchObject({ filter: 'flaky', part: undefined });
  });

  it('has one tab stop for each bar, whose parts the arrow keys reach', async () => {
    const drawn = await draw({});
    const bar = drawn.host.querySelector('.heads .stack');
    const parts = [...(bar?.querySelectorAll<HTMLElement>('button') ?? [])];
    const stops = (): number[] => parts.flatMap(({ tabIndex }, index) => (tabIndex === 0 ? [index] : []));
    const pressed = (key: string): number => {
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      return parts.indexOf(document.activeElement as HTMLElement);
    };
    expect(parts.length).toBeGreaterThan(2);
    expect(stops()).toEqual([0]);
    parts[0]?.focus();
    expect(pressed('ArrowRight')).toBe(1);
    expect(pressed('End')).toBe(parts.length - 1);
    expect(pressed('ArrowRight')).toBe(parts.length - 1);
    expect(pressed('ArrowLeft')).toBe(parts.length - 2);
    expect(pressed('Home')).toBe(0);
    parts[1]?.click();
    await drawn.settle();
    expect(stops()).toEqual([1]);
  });

  it('exports, and compares with a stored evaluation', async () => {
    const drawn = await draw({});
    findButton(drawn.host, 'Baseline').click();
    await drawn.settle();
    drawn.host.querySelector<HTMLElement>('[role=menuitem]')?.click();
    expect(drawn.sent('evaluation/baseline')).toEqual([{ id: 'e0' }]);
    findButton(drawn.host, 'More actions').click();
    await drawn.settle();
    drawn.host.querySelector<HTMLElement>('[role=menuitem]')?.click();
    expect(drawn.sent('evaluation/export')).toEqual([{ form: 'markdown' }]);
  });
});

describe('the message', () => {
  it('is the first question, with what is not sent after it', async () => {
    const messages: PlaygroundDocument['messages'] = [
      { role: 'user', content: 'Weather in Oslo?' },
      { role: 'assistant', content: '4 °C' },
      { role: 'user', content: 'And in {{city}}?' },
      { role: 'user', content: 'Thanks' },
    ];
    const drawn = await draw({}, {}, EXPECT, messages);
    expect(textOf(drawn.host.querySelector('.ask'))).toContain(
      '1 later message is not sent: a sample ends with the answer to this one. And in {{city}}?',
    );
  });
});

describe('the lanes', () => {
  it('have no figures where no sample of them ran', async () => {
    const script = scriptEvaluation();
    const lanes = (script.result?.summary.lanes ?? []).map((lane, index) =>
      index === 1 ? { ...lane, passed: 0, failed: 0, noVerdict: 0, notRun: lane.planned } : lane,
    );
    const result = script.result && { ...script.result, summary: { ...script.result.summary, lanes } };
    const { host } = await draw({}, { result });
    const rows = [...host.querySelectorAll('.heads tbody tr')];
    expect([...(rows[1]?.querySelectorAll('td.r') ?? [])].map(textOf)).toEqual([
      'pass^3–',
      'Median time–',
      'Tokens–',
      'Cost–',
    ]);
    expect(textOf(rows[0]?.querySelector('td.r') ?? null)).toContain('50 %');
  });

  it('say of each why it has no cost', async () => {
    const drawn = await draw({});
    const costs = async (billing?: Billing): Promise<string[]> => {
      drawn.playground.update((state) => {
        const { evaluation } = state.session;
        const lanes = evaluation?.lanes.map((lane) => (billing ? { ...lane, billing } : lane)) ?? [];
        return {
          ...state,
          session: { ...state.session, evaluation: evaluation && { ...evaluation, lanes } },
        };
      });
      await drawn.settle();
      return [...drawn.host.querySelectorAll('.heads tbody td:last-child')].map(textOf);
    };
    expect(await costs()).toEqual([
      'Costnot knownno rates',
      'Costnot knownno rates',
      'Cost$0.27$0.0014 each',
    ]);
    expect((await costs('quota'))[0]).toBe("Costquotaof VS Code's models");
    expect((await costs('rates'))[0]).toBe('Costnot knownno token counts');
    expect((await costs('free'))[0]).toBe('Costno cost');
    const connections = [{ ...CONNECTION, scope: 'user' as const }];
    drawn.playground.update((state) => ({
      ...state,
      session: { ...state.session, environment: { ...ENVIRONMENT, connections } },
    }));
    expect((await costs('free'))[0]).toBe('Costno costown server');
  });

  it('have their rate, interval, powers, times, tokens and cost in a table', async () => {
    const { host } = await draw({});
    const rows = [...host.querySelectorAll('.heads tbody tr')].map(textOf);
    expect(rows).toHaveLength(3);
    expect(rows[0]).toContain('gate not met80 % 66 to 89 %');
    expect(rows[0]).toContain('50 %pass^5 32 %');
    expect(rows[0]).toContain('1.1 sp90 2 s');
    expect(rows[2]).toContain('$0.27$0.0014 each');
    const parts = [...host.querySelectorAll('.heads .stack:first-child button')].slice(0, 2);
    expect(parts.map((part) => part.getAttribute('aria-label'))).toEqual([
      'rescued: 159 of hermes-text',
      'malformed: 26 of hermes-text',
    ]);
  });

  it('claim no interval and no power while samples are missing', async () => {
    const { host } = await draw({ state: 'running' });
    const row = textOf(host.querySelector('.heads tbody tr'));
    expect(row).toContain('so far');
    expect(row).toContain('–');
    expect(host.querySelector('.whisk')).toBeNull();
    expect(textOf(host.querySelectorAll('.heads tbody tr')[2])).toContain('429, Retry-After: 20');
  });

  it('show the rate before beside a baseline', async () => {
    const { host } = await draw({ state: 'baseline' });
    expect(textOf(host.querySelector('.heads tbody tr'))).toContain('80 % before 60 %');
    expect(textOf(host.querySelector('.versus'))).toContain('a is 9 points better than before.');
    expect([...host.querySelectorAll('.chip')].map(textOf)).toEqual(
      expect.arrayContaining(['Fixed 8', 'Broken 0']),
    );
  });
});

describe('the sentences', () => {
  it('are bold where they name a lane or decide, with the test as a tooltip', async () => {
    const { host } = await draw({});
    const [first] = host.querySelectorAll('.versus li');
    expect([...(first?.querySelectorAll('b') ?? [])].map(textOf)).toEqual(['qwen3:8b', 'not decided']);
    expect(first?.getAttribute('title')).toContain('sign-flip');
  });

  it('are not made while it runs', async () => {
    const { host } = await draw({ state: 'running' });
    expect(textOf(host.querySelector('.versus'))).toMatch(/^The lanes are compared when the evaluation ends/);
  });

  it('choose another reference lane', async () => {
    const { host, settle, sent } = await draw({});
    findButton(host, 'Reference').click();
    await settle();
    [...host.querySelectorAll<HTMLElement>('[role=menuitem]')]
      .find((item) => textOf(item) === 'qwen3:8b')
      ?.click();
    expect(sent('evaluation/reference')).toEqual([{ laneId: 'b' }]);
  });

  it('have warnings whose cause one click shows or ends, all of them on demand', async () => {
    const { host, playground, sent, settle } = await draw({});
    expect(textOf(host.querySelector('.warns'))).toContain(
      'Information: gpt-4o-mini: 4 replies came from a cache',
    );
    findButton(host.querySelector('.warns') ?? host, 'Show samples').click();
    expect(playground.state.evaluate.cell).toEqual({ rowId: 'r0', laneId: 'a' });
    findButton(host, 'Vary the seed').click();
    expect(sent('document/edit')).toMatchObject([
      { edits: [{ path: ['evaluate', 'varySeed'], value: true }] },
    ]);
    findButton(host, '2 more').click();
    await settle();
    expect(host.querySelector('.warns.is-whole')).not.toBeNull();
  });
});

describe('the view before the first evaluation', () => {
  it('asks what is expected', async () => {
    const { host, settle, sent, playground } = await draw({ rows: 1, state: 'before' }, {}, []);
    const button = findButton(host.querySelector('.stage') ?? host, 'Add expectation');
    expect(button.getAttribute('appearance')).toBe('primary');
    button.click();
    await settle();
    expect(sent('document/edit')).toMatchObject([
      { edits: [{ path: ['expect'], value: [{ name: 'expectation 1', calls: [{ tool: 'get_weather' }] }] }] },
    ]);
    await settle();
    expect(playground.state.evaluate.expectation).toBe(0);
  });

  it('turns the last reply into an expectation', async () => {
    const outcome = toOutcome('r1', toReply('', [CALL]));
    const { host, sent } = await drawPart(
      (playground) => html`<pg-evaluation .playground=${playground}></pg-evaluation>`,
      {
        evaluation: scriptEvaluation({ rows: 1, state: 'before' }),
        lanes: { a: { entries: [{ kind: 'run', id: 'r1', results: {}, outcome }] } },
      },
    );
    expect(textOf(host.querySelector('.stage'))).toContain(
      'The last reply of hermes-text: get_weather {"city":"Oslo"}',
    );
    findButton(host, 'Expect this reply').click();
    expect(sent('evaluation/expect')).toEqual([{ laneId: 'a', runId: 'r1', what: 'call' }]);
  });

  it('asks for the path of a rows file and writes it into the document', async () => {
    const { host, settle, sent } = await draw({ rows: 1, state: 'before' }, {}, []);
    findButton(host, 'Use a rows file').click();
    await settle();
    expect(host.querySelector('dialog vscode-text-field')).toHaveProperty('value', './rows.csv');
    findButton(host, 'Choose rows file…').click();
    await settle();
    findButton(host, 'Use this file').click();
    await settle();
    expect(sent('document/edit')).toMatchObject([
      { edits: [{ path: ['evaluate', 'rows'], value: './data/cities.csv' }] },
    ]);
  });

  it('opens the example', async () => {
    const { host, sent } = await draw({ rows: 1, state: 'before' }, {}, []);
    findButton(host, 'Open an example').click();
    expect(sent('example/open')).toEqual([{ id: 'reliability' }]);
  });

  it('says what Evaluate will do once something is expected', async () => {
    const { host } = await draw({ state: 'before' });
    expect(textOf(host.querySelector('.stage'))).toContain('Evaluate sends 600 samples to 3 lanes');
  });
});

describe('texts of others', () => {
  it('are text, and bounded', async () => {
    const { lanes } = scriptEvaluation();
    const evil = lanes.map((lane) => ({ ...lane, label: `${HOSTILE}${HIDDEN}` }));
    const { host } = await draw({}, { lanes: evil });
    expect(host.querySelector('img')).toBeNull();
    expect(textOf(host.querySelector('.heads'))).toContain('<img');
    expect(textOf(host.querySelector('.ask'))).toContain('{{city}}');
    expect(textOf(host.querySelector('.ask var'))).toBe('{{city}}');
  });
});
