import { html } from 'lit';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { LaneStrip } from '../../../../../webview/components/lane/lane-strip';
import type { SetupPart } from '../../../../../src/protocol';
import type { Drawn, DrawOptions } from '../../draw';
import { buttonsIn, drawPart, findButton, nextFrames, textOf } from '../../draw';
import type { LaneSample } from '../../samples';
import { scriptEvaluation } from '../../../../support/panel/scripted-evaluation';
import {
  CALL,
  CONNECTION,
  ENVIRONMENT,
  HOSTED,
  toMessage,
  toOutcome,
  toProgress,
  toReplied,
  toReply,
  toRun,
  toRunState,
  toSent,
} from '../../samples';
import { registerOnce } from '../../register-once';

beforeAll(registerOnce);

const drawLanes = (lanes: Record<string, LaneSample>, options: DrawOptions = {}): Promise<Drawn> =>
  drawPart(
    (playground) =>
      html`${playground.state.session.laneIds.map(
        (id) =>
          html`<section class="lane" data-lane=${id} tabindex="-1">
            <pg-lane-strip .playground=${playground} .laneId=${id}></pg-lane-strip>
          </section>`,
      )}`,
    { lanes, ...options },
  );
const drawLane = (lane: LaneSample, options: DrawOptions = {}): Promise<Drawn> =>
  drawLanes({ a: lane }, options);
const COLD = { entries: [toMessage('m'), toReplied('r1', toReply('Cold.'))] };
const RUNNING = { entries: [toMessage('m'), toRun('r1')], run: toRunState('r1') };
const numbers = ({ host }: Drawn, index = 0): string => textOf(host.querySelectorAll('.nums')[index]);

