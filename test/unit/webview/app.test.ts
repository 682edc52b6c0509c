import { html } from 'lit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LaneEntry, RunOutcome } from '../../../src/protocol';
import { applySnapshot } from '../../../webview/state/session-state';
import type { Drawn, DrawOptions } from './draw';
import { buttonsIn, drawPart, findButton, hiddenIn, nextFrames, press, textOf } from './draw';
import {
  ATTEMPT,
  CALL,
  HIDDEN,
  HOSTILE,
  rejectionAt,
  rescuedCallAt,
  TOOL,
  toDocument,
  toLane,
  toLiveReply,
  toMessage,
  toOutcome,
  toProgress,
  toReply,
  toResult,
  toRun,
  toRunState,
} from './samples';
import { registerOnce } from './register-once';
import { MESSAGE_KEY } from '../../../webview/state/view-state';

beforeAll(registerOnce);

const TABS = ['reply', 'tool-calls', 'rescue', 'attempts'] as const;
const draw = (options: DrawOptions = {}): Promise<Drawn> =>
  drawPart((playground) => html`<pg-app .playground=${playground}></pg-app>`, options);
const BUSY = { entries: [toMessage('m'), toRun('r1')], run: toRunState('r1') };
const status = ({ host }: Drawn): string => textOf(host.querySelector('.app > [role=status]'));

