import { html } from 'lit';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Drawn, DrawOptions } from '../../draw';
import { drawPart, findButton, nextFrames, press, textOf } from '../../draw';
import type { LaneSample } from '../../samples';
import {
  ATTEMPT,
  CALL,
  rejectionAt,
  rescuedCallAt,
  toLiveReply,
  toMessage,
  toOutcome,
  toProgress,
  toReplied,
  toReply,
  toRun,
  toRunState,
} from '../../samples';
import { registerOnce } from '../../register-once';
import { RUN_TABS } from '../../../../../webview/components/inspector/run-tabs';

beforeAll(registerOnce);

const draw = (
  lanes: Record<string, LaneSample>,
  view: DrawOptions['view'] = {},
  options: DrawOptions = {},
): Promise<Drawn> =>
  drawPart((playground) => html`<pg-inspector .playground=${playground}></pg-inspector>`, {
    lanes,
    view,
    ...options,
  });
const crumb = ({ host }: Drawn): string => textOf(host.querySelector('.crumb'));

describe('Inspector', () => {
  it('distinguishes replies to the same message', async () => {
    const entries = [
      toMessage('u1'),
      toReplied('r1', toReply('', [CALL])),
      toReplied('r2', toReply('Yes.')),
      toMessage('u2', 'How cold?'),
      toReplied('r3', toReply('Very.')),
    ];
    const of = async (runId: string): Promise<string | undefined> =>
      (await draw({ a: { entries } }, { selection: { laneId: 'a', runId } })).host.querySelector('.crumb b')
        ?.textContent;
    expect(await Promise.all(['r1', 'r2', 'r3'].map(of))).toEqual([
      'Reply to message 1',
      'Reply 2 to message 1',
      'Reply to message 2',
    ]);
  });

  it('shows the latest run of the current lane, or the selection in any lane', async () => {
    const lane = { entries: [toMessage('u'), toReplied('r1', toReply('x'))] };
    const other = { entries: [toMessage('u'), toReplied('r2', toReply('', [CALL]))] };
    expect(crumb(await draw({ a: lane, b: other }))).toContain('Lane 1');
    expect(crumb(await draw({ a: lane, b: other }, { laneId: 'b' }))).toContain('Lane 2');
    const selection = { laneId: 'b', runId: 'r2', callIndex: 0 };
    expect(crumb(await draw({ a: lane, b: other }, { selection }))).toMatch(
      /Lane 2 first-look get_weather|Lane 2first-lookget_weather/,
    );
  });

  it('says in every tab that the reply is no longer in the history', async () => {
    const error = {
      code: 'not-kept',
      title: 'No longer in the history',
      what: 'The reply of this run is no longer stored.',
      why: 'The history is limited.',
      next: 'Raise the limits.',
    };
    const run = toRun('r1', { ...toOutcome('r1', undefined), error, ledger: [] });
    for (const { id } of RUN_TABS) {
      const drawn = await draw({ a: { entries: [run] } }, { tab: id });
      expect(textOf(drawn.host.querySelector('.pane'))).toBe(
        'No longer in the history The reply of this run is no longer stored. The history is limited. Raise the limits. Open settings',
      );
      findButton(drawn.host, 'Open settings').click();
      expect(drawn.sent('settings/open')).toHaveLength(1);
    }
  });

  it('does not count an attempt that has not begun', async () => {
    const progress = toProgress('r1', { phase: 'waiting-to-retry', attempt: 2, ledger: [ATTEMPT] });
    const { host } = await draw({ a: { entries: [toRun('r1')], run: toRunState('r1'), progress } });
    expect(host.querySelector('#tab-attempts .count')?.textContent).toBe('1');
    expect(textOf([...host.querySelectorAll('.kv dd')].at(-1))).toBe('1');
  });

  it('counts the elapsed part of a running wait, and gives its reason', async () => {
    const failed = { ...ATTEMPT, startedAt: 0, headersMs: 100, endMs: 100, status: 429, delayMs: 60_000 };
    const ledger = [{ ...failed, decision: 'retry' as const, reason: '429 is retried.' }];
    const progress = toProgress('r1', { phase: 'waiting-to-retry', attempt: 2, since: 100, ledger });
    const lane = { entries: [toRun('r1')], run: toRunState('r1'), progress };
    const { text } = await draw({ a: lane }, { tab: 'attempts' }, { now: 2_100 });
    expect(text()).toContain('1 attempt in 2.1 s 2 s of it waiting');
    expect(text()).toContain('Why it continued');
  });

  it('moves between the tabs with arrow keys; only one of them is in the tab order', async () => {
    const { host, playground, settle } = await draw({ a: {} });
    const tabs = [...host.querySelectorAll<HTMLElement>('.side-tabs [role=tab]')];
    expect(tabs.map(textOf)).toEqual(['Reply', 'Tool calls', 'Rescue', 'Attempts', 'Wire']);
    expect(tabs.map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1, -1, -1]);
    if (tabs[0]) press(tabs[0], 'End');
    expect(playground.state.view.tab).toBe('wire');
    await settle();
    if (tabs[4]) press(tabs[4], 'ArrowRight');
    expect(playground.state.view.tab).toBe('reply');
  });

  it('does not say that the run gave up, where it was stopped during a wait', async () => {
    const ledger = [{ ...ATTEMPT, status: 429, decision: 'stop' as const, reason: 'It was stopped.' }];
    const outcome = toOutcome('r1', undefined, { verdict: { kind: 'stopped', detail: 'by you' }, ledger });
    const { host } = await draw({ a: { entries: [toRun('r1', outcome)] } }, { tab: 'attempts' });
    expect(textOf(host.querySelector('svg.plot'))).toContain('no further attempt');
  });

  it('opens the tab of a finding and focuses it', async () => {
    const findings = [{ severity: 'info' as const, what: 'Twice 429.', tab: 'attempts' as const }];
    const { host, playground, settle } = await draw({
      a: { entries: [toRun('r1', toOutcome('r1', toReply('x'), { findings }))] },
    });
    const link = findButton(host, 'Show attempts');
    link.focus();
    link.click();
    expect(playground.state.view.tab).toBe('attempts');
    await settle();
    await nextFrames();
    expect(document.activeElement).toBe(host.querySelector('.pane'));
  });

  it('shows a call in its text and focuses it', async () => {
    const rescued = rescuedCallAt(0, 4);
    const reply = toReply('call', [rescued], { rescue: { calls: [rescued], content: '', rejected: [] } });
    const { host, playground, settle } = await draw(
      { a: { entries: [toReplied('r1', reply)] } },
      { tab: 'tool-calls' },
    );
    findButton(host, 'Show in text').click();
    expect(playground.state.view).toMatchObject({
      tab: 'rescue',
      selection: { laneId: 'a', runId: 'r1', callIndex: 0 },
    });
    await settle();
    await nextFrames();
    expect(document.activeElement).toBe(host.querySelector('.pane'));
  });

  it.each([
    ['the first span', undefined, { callIndex: 0 }],
    ['the selected span', { spanNumber: 2 }, { spanNumber: 2 }],
  ])('shows %s in the text when requested in the reply', async (_, before, after) => {
    const place = { laneId: 'a', runId: 'r1' };
    const rescued = rescuedCallAt(0, 4);
    const rescue = { calls: [rescued], content: '', rejected: [rejectionAt(5, 9)] };
    const { host, playground } = await draw(
      { a: { entries: [toReplied('r1', toReply('call also', [rescued], { rescue }))] } },
      { tab: 'reply', ...(before && { selection: { ...place, ...before } }) },
    );
    findButton(host, 'Show in text').click();
    expect(playground.state.view).toMatchObject({ tab: 'rescue', selection: { ...place, ...after } });
  });

  it('shows the limits that applied to the run', async () => {
    const limits = { timeoutMs: 5000, connectTimeoutMs: 1000, maxAttempts: 7 };
    const outcome = toOutcome('r1', toReply('x'), { limits });
    const { text } = await draw({ a: { entries: [toRun('r1', outcome)] } }, { tab: 'attempts' });
    expect(text()).toContain('5 s per attempt · connect within 1 s · up to 7 attempts');
    expect(text()).toContain('Attempt 1, 200');
  });

  it('does not repeat the lane’s description of a failure', async () => {
    const { text } = await draw({ a: { entries: [toRun('r1', toOutcome('r1', undefined))] } });
    expect(text()).toContain('No connection to Demo');
    expect(text()).not.toContain('Nothing listens.');
  });

  it('requests a run that is in the store', async () => {
    const stored = toRun('r1', undefined, { isStored: true });
    const { sent, text, settle } = await draw(
      { a: { entries: [stored] } },
      {},
      {
        answers: { 'entries/read': [toReplied('r1', toReply('Cold.'))] },
      },
    );
    await settle();
    expect(sent('entries/read')).toEqual([{ laneId: 'a', entryIds: ['r1'] }]);
    expect(text()).toContain('RawAssistant');
  });

  it('lists the steps of an agent run', async () => {
    const step = (number: number) => ({ step: { agentRunId: 'g', number } });
    const entries = [
      toMessage('u'),
      toReplied('g/1', toReply('', [CALL]), step(1)),
      toRun('g/2', undefined, step(2)),
    ];
    const { text, host, playground } = await draw({
      a: { entries, run: toRunState('g/2', { kind: 'agent' }) },
    });
    expect(text()).toContain('native, 1 call · get_weather');
    expect(text()).toContain('under way');
    findButton(host, 'Show step 1').click();
    expect(playground.state.view.selection).toEqual({ laneId: 'a', runId: 'g/1' });
  });

  it('names no time for a step whose window was closed', async () => {
    const interrupted = toOutcome('g/1', undefined, {
      verdict: { kind: 'interrupted', detail: 'its playground was closed' },
      durationMs: 0,
      ledger: [],
      partial: toLiveReply({ content: 'Half an ans' }),
    });
    const entries = [toMessage('u'), toRun('g/1', interrupted, { step: { agentRunId: 'g', number: 1 } })];
    const { host } = await draw({ a: { entries } });
    const cells = [...host.querySelectorAll('tbody td')].map(textOf);
    expect(cells).toEqual(['1', 'interrupted, its playground was closed', '–', '–']);
  });

  it.each([
    ['nothing was sent', {}, 'No reply was received.', []],
    ['nothing came back', { ledger: [ATTEMPT] }, 'No reply was received.', ['Show attempts']],
    [
      'the server answered with an error',
      { ledger: [ATTEMPT], error: { code: 'http', title: '503', what: '', why: '', next: '' } },
      'The server answered with an error; the tab Wire shows its answer.',
      ['Show attempts'],
    ],
    [
      'a web page came',
      {
        ledger: [ATTEMPT],
        error: { code: 'response-format', title: 'Not a reply', what: '', why: '', next: '' },
        partial: toLiveReply({ content: '<!doctype html>' }),
      },
      'The answer of the server cannot be read as a reply; the tab Wire shows it.',
      ['Show attempts'],
    ],
    [
      'a part came',
      { ledger: [ATTEMPT], partial: toLiveReply({ content: 'Half' }) },
      'The reply is not complete.',
      ['Show attempts'],
    ],
  ])('says what there is without a reply when %s', async (_, change, words, links) => {
    const outcome = toOutcome('r1', undefined, { ledger: [], ...change });
    const { host } = await draw({ a: { entries: [toRun('r1', outcome)] } });
    expect(textOf(host.querySelector('.pane .sec > p'))).toContain(words);
    expect([...host.querySelectorAll('.pane .sec > p .link')].map(textOf)).toEqual(links);
  });

  it('groups many calls by name, and shows those around the selected one', async () => {
    const calls = Array.from({ length: 200 }, (_, index) => ({ ...CALL, id: `c${index}` }));
    const lanes = { a: { entries: [toReplied('r1', toReply('', calls))] } };
    expect((await draw(lanes)).text()).toContain('200 native calls: get_weather ×200');
    const selection = { laneId: 'a', runId: 'r1', callIndex: 150 };
    const { host, text } = await draw(lanes, { tab: 'tool-calls', selection });
    expect(host.querySelectorAll('.call-detail')).toHaveLength(20);
    expect(text()).toContain('Calls 141 to 160 of 200');
    expect(host.querySelectorAll('.call-detail[aria-current]')).toHaveLength(1);
  });

  it('counts the calls that the panel does not have', async () => {
    const calls = [CALL, { ...CALL, name: 'search' }];
    const cut = ['reply.raw.toolCalls', 'reply.toolCalls'].map((path) => ({ path, length: 2000 }));
    const run = toRun('r1', toOutcome('r1', toReply('', calls), { cut }));
    const { host, text } = await draw({ a: { entries: [run] } });
    expect(text()).toContain('2 000 native calls: get_weather, search');
    expect(textOf(host.querySelector('#tab-tool-calls .count'))).toBe('2000');
  });

  it('says how many candidates for a call are not shown', async () => {
    const rejected = Array.from({ length: 201 }, (_, index) => rejectionAt(index, index + 1));
    const reply = toReply('x', [], { rescue: { calls: [], content: 'x', rejected } });
    const { host, text } = await draw({ a: { entries: [toReplied('r1', reply)] } }, { tab: 'tool-calls' });
    expect(host.querySelectorAll('.findings > li')).toHaveLength(200);
    expect(text()).toMatch(/… 1 more$/);
  });
});