describe('LaneStrip', () => {
  it('names the settings of the reply below, and what has changed since', async () => {
    const settings = toSent({ sampling: { temperature: 0 }, rawKeys: 2 });
    const lane = { ...COLD, settings: { sampling: { temperature: 1.5 } } };
    const drawn = await drawLane({ ...lane, sent: { settings, changed: ['temperature', 'system'] } });
    expect(textOf(drawn.host.querySelector('.config'))).toBe('temperature 0 · 2 raw keys');
    expect(drawn.text()).toContain('Changed since: temperature, system prompt.');
    const same = await drawLane({ ...lane, sent: { settings, changed: [] } });
    expect(same.text()).not.toContain('Changed since');
    const unknown = await drawLane({ ...lane, sent: { changed: [] } });
    expect(textOf(unknown.host.querySelector('.config'))).toBe('settings of this reply not known');
    const fresh = await drawLane({ settings: { sampling: { temperature: 1.5 } } });
    expect(textOf(fresh.host.querySelector('.config'))).toBe('temperature 1.5');
  });

  it('names the connection and model of the result if the lane has other ones now', async () => {
    const origin = async (...changed: SetupPart[]): Promise<string> =>
      (await drawLane({ ...COLD, sent: { settings: toSent(), changed } })).text();
    expect(await origin('seed')).not.toContain('This result is');
    expect(await origin('model')).toContain('This result is from first-look. Changed since: model.');
    expect(await origin('connection', 'model')).toContain(
      'This result is from Demo, first-look. Changed since: connection, model.',
    );
  });

  it('has no numbers before the first run', async () => {
    const drawn = await drawLanes({ a: COLD, b: {} });
    const nums = [...drawn.host.querySelectorAll('.nums')].map(textOf);
    expect(nums[1]).toBe('Tokens – Time – Attempts – Cost –');
  });

  it('claims nothing of a run that is no longer stored', async () => {
    const error = { code: 'not-kept', title: 'No longer in the history', what: 'Gone.', why: '', next: '' };
    const run = toRun('r1', toOutcome('r1', undefined, { error, connectionLabel: '', durationMs: 0 }));
    const sent = { settings: toSent(), changed: ['connection' as const] };
    const drawn = await drawLane({ entries: [run], sent });
    expect(drawn.text()).not.toContain('This result is');
    expect(numbers(drawn)).toBe('Tokens not known Time not known Attempts not known Cost not known');
  });

  it('marks lanes that were sent something else, and compares them not', async () => {
    const prints = { system: 'new', tools: '', messages: '', options: '' };
    const other = { ...COLD, sent: { settings: toSent({ prints }), changed: [] } };
    const drawn = await drawLanes({ a: other, b: COLD, c: COLD });
    const notes = [...drawn.host.querySelectorAll('.origin')].map(textOf);
    expect(notes).toEqual([
      'Not compared with lanes 2 and 3, because these were different: system prompt.',
      'Not compared with lane 1, because these were different: system prompt.',
      'Not compared with lane 1, because these were different: system prompt.',
    ]);
  });

  it('shows four numbers, and says which are unknown', async () => {
    expect(numbers(await drawLane(COLD))).toBe('Tokens 212 tok Time 0.91 s Attempts 1 attempt Cost no cost');
    expect(numbers(await drawLane(RUNNING))).toContain('Tokens … tok');
    const unknown = { entries: [toReplied('r1', toReply('Cold.', [], { usage: {} }))] };
    expect(numbers(await drawLane(unknown))).toContain('not reported');
  });

  it('distinguishes missing rates from missing usage, by the connection that the run had', async () => {
    const reply = toReply('Cold.', [], { usage: {} });
    const cost = async (hasRates?: boolean, connectionId = 'hosted'): Promise<string> => {
      const run = toRun('r1', toOutcome('r1', reply, { hasRates, connectionId }));
      return numbers(await drawLane({ entries: [run] }));
    };
    expect(await cost(true)).toContain('Cost no usage');
    expect(await cost(false)).toContain('Cost cost not set');
    expect(await cost()).toContain('Cost cost not set');
    expect(await cost(false, 'gone')).toContain('Cost cost not set');
  });

  it('says that the demo and servers of one’s own cost nothing', async () => {
    expect(numbers(await drawLane(COLD))).toContain('Cost no cost');
  });

  it('says that VS Code tells no cost of its models, for which nobody can set any', async () => {
    const environment = { ...ENVIRONMENT, connections: [{ ...CONNECTION, usesQuota: true }] };
    const drawn = await drawLane(COLD, { environment });
    expect(numbers(drawn)).toContain('Cost no cost told');
  });

  it('shows the first token and the speed below, and reserves the space in all lanes', async () => {
    const rates = { completionPerSecond: 40, source: 'measured' } as const;
    const outcome = toOutcome('r1', toReply('Cold.'), { firstTokenMs: 110, rates });
    const drawn = await drawLanes({ a: { entries: [toRun('r1', outcome)] }, b: {} });
    expect(numbers(drawn)).toContain('40 tok/s');
    expect(numbers(drawn)).toContain('first 0.11 s');
    expect([...drawn.host.querySelectorAll('.nums.has-details')]).toHaveLength(2);
  });

  it('has the same rows in every lane once one of them has run', async () => {
    const fresh = await drawLanes({ a: {}, b: {} });
    expect(fresh.host.querySelectorAll('.outcome, .nums')).toHaveLength(0);
    const one = await drawLanes({ a: COLD, b: {} });
    expect(one.host.querySelectorAll('.outcome')).toHaveLength(2);
    expect(one.host.querySelectorAll('.nums')).toHaveLength(2);
    expect(textOf(one.host.querySelectorAll('.outcome')[1])).toBe('Not run yet');
  });

  it('marks the best number with a word, and the lane that differs', async () => {
    const called = (durationMs: number) => ({
      entries: [toMessage('m'), toRun('r1', toOutcome('r1', toReply('', [CALL]), { durationMs }))],
    });
    const drawn = await drawLanes({ a: called(910), b: called(100), c: COLD });
    expect(numbers(drawn, 1)).toContain('0.10 s, fastest');
    expect(numbers(drawn, 0)).not.toContain('fastest');
    expect(drawn.host.querySelectorAll('.is-best').length).toBeGreaterThan(0);
    expect([...drawn.host.querySelectorAll('.odd')].map(textOf)).toEqual(['answered in prose']);
  });

  it.each(['answered in prose', 'rescue is off; would be rescued: 1 call, hermes'])(
    'says only once that a lane called no tool: %s',
    async (detail) => {
      const called = { entries: [toMessage('m'), toReplied('r1', toReply('', [CALL]))] };
      const verdict = { kind: 'none' as const, detail };
      const none = { entries: [toMessage('m'), toRun('r1', toOutcome('r1', toReply('Cold.'), { verdict }))] };
      const { host } = await drawLanes({ a: called, b: called, c: none });
      expect(textOf(host.querySelectorAll('.outcome .what')[2])).toBe(`None · ${detail}`);
    },
  );

  it('evaluates what was asked ten times', async () => {
    const { host, sent, playground, settle } = await drawLane(COLD, {
      evaluation: scriptEvaluation({ rows: 1, state: 'before' }),
    });
    findButton(host, 'Evaluate ×10').click();
    await settle();
    expect(sent('document/edit')).toMatchObject([{ edits: [{ path: ['evaluate', 'repeat'], value: 10 }] }]);
    expect(playground.state.view.view).toBe('evaluate');
    expect(playground.state.evaluate.question).toMatchObject({ kind: 'start' });
  });

  it('disables Run for a lane without a message, and says why', async () => {
    const { host } = await drawLanes({ a: {} });
    const run = findButton(host, 'Run lane');
    expect(run.hasAttribute('disabled')).toBe(true);
    expect(run.title).toBe('Run lane: Write a message to run.');
  });

  it('is redrawn with each tick only while its lane runs', async () => {
    const { playground, settle } = await drawLanes({ a: RUNNING, b: COLD });
    const render = vi.spyOn(LaneStrip.prototype, 'render');
    for (let now = 1000; now <= 3000; now += 1000) {
      playground.update((state) => ({ ...state, now }));
      await settle();
    }
    expect(render.mock.contexts.map((strip) => (strip as LaneStrip).laneId)).toEqual(['a', 'a', 'a']);
    vi.restoreAllMocks();
  });

  it('says what a run waits for, with a clock that is hidden from screen readers', async () => {
    const progress = toProgress('r1', { phase: 'waiting-for-headers', since: 58_000 });
    const { host } = await drawLane({ ...RUNNING, progress }, { now: 100_000 });
    expect(textOf(host.querySelector('.outcome'))).toBe('Waiting for headers · 0:42');
    expect(host.querySelector('.outcome span[aria-hidden=true]')?.textContent).toBe(' · 0:42');
  });

  it('opens and focuses the tab with the details when the verdict is clicked', async () => {
    const failed = { entries: [toMessage('m'), toRun('r1', toOutcome('r1', undefined))] };
    const { host, playground } = await drawLane(failed);
    const pane = document.createElement('div');
    pane.innerHTML = '<div class="side"><div class="pane" tabindex="0"></div></div>';
    document.body.append(pane);
    host.querySelector<HTMLElement>('.outcome .what')?.click();
    expect(playground.state.view).toMatchObject({ tab: 'attempts', selection: { laneId: 'a', runId: 'r1' } });
    await nextFrames();
    expect(document.activeElement).toBe(pane.querySelector('.pane'));
    pane.remove();
  });

  it('shows the number of findings, with the most severe icon', async () => {
    const findings = (['info', 'warning', 'error'] as const).map((severity) => ({ severity, what: 'x' }));
    const { host } = await drawLane({ entries: [toRun('r1', toOutcome('r1', toReply('x'), { findings }))] });
    expect(host.querySelector('.found')?.getAttribute('aria-label')).toBe('2 findings in lane 1');
    expect(host.querySelector('.found .s-error')).not.toBeNull();
  });

  it('runs its lane, or stops it while it runs', async () => {
    const idle = await drawLane({ entries: [toMessage('m')], next: 'reply' });
    findButton(idle.host, 'Run lane').click();
    await idle.settle();
    expect(idle.sent('run/start')).toEqual([{ laneIds: ['a'], kind: 'chat' }]);
    const busy = await drawLane(RUNNING);
    expect(buttonsIn(busy.host)).not.toContain('Run lane');
    findButton(busy.host, 'Stop lane').click();
    expect(busy.sent('run/stop')).toEqual([{ laneIds: ['a'] }]);
  });

  it('runs the last step again when there is nothing to send', async () => {
    const { host, sent, settle } = await drawLane(COLD);
    findButton(host, 'Run lane').click();
    await settle();
    expect(sent('run/start')).toEqual([{ laneIds: ['a'], kind: 'chat', isRepeat: true }]);
  });

  it('says once that a key is missing, with a button to set it', async () => {
    const { host, sent, playground, settle } = await drawLane({ settings: { connection: 'hosted' } });
    playground.update((state) => ({
      ...state,
      session: {
        ...state.session,
        environment: { ...ENVIRONMENT, connections: [{ ...HOSTED, hasKey: false }] },
      },
    }));
    await settle();
    expect(buttonsIn(host).filter((label) => label === 'Set API key')).toHaveLength(1);
    expect(findButton(host, 'Set API key').getAttribute('appearance')).toBe('primary');
    findButton(host, 'Set API key').click();
    expect(sent('connection/set-key')).toEqual([{ connectionId: 'hosted' }]);
    expect(textOf(host)).not.toContain('another window');
  });

  it('says that a key was set in another window, which this window cannot read', async () => {
    const { text, playground, settle } = await drawLane({ settings: { connection: 'hosted' } });
    const connections = [{ ...HOSTED, hasKey: false, isKeyElsewhere: true }];
    playground.update((state) => ({
      ...state,
      session: { ...state.session, environment: { ...ENVIRONMENT, connections } },
    }));
    await settle();
    expect(text()).toContain('It was given in another window: run Developer: Reload Window');
  });

  it('says what to do about an unknown connection', async () => {
    const { text, host, playground, sent } = await drawLane({ settings: { connection: 'office' } });
    expect(text()).toContain('The connection office is not set up on this machine.');
    findButton(host, 'Choose another').click();
    expect(playground.state.view.openSettings).toEqual(['a']);
    findButton(host, 'Open settings').click();
    expect(sent('settings/open')).toEqual([{}]);
  });
});