describe('App', () => {
  it('shows texts of models as text everywhere', async () => {
    const call = { ...CALL, name: HOSTILE, arguments: { [HOSTILE]: HOSTILE } };
    const rejected = [{ format: 'f', start: 0, end: 1, reason: 'example', detail: HOSTILE, name: HOSTILE }];
    const reply = toReply(HOSTILE, [call], {
      rescue: { calls: [], content: HOSTILE, rejected },
      schemaIssues: { 0: [{ path: HOSTILE, message: HOSTILE }] },
      parseErrors: { 0: HOSTILE },
    });
    const outcome = toOutcome('r1', reply, {
      findings: [{ severity: 'info', what: HOSTILE }],
      model: HOSTILE,
      verdict: { kind: 'native', detail: HOSTILE },
    });
    const entries = [toMessage('m', HOSTILE), toRun('r1', outcome)];
    for (const tab of TABS) {
      const { host } = await draw({
        lanes: { a: { entries, settings: { model: HOSTILE } } },
        view: { tab, openSettings: ['a'] },
        document: { title: HOSTILE, warnings: [{ line: 1, message: HOSTILE }], readOnly: HOSTILE },
      });
      expect(host.querySelector('img')).toBeNull();
      expect(host.textContent).toContain(HOSTILE);
      expect([...host.querySelectorAll('b')].some(({ textContent }) => textContent === 'bold')).toBe(false);
    }
  });

  it('makes hidden characters of models and servers visible everywhere', async () => {
    const call = { ...CALL, id: HIDDEN, name: HIDDEN, arguments: { [HIDDEN]: HIDDEN } };
    const rescued = rescuedCallAt(0, 3, { rawName: HIDDEN.toUpperCase(), name: HIDDEN, id: 'x' });
    const rejected = [
      rejectionAt(1, 2, { detail: HIDDEN, name: HIDDEN, nearest: [`${HIDDEN}s`], hint: HIDDEN }),
    ];
    const reply = toReply(HIDDEN, [call, { ...call, id: 'x', source: 'rescued' }], {
      rescue: { calls: [rescued], content: HIDDEN, rejected, reasoning: HIDDEN },
      schemaIssues: { 0: [{ path: HIDDEN, message: HIDDEN }] },
      parseErrors: { 0: HIDDEN },
    });
    const described = { model: HIDDEN, connectionLabel: HIDDEN, connectionId: 'other' };
    const error = {
      code: 'network',
      title: HIDDEN,
      what: HIDDEN,
      why: HIDDEN,
      next: HIDDEN,
      causes: [HIDDEN],
    };
    const partial = toLiveReply({ content: HIDDEN, toolCalls: [{ name: HIDDEN, arguments: HIDDEN }] });
    const outcomes = [
      toOutcome('r1', reply, {
        ...described,
        findings: [{ severity: 'info', what: HIDDEN, next: HIDDEN }],
        verdict: { kind: 'native', detail: HIDDEN },
      }),
      toOutcome('r1', undefined, { ...described, error, partial, ledger: [{ ...ATTEMPT, reason: HIDDEN }] }),
    ];
    const toEntries = (outcome: RunOutcome): LaneEntry[] => [
      toMessage('m', HIDDEN, { toolName: HIDDEN, toolCalls: [call] }),
      toRun('r1', outcome, { results: { 0: toResult(HIDDEN) }, step: { agentRunId: 'g', number: 1 } }),
    ];
    for (const tab of TABS) {
      for (const outcome of outcomes) {
        const other = toRun('r1', toOutcome('r1', toReply('Prose.')));
        const { host } = await draw({
          lanes: { a: { entries: toEntries(outcome) }, b: { entries: [toMessage('m', HIDDEN), other] } },
          view: { tab, results: new Map([['r1', { 1: { content: '', isError: false, isOpen: true } }]]) },
          document: {
            tools: [{ ...TOOL, name: HIDDEN, description: HIDDEN }],
            warnings: [{ line: 1, message: HIDDEN }],
          },
          notice: HIDDEN,
        });
        expect(hiddenIn(host)).toEqual([]);
        expect(host.querySelectorAll('.mark-char').length).toBeGreaterThan(8);
      }
    }
  });

  it('makes hidden characters visible in a running reply', async () => {
    const call = { ...CALL, name: HIDDEN };
    const asked = toRun('r1', toOutcome('r1', toReply('', [call])), { asked: [0] });
    const reply = toLiveReply({
      content: HIDDEN,
      reasoning: HIDDEN,
      toolCalls: [{ name: HIDDEN, arguments: HIDDEN }],
    });
    const lanes = {
      a: { entries: [toMessage('m'), asked], run: toRunState('r1', { phase: 'answering' }) },
      b: { ...BUSY, progress: toProgress('r1', { reply }) },
    };
    const { host } = await draw({ lanes, view: { tab: 'reply', laneId: 'b' } });
    expect(hiddenIn(host)).toEqual([]);
    expect(host.querySelectorAll('pg-growing-text .mark-char').length).toBeGreaterThan(3);
  });

  it('has no style attribute, which the content security policy forbids', async () => {
    const entries = [toMessage('m'), toRun('r1', toOutcome('r1', toReply('Cold.', [CALL])))];
    for (const tab of TABS) {
      const { host } = await draw({ lanes: { a: { entries }, b: {} }, view: { tab, openSettings: ['a'] } });
      const styled = [...host.querySelectorAll('[style]')].map((element) => element.className);
      expect(styled.filter((name) => name !== 'work')).toEqual([]);
    }
  });

  it('contains the documented labels', async () => {
    const { host } = await draw({
      lanes: { a: { entries: [toMessage('m')] }, b: {} },
      view: { openSettings: ['a'] },
    });
    expect(buttonsIn(host)).toEqual(
      expect.arrayContaining([
        'Run',
        'Run agent',
        'Stop',
        'Add lane',
        'Tools',
        'Run lane',
        'Lane settings',
        'Clear conversation',
      ]),
    );
    const fields = [...host.querySelectorAll('vscode-text-field, vscode-text-area')].map(textOf);
    expect(fields).toEqual(
      expect.arrayContaining([
        'System prompt',
        'Message',
        'Temperature',
        'Top P',
        'Top K',
        'Seed',
        'Max tokens',
        'Context size',
        'Stop sequences',
        'Repeat penalty',
      ]),
    );
    expect(
      [...host.querySelectorAll('[role=region]')].map((region) => region.getAttribute('aria-label')),
    ).toEqual(['Lane 1', 'Lane 2']);
    expect(host.querySelector('.side')?.getAttribute('aria-label')).toBe('Inspector');
  });

  it('has its parts in reading order', async () => {
    const { host } = await draw();
    const order = ['.view-tabs', '.run', '.system', '.lane', '.composer', '.side'].map((selector) =>
      host.querySelector(selector),
    );
    for (const [index, element] of order.entries()) {
      const next = order[index + 1];
      if (!element || !next) continue;
      expect(element.compareDocumentPosition(next) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    }
  });

  it('runs every lane with a key from anywhere', async () => {
    const { sent, settle } = await draw({ lanes: { a: {}, b: {} }, document: { draft: 'Hello' } });
    press(window, 'Enter', { ctrlKey: true });
    await settle();
    expect(sent('run/start')).toEqual([{ laneIds: ['a', 'b'], kind: 'chat', text: 'Hello' }]);
  });

  it('stops the focused lane with Escape, and all lanes with a second Escape', async () => {
    const { host, sent, settle } = await draw({ lanes: { a: BUSY, b: BUSY } });
    const lane = host.querySelectorAll('.lane')[1];
    if (!lane) throw new Error('no lane');
    findButton(lane, 'Stop lane').focus();
    press(document.activeElement ?? window, 'Escape');
    press(document.activeElement ?? window, 'Escape');
    await settle();
    expect(sent('run/stop')).toEqual([{ laneIds: ['b'] }, {}]);
  });

  it('stops only the focused lane again when it is another run', async () => {
    for (const begunAt of [5, 6]) {
      const lane = { ...BUSY, run: toRunState('r1', { begunAt }) };
      const { host, sent, settle } = await draw({ lanes: { a: BUSY, b: lane } });
      host.querySelectorAll<HTMLElement>('.lane')[1]?.focus();
      press(document.activeElement ?? window, 'Escape');
      await settle();
      expect(sent('run/stop')).toEqual([{ laneIds: ['b'] }]);
      host.remove();
    }
  });

  it('stops all lanes with Escape from elsewhere', async () => {
    const busy = await draw({ lanes: { a: BUSY, b: BUSY } });
    press(window, 'Escape');
    await busy.settle();
    expect(busy.sent('run/stop')).toEqual([{}]);
  });

  it.each<[what: string, leave: () => unknown]>([
    ['by a keyboard shortcut', () => press(document.body, 'Control', { ctrlKey: true })],
    ['by a function key', () => press(document.body, 'F6')],
    ['with the pointer', () => document.documentElement.dispatchEvent(new Event('pointerleave'))],
    ['for another part of the window', () => window.dispatchEvent(new Event('blur'))],
    ['when it is hidden', () => document.dispatchEvent(new Event('visibilitychange'))],
    ['when it is closed', () => window.dispatchEvent(new Event('pagehide'))],
  ])('sends typed text as soon as the panel is left %s', async (_what, leave) => {
    const { sent, playground } = await draw();
    playground.fields.type(MESSAGE_KEY, 'Is it');
    expect(sent('message/draft')).toEqual([]);
    leave();
    expect(sent('message/draft')).toEqual([{ text: 'Is it' }]);
  });

  it('focuses a lane with Alt and its number, and the message box with Alt+0, from every view', async () => {
    const { host, playground } = await draw({ lanes: { a: {}, b: {} }, view: { view: 'tools' } });
    const event = press(window, '2', { altKey: true, code: 'Digit2' });
    expect(event.defaultPrevented).toBe(true);
    expect(playground.state.view).toMatchObject({ view: 'chat', laneId: 'b' });
    await nextFrames();
    expect(document.activeElement).toBe(host.querySelectorAll('.lane')[1]);
    press(window, '0', { altKey: true, code: 'Digit0' });
    await nextFrames();
    expect(document.activeElement).toBe(host.querySelector('.composer vscode-text-area'));
    expect(playground.state.view.laneId).toBe('b');
  });

  it.each<[string, boolean, boolean | undefined]>([
    ['has room, and remembers that it was folded', true, false],
    ['has no room, and remembers that it was unfolded', false, true],
  ])('folds the inspector by a button and by a key where it %s', async (_title, hasInspectorRoom, kept) => {
    const { host, playground, settle } = await draw();
    const isShown = (): boolean => host.querySelector('.side') !== null;
    playground.update((state) => ({ ...state, hasInspectorRoom }));
    await settle();
    expect(isShown()).toBe(hasInspectorRoom);
    const button = findButton(host, 'Inspector');
    expect(button.getAttribute('aria-expanded')).toBe(String(hasInspectorRoom));
    button.click();
    await settle();
    expect(isShown()).toBe(!hasInspectorRoom);
    expect(playground.state.view.isInspectorOpen).toBe(kept);
    expect(press(window, 'i', { altKey: true, code: 'KeyI' }).defaultPrevented).toBe(true);
    await settle();
    expect(isShown()).toBe(hasInspectorRoom);
    expect(playground.state.view.isInspectorOpen).toBeUndefined();
  });

  it('unfolds the inspector for what is chosen in the conversation', async () => {
    const entries = [toMessage('m'), toRun('r1', toOutcome('r1', toReply('', [CALL])))];
    const { host, settle } = await draw({ lanes: { a: { entries } }, view: { isInspectorOpen: false } });
    host.querySelector<HTMLElement>('.call .head')?.click();
    await settle();
    expect(host.querySelector('.side .crumb')).not.toBeNull();
  });

  it('does not pass on its focus keys to the editor, but all other keys', async () => {
    const { host } = await draw({ lanes: { a: {}, b: {} } });
    const passed: string[] = [];
    const note = ({ code, ctrlKey }: KeyboardEvent): void =>
      void passed.push(ctrlKey ? `Ctrl ${code}` : code);
    window.addEventListener('keydown', note);
    const main = host.querySelector('main') as HTMLElement;
    for (const code of ['Digit0', 'Digit1', 'Digit2', 'Digit3', 'KeyA'])
      press(main, '', { altKey: true, code });
    // AltGr, as reported on Windows.
    press(main, '@', { altKey: true, ctrlKey: true, code: 'Digit2' });
    window.removeEventListener('keydown', note);
    await nextFrames();
    expect(passed).toEqual(['Digit3', 'KeyA', 'Ctrl Digit2']);
  });

  it('leaves Ctrl+A in a box to the browser, and elsewhere to the editor', async () => {
    const { host } = await draw();
    const passed: string[] = [];
    const note = ({ target }: Event): void => void passed.push((target as Element).localName);
    window.addEventListener('keydown', note);
    const main = host.querySelector('main') as HTMLElement;
    const box = document.createElement('textarea');
    main.append(box);
    const events = [box, main].map((target) => press(target, 'a', { ctrlKey: true, code: 'KeyA' }));
    press(box, 'a', { code: 'KeyA' });
    window.removeEventListener('keydown', note);
    expect(passed).toEqual(['main', 'textarea']);
    expect(events.some((event) => event.defaultPrevented)).toBe(false);
  });

  it('adds a lane and focuses it', async () => {
    const { host, playground, settle, sent } = await draw({ answers: { 'lane/add': { laneId: 'b' } } });
    findButton(host, 'Add lane').click();
    await settle();
    expect(sent('lane/add')).toEqual([{}]);
    playground.update((state) => ({
      ...state,
      session: applySnapshot(state.session, {
        document: toDocument([toLane('a'), toLane('b')], { version: 2 }),
        laneIds: ['a', 'b'],
        lanes: [{ id: 'b', version: 1, entries: [], run: null }],
      }),
    }));
    await settle();
    await nextFrames();
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Lane 2');
  });

  it('disables adding a ninth lane', async () => {
    const lanes = Object.fromEntries(Array.from('abcdefgh', (id) => [id, {}]));
    const { host } = await draw({ lanes });
    expect(findButton(host, 'Add lane').hasAttribute('disabled')).toBe(true);
  });

  it('has one primary button', async () => {
    const called = { entries: [toMessage('m'), toRun('r1', toOutcome('r1', toReply('', [CALL])))] };
    const primary = async (options: DrawOptions): Promise<string[]> =>
      [...(await draw(options)).host.querySelectorAll('vscode-button[appearance=primary]')].map(textOf);
    expect(await primary({ document: { draft: 'x' } })).toEqual(['Run']);
    expect(await primary({ lanes: { a: called, b: called } })).toEqual(['Give result']);
    expect(await primary({ lanes: { a: called }, document: { draft: 'x' } })).toEqual(['Run']);
  });

  it('announces to screen readers what each lane does, without the clock', async () => {
    const progress = toProgress('r1', { phase: 'waiting-for-headers', since: 0 });
    const drawn = await draw({ lanes: { a: { ...BUSY, progress }, b: {} }, now: 42_000 });
    expect(status(drawn)).toBe('Lane 1: Waiting for headers');
    const reading = toProgress('r1', { reply: toLiveReply({ content: '<tool_call>' }) });
    expect(status(await draw({ lanes: { a: { ...BUSY, progress: reading } } }))).toBe(
      'Reading · a call is being written',
    );
  });

  it('announces a notice without what the lanes do, and of those only what has changed', async () => {
    const { host, playground, settle } = await draw({ lanes: { a: BUSY, b: BUSY } });
    playground.notify('Copied.');
    await settle();
    const [lanes, notice, ...others] = host.querySelectorAll('[role=status]');
    expect([textOf(notice), lanes?.getAttribute('aria-atomic'), others]).toEqual(['Copied.', 'false', []]);
    expect([...(lanes?.children ?? [])].map(textOf)).toEqual(['Lane 1: Sending', 'Lane 2: Sending']);
  });

  it('shows the last valid state when the document is invalid, and disables changes', async () => {
    const { host, text } = await draw({
      lanes: { a: { entries: [toMessage('m', 'Still here')] } },
      document: { error: { line: 2, message: 'Expected a comma.' }, blocker: 'Line 2 cannot be read.' },
      view: { openSettings: ['a'] },
    });
    expect(text()).toContain('Still here');
    for (const label of ['Run', 'Add lane', 'Run lane', 'Clear conversation']) {
      expect(findButton(host, label).hasAttribute('disabled')).toBe(true);
    }
    const fields = [...host.querySelectorAll('vscode-text-field, vscode-text-area')];
    expect(fields.every((field) => field.hasAttribute('disabled'))).toBe(true);
    expect(buttonsIn(host)).toContain('Open as Text');
  });

  it('says in every view why the document is invalid; shows a document without lanes', async () => {
    const document = { error: { line: 2, message: 'Expected a comma.' } };
    for (const view of ['chat', 'tools', 'embeddings']) {
      const { host } = await draw({ lanes: {}, document, view: { view } });
      expect(textOf(host.querySelector('[role=alert]'))).toContain('Line 2: Expected a comma.');
    }
  });

  it('shows the view Embeddings, and marks its tab while it runs', async () => {
    const drawn = await draw();
    findButton(drawn.host, 'Embeddings').click();
    await drawn.settle();
    expect(drawn.text()).toContain('Embed turns each text into a vector');
    const texts = [...drawn.host.querySelectorAll<HTMLInputElement>('.texts vscode-text-area')];
    expect(texts.map(({ value }) => value)).toHaveLength(3);
    expect(drawn.playground.state.view.view).toBe('embeddings');
  });
});