describe('a reply that the panel has only in part', () => {
  const body = `${'x'.repeat(30_000)} the end`;
  const shown = { ...CALL, arguments: { body: 'x'.repeat(20_000) } };
  const cut = ['reply.raw.toolCalls.0.arguments.body', 'reply.toolCalls.0.arguments.body'].map((path) => ({
    path,
    length: body.length,
  }));
  const lanes = { a: { entries: [toRun('r1', toOutcome('r1', toReply('', [shown]), { cut }))] } };
  const answers = { 'text/read': { text: JSON.stringify({ body }) } };

  it.each([
    ['Copy RawAssistant as JSON', 'reply', 'reply.raw'],
    ['Copy call of get_weather', 'tool-calls', 'reply.toolCalls.0'],
  ] as const)('is copied completely: %s', async (name, tab, path) => {
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const { host, settle, sent, playground } = await draw(lanes, { tab }, { answers });
    findButton(host, name).click();
    await settle();
    expect(sent('text/read')).toEqual([{ laneId: 'a', entryId: 'r1', path }]);
    expect(copied.mock.lastCall?.[0]).toContain('the end');
    expect(playground.state.notice).toContain('copied as JSON');
  });

  it('shows all arguments of a call on demand', async () => {
    const { host, settle, sent } = await draw(lanes, { tab: 'tool-calls' }, { answers });
    findButton(host, 'Show all').click();
    await settle();
    expect(sent('text/read')).toEqual([{ laneId: 'a', entryId: 'r1', path: 'reply.toolCalls.0.arguments' }]);
    await expect.poll(() => host.querySelector('pre')?.textContent).toContain('the end');
  });
});

describe('a reply that the panel has completely', () => {
  it('is copied without a request', async () => {
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const { host, settle, sent } = await draw({ a: { entries: [toReplied('r1', toReply('Cold.'))] } });
    findButton(host, 'Copy RawAssistant as JSON').click();
    await settle();
    expect(sent('text/read')).toEqual([]);
    expect(JSON.parse(copied.mock.lastCall?.[0] ?? '')).toMatchObject({ content: 'Cold.' });
  });

  it('offers the prompt of what would be sent now on the tab Wire before there is a run', async () => {
    const before = await draw({ a: { entries: [] } }, { tab: 'wire' });
    findButton(before.host, 'Show rendered prompt').click();
    await expect.poll(() => before.sent('prompt/render')).toEqual([{ laneId: 'a' }]);
    expect((await draw({ a: { entries: [] } })).text()).not.toContain('The prompt behind the template');
  });
});