describe('the menu of a lane', () => {
  const openMenu = async ({ host, settle }: Drawn): Promise<string[]> => {
    findButton(host, 'More actions').click();
    await settle();
    return [...host.querySelectorAll('[role=menuitem]')].map(textOf);
  };
  const choose = async (drawn: Drawn, label: string): Promise<void> => {
    await openMenu(drawn);
    [...drawn.host.querySelectorAll<HTMLElement>('[role=menuitem]')]
      .find((item) => textOf(item) === label)
      ?.click();
    await drawn.settle();
  };

  it('does not offer to remove the last lane', async () => {
    expect(await openMenu(await drawLane({}))).not.toContain('Remove lane');
    expect(await openMenu(await drawLanes({ a: {}, b: {} }))).toContain('Remove lane');
  });

  it('duplicates, moves and removes the lane', async () => {
    const drawn = await drawLanes({ a: {}, b: {} }, { answers: { 'lane/add': { laneId: 'c' } } });
    await choose(drawn, 'Duplicate lane');
    expect(drawn.sent('lane/add')).toEqual([{ copyOf: 'a' }]);
    await choose(drawn, 'Move right');
    expect(drawn.sent('lane/move')).toEqual([{ laneId: 'a', to: 1 }]);
    await choose(drawn, 'Remove lane');
    expect(drawn.sent('lane/remove')).toEqual([{ laneId: 'a' }]);
    expect(drawn.playground.state.view.laneId).toBe('b');
    await nextFrames();
    expect((document.activeElement as HTMLElement).dataset['lane']).toBe('b');
  });

  it('adds a copy that differs in one setting', async () => {
    const drawn = await drawLane({}, { answers: { 'lane/add': { laneId: 'b' } } });
    await choose(drawn, 'rescue off');
    expect(drawn.sent('lane/add')).toEqual([{ copyOf: 'a', change: { rescueToolCalls: false } }]);
  });

  it('starts an agent run, step mode, and a replay', async () => {
    const drawn = await drawLane(
      { entries: [toMessage('m')], next: 'reply' },
      {
        document: {
          draft: 'Hello',
          document: {
            version: 1,
            system: '',
            messages: [{ role: 'user', content: 'x' }],
            tools: [],
            lanes: [{ id: 'a', connection: 'demo', sampling: {}, rescueToolCalls: true, limits: {} }],
            embedding: {},
            evaluate: { mode: 'chat', repeat: 1, varySeed: false, pass: { case: 1 } },
            expect: [],
          },
        },
      },
    );
    await choose(drawn, 'Run agent');
    await choose(drawn, 'Step');
    await choose(drawn, 'Run from the start');
    expect(drawn.sent('run/start')).toEqual([
      { laneIds: ['a'], kind: 'agent', text: 'Hello' },
      { laneIds: ['a'], kind: 'agent', isStepMode: true },
    ]);
    expect(drawn.sent('run/replay')).toEqual([{ laneIds: ['a'], kind: 'chat' }]);
  });

  it('offers no changes of an invalid document', async () => {
    const document = {
      error: { line: 1, message: 'x' },
      blocker: 'Line 1 of the playground cannot be read: x',
    };
    const drawn = await drawLanes({ a: {}, b: {} }, { document });
    await openMenu(drawn);
    const off = [...drawn.host.querySelectorAll('[role=menuitem][aria-disabled=true]')].map(textOf);
    expect(off).toEqual(expect.arrayContaining(['Run agent', 'Duplicate lane', 'Move right', 'Remove lane']));
  });
});
