import { html } from 'lit';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Transcript } from '../../../../../webview/components/transcript/transcript';
import { Turn } from '../../../../../webview/components/transcript/turn';
import { turnElement } from '../../../../../webview/focus/focus';
import { applyProgress, applySnapshot } from '../../../../../webview/state/session-state';
import type { Drawn, DrawOptions } from '../../draw';
import { buttonsIn, drawPart, findButton, nextFrames, press, textOf } from '../../draw';
import {
  CALL,
  laneIn,
  toLiveReply,
  toMessage,
  toProgress,
  toReplied,
  toReply,
  toResult,
  toRun,
  toRunState,
} from '../../samples';
import { registerOnce } from '../../register-once';

beforeAll(registerOnce);
afterEach(() => vi.restoreAllMocks());

const draw = (options: DrawOptions): Promise<Drawn> =>
  drawPart(
    (playground) =>
      html`${playground.state.session.laneIds.map(
        (id) =>
          html`<section class="lane" data-lane=${id}>
            <pg-transcript .playground=${playground} .laneId=${id}></pg-transcript>
          </section>`,
      )}`,
    options,
  );
const LIVE = {
  entries: [toMessage('m'), toReplied('r0', toReply('Cold.')), toRun('r1')],
  run: toRunState('r1'),
};

describe('Transcript', () => {
  it('redraws only the live turn while a reply arrives, and no lane', async () => {
    const turns = vi.spyOn(Turn.prototype, 'render');
    const transcripts = vi.spyOn(Transcript.prototype, 'render');
    const { playground, settle, host } = await draw({ lanes: { a: LIVE, b: LIVE } });
    turns.mockClear();
    transcripts.mockClear();
    for (let count = 1; count <= 20; count++) {
      const progress = toProgress('r1', { reply: toLiveReply({ content: 'word '.repeat(count) }) });
      playground.update((state) => ({ ...state, session: applyProgress(state.session, 'a', progress) }));
      await settle();
    }
    expect(turns).not.toHaveBeenCalled();
    expect(transcripts).not.toHaveBeenCalled();
    expect(host.querySelectorAll('.live')).toHaveLength(1);
  });

  it('offers to store a partial result instead of sending it once its agent run pauses', async () => {
    const lane = {
      entries: [toMessage('m'), toReplied('r1', toReply('', [CALL]))],
      run: toRunState('r1', { kind: 'agent', phase: 'answering' }),
    };
    const results = new Map([['r1', { 0: { content: 'Snow.', isError: false, isOpen: true } }]]);
    const { playground, settle, host } = await draw({
      lanes: { a: lane, b: {} },
      view: { results, laneId: 'b' },
    });
    expect(buttonsIn(host)).toContain('Send result');
    const run = toRunState('r1', { kind: 'agent', phase: 'paused' });
    const lanes = [{ id: 'a', version: 2, since: 1, entries: [], run }];
    playground.update((state) => ({ ...state, session: applySnapshot(state.session, { lanes }) }));
    await settle();
    expect(buttonsIn(host)).toContain('Keep result');
    expect(buttonsIn(host)).not.toContain('Send result');
    playground.setView({ laneId: 'a' });
    await settle();
    const primary = [...host.querySelectorAll('vscode-button[appearance=primary]')].map(textOf);
    expect(primary).toEqual(['Keep result']);
  });

  it('redraws only the turns whose entries changed', async () => {
    const { playground, settle } = await draw({ lanes: { a: LIVE, b: LIVE } });
    const drawn: string[] = [];
    vi.spyOn(Turn.prototype, 'render').mockImplementation(function render(this: Turn) {
      drawn.push(`${this.laneId} ${this.entry.id}`);
      return html``;
    });
    const entries = [toReplied('r1', toReply('Colder.'))];
    playground.update((state) => ({
      ...state,
      session: applySnapshot(state.session, {
        lanes: [{ id: 'a', version: 2, since: 1, entries, run: null }],
      }),
    }));
    await settle();
    expect(drawn).toEqual(['a r1']);
  });

  it('redraws one turn when something in it is selected', async () => {
    const { playground, settle } = await draw({ lanes: { a: LIVE } });
    const turns = vi.spyOn(Turn.prototype, 'render');
    playground.setView({ selection: { laneId: 'a', runId: 'r0' } });
    await settle();
    expect(turns).toHaveBeenCalledTimes(1);
  });

  it('draws the latest turns at once and the others in slices', async () => {
    const render = vi.spyOn(Transcript.prototype, 'render');
    const entries = Array.from({ length: 100 }, (_, index) => toMessage(`m${index}`, `Message ${index}`));
    const { host } = await draw({ lanes: { a: { entries } } });
    const count = (): number => host.querySelectorAll('pg-turn').length;
    expect(render).toHaveBeenCalledTimes(1);
    expect(count()).toBe(30);
    expect(host.textContent).toContain('Message 99');
    await expect.poll(count).toBe(100);
    expect(render).toHaveBeenCalledTimes(4);
  });

  it('requests outcomes that are in the store', async () => {
    vi.stubGlobal('IntersectionObserver', undefined);
    const stored = toRun('r0', undefined, { isStored: true });
    const { sent, text, settle } = await draw({
      lanes: { a: { entries: [stored, toReplied('r1', toReply('Cold.'))] } },
      answers: { 'entries/read': [toReplied('r0', toReply('Read again.'))] },
    });
    await settle();
    expect(sent('entries/read')).toEqual([{ laneId: 'a', entryIds: ['r0'] }]);
    expect(text()).toContain('Read again.');
    vi.unstubAllGlobals();
  });

  it('requests only outcomes near the visible part', async () => {
    const observed: Element[] = [];
    let see: ((changes: { target: Element; isIntersecting: boolean }[]) => void) | undefined;
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(callback: typeof see) {
          see = callback;
        }
        observe(element: Element): void {
          observed.push(element);
        }
        unobserve(): void {}
        disconnect(): void {}
      },
    );
    const entries = ['r0', 'r1'].map((id) => toRun(id, undefined, { isStored: true }));
    const { sent } = await draw({ lanes: { a: { entries } } });
    expect(observed).toHaveLength(2);
    const [, second] = observed;
    if (second) see?.([{ target: second, isIntersecting: true }]);
    await Promise.resolve();
    expect(sent('entries/read')).toEqual([{ laneId: 'a', entryIds: ['r1'] }]);
    vi.unstubAllGlobals();
  });

  it('shows a pending message, and sends it with the lane', async () => {
    const pending = toMessage('m1', 'And tomorrow?', { isPending: true });
    const { host, sent, settle } = await draw({ lanes: { a: { entries: [pending], next: 'send' } } });
    expect(textOf(host.querySelector('.is-pending'))).toContain('not sent to this lane yet');
    findButton(host, 'Run lane').click();
    await settle();
    expect(sent('run/start')).toEqual([{ laneIds: ['a'], kind: 'chat' }]);
  });

  it('offers to send several pending messages once, below the last one', async () => {
    const pending = ['m1', 'm2'].map((id) => toMessage(id, 'And tomorrow?', { isPending: true }));
    const entries = [toMessage('m0'), toReplied('r0', toReply('Cold.')), ...pending];
    const { host } = await draw({ lanes: { a: { entries } } });
    expect(buttonsIn(host).filter((name) => name === 'Run lane')).toHaveLength(1);
    expect(buttonsIn(host)).toContain('Run again');
    expect(textOf([...host.querySelectorAll('.is-pending')].at(-1))).toContain('Run lane');
  });

  it('permits another run as soon as the connection of the lane is right again', async () => {
    const { host, playground, settle } = await draw({
      lanes: { a: { entries: [toMessage('m'), toReplied('r0', toReply('Cold.'))] } },
    });
    const isDisabled = (): boolean => findButton(host, 'Run again').hasAttribute('disabled');
    const setBlocker = async (blocker?: string): Promise<void> => {
      playground.update((state) => {
        const lanes = new Map([['a', { ...laneIn(state), blocker }]]);
        return { ...state, session: { ...state.session, lanes } };
      });
      await settle();
    };
    await setBlocker('Its address is no URL.');
    expect(isDisabled()).toBe(true);
    await setBlocker();
    expect(isDisabled()).toBe(false);
  });

  it('says that a pending message waits for the reply of its lane', async () => {
    const pending = toMessage('m1', 'And tomorrow?', { isPending: true });
    const { host, playground, settle } = await draw({
      lanes: { a: { ...LIVE, entries: [...LIVE.entries, pending] } },
    });
    expect(textOf(host.querySelector('.is-pending'))).toContain('waits for the answer above');
    expect(buttonsIn(host)).not.toContain('Run lane');
    const idle = { id: 'a', version: 99, since: 1, entries: [toReplied('r1', toReply('Cold.'))], run: null };
    playground.update((state) => ({ ...state, session: applySnapshot(state.session, { lanes: [idle] }) }));
    await settle();
    expect(textOf(host.querySelector('.is-pending'))).toContain('not sent to this lane yet');
  });

  it('focuses the next step of a run that pauses, unless the focus is in another field', async () => {
    const entries = [toMessage('m'), toReplied('r1', toReply('', [CALL]))];
    const paused = { a: { entries, run: toRunState('r1', { phase: 'paused', step: 1 }) } };
    const elsewhere = document.createElement('input');
    document.body.append(elsewhere);
    elsewhere.focus();
    await draw({ lanes: paused });
    await nextFrames();
    expect(document.activeElement).toBe(elsewhere);
    elsewhere.remove();
    const { host } = await draw({ lanes: paused });
    await nextFrames();
    expect(document.activeElement).toBe(findButton(host, 'Next step'));
  });

  it('focuses the next step after a result was stored between two steps', async () => {
    const entries = [toMessage('m'), toReplied('r1', toReply('', [CALL]))];
    const run = toRunState('r1', { kind: 'agent', phase: 'paused' });
    const { host, settle, sent } = await draw({ lanes: { a: { entries, run } } });
    await nextFrames();
    findButton(host, 'Give result').click();
    await settle();
    await nextFrames();
    press(host.querySelector('.result-editor') ?? host, 'Enter', { ctrlKey: true });
    await settle();
    await nextFrames();
    expect(sent('result/give')).toHaveLength(1);
    expect(document.activeElement).toBe(findButton(host, 'Next step'));
  });

  it('moves over replies and calls with arrow keys', async () => {
    const { host } = await draw({
      lanes: { a: { entries: [toReplied('r0', toReply('', [CALL])), toReplied('r1', toReply('Cold.'))] } },
    });
    const rows = [...host.querySelectorAll<HTMLElement>('[data-row]')];
    rows[0]?.focus();
    for (const [key, index] of [
      ['ArrowDown', 1],
      ['ArrowDown', 2],
      ['ArrowDown', 2],
      ['ArrowUp', 1],
    ] as const) {
      press(document.activeElement ?? host, key);
      expect(document.activeElement).toBe(rows[index]);
    }
  });

  it('changes a sent message and sends it again; Escape restores the focus', async () => {
    const { host, playground, settle, sent } = await draw({
      lanes: { a: { entries: [toMessage('m1', 'Cold?')] } },
    });
    findButton(host, 'Edit and send again').click();
    await settle();
    expect(playground.state.view.edit).toEqual({ laneId: 'a', entryId: 'm1', text: 'Cold?' });
    press(host.querySelector('.edit vscode-text-area') ?? host, 'Escape');
    await settle();
    await nextFrames();
    expect(document.activeElement).toBe(findButton(host, 'Edit and send again'));
    playground.setView({ edit: { laneId: 'a', entryId: 'm1', text: 'Warm?' } });
    await settle();
    findButton(host, 'Send again').click();
    await settle();
    expect(sent('message/resend')).toEqual([{ laneId: 'a', entryId: 'm1', text: 'Warm?', kind: 'chat' }]);
  });

  it('reads a message completely before it is changed', async () => {
    const { host, playground, settle, sent } = await draw({
      lanes: { a: { entries: [toMessage('m1', 'Col', { length: 5 })] } },
      answers: { 'text/read': { text: 'Cold?' } },
    });
    findButton(host, 'Edit and send again').click();
    await settle();
    expect(sent('text/read')).toEqual([{ laneId: 'a', entryId: 'm1', path: 'content' }]);
    expect(playground.state.view.edit?.text).toBe('Cold?');
  });

  it('opens the result that an agent run waits for, without moving the focus', async () => {
    const asked = toReplied('r1', toReply('', [CALL, CALL]), { asked: [1] });
    const run = toRunState('r1', { kind: 'agent', phase: 'answering' });
    const { host, settle, playground } = await draw({ lanes: { a: { entries: [asked], run } } });
    await settle();
    expect(playground.state.view.results.get('r1')).toEqual({
      1: { content: '{"temp_c":-2}', isUntouched: true, isOpen: true },
    });
    expect(host.querySelectorAll('.result-editor')).toHaveLength(1);
    findButton(host, 'Close').click();
    await settle();
    expect(host.querySelector('.result-editor')).toBeNull();
  });

  it('keeps the focus in another lane', async () => {
    const field = document.createElement('input');
    document.body.append(field);
    field.focus();
    const asked = toReplied('r1', toReply('', [CALL]), { asked: [0] });
    const { settle, host } = await draw({ lanes: { a: { entries: [asked] } } });
    await settle();
    await nextFrames();
    expect(host.querySelector('.result-editor')).not.toBeNull();
    expect(document.activeElement).toBe(field);
    field.remove();
  });

  it('continues a paused agent run by a step or to its end, or stops it', async () => {
    const step = { step: { agentRunId: 'g', number: 1 } };
    const { host, sent, settle, playground } = await draw({
      lanes: {
        a: {
          entries: [toReplied('g/1', toReply('', [CALL]), { ...step, results: { 0: toResult('4') } })],
          run: toRunState('g/2', { kind: 'agent', phase: 'paused', step: 1 }),
        },
      },
    });
    expect(textOf(host.querySelector('.step-bar'))).toContain('Paused after step 1');
    expect(findButton(host, 'Next step').getAttribute('appearance')).toBe('primary');
    playground.setView({ stepTexts: new Map([['a', 'In Celsius.']]) });
    await settle();
    findButton(host, 'Next step').click();
    findButton(host, 'Run agent').click();
    findButton(host, 'Stop lane').click();
    await settle();
    expect(sent('run/continue')).toEqual([
      { laneId: 'a', isStepMode: true, text: 'In Celsius.' },
      { laneId: 'a', isStepMode: false },
    ]);
    expect(sent('run/stop')).toEqual([{ laneIds: ['a'] }]);
  });

  it('scrolls to a run that is selected elsewhere, but not to the previous selection', async () => {
    vi.useFakeTimers();
    const scrolled: (string | undefined)[] = [];
    vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function scroll(this: Element) {
      scrolled.push(this.closest<HTMLElement>('pg-turn')?.dataset['entry']);
    });
    const entries = Array.from({ length: 100 }, (_, index) => toReplied(`r${index}`, toReply('Cold.')));
    const select = (runId: string) => ({ selection: { laneId: 'a', runId } });
    const { playground, settle } = await draw({ lanes: { a: { entries } }, view: select('r90') });
    await vi.runAllTimersAsync();
    playground.setView(select('r5'));
    await settle();
    await vi.runAllTimersAsync();
    // A run selected by its own row does not scroll.
    turnElement('a', 'r99')?.querySelector<HTMLElement>('button')?.focus();
    playground.setView(select('r99'));
    await settle();
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    expect(scrolled).toEqual(['r5']);
  });

  it('offers no run while its lane is running', async () => {
    const { host } = await draw({
      lanes: { a: { entries: [toReplied('r0', toReply('', [CALL]))], run: toRunState('r1') } },
    });
    expect(buttonsIn(host)).not.toContain('Run again');
    expect(buttonsIn(host)).not.toContain('Run agent');
  });
});
