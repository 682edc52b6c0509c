import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ClientFrame } from '../../../src/protocol';
import { RpcClient } from '../../../src/protocol';
import type { App } from '../../../webview/app';
import { registerElements } from '../../../webview/elements';
import { loadLaterParts } from '../../../webview/later';
import { Playground } from '../../../webview/playground';
import type { PlaygroundState } from '../../../webview/state';
import { withRunEnded } from '../../../webview/state';
import { CALL, readingState, readyState, toOutcome, toRun, toTurn } from './samples';

const HOSTILE = '<img src=x onerror="globalThis.stolen = 1"><b>bold</b>';

beforeAll(async () => {
  registerElements();
  await loadLaterParts();
});

/** The panel as a whole, in the given state; what it posts is kept, nothing answers. */
async function drawPanel(change: Partial<PlaygroundState>) {
  const frames: ClientFrame[] = [];
  const client = new RpcClient((frame) => frames.push(frame));
  const playground = new Playground({ client, loadState: () => undefined, saveState: () => undefined });
  playground.set(readyState(change));
  const app = document.createElement('pg-app') as App;
  app.playground = playground;
  document.body.append(app);
  onTestFinished(() => app.remove());
  await settle(app);
  return { app, playground, frames };
}

/** The app, then the elements it drew, then those they drew. */
async function settle(app: App): Promise<void> {
  for (let depth = 0; depth < 3; depth++) {
    await app.updateComplete;
    const elements = [
      ...app.querySelectorAll<App>('pg-long-text, pg-content-value, pg-rescue-trace, pg-tools-menu'),
    ];
    await Promise.all(elements.map((element) => element.updateComplete));
  }
}

function findButton(app: App, label: string): HTMLElement {
  const buttons = [...app.querySelectorAll<HTMLElement>('vscode-button, button')];
  const found = buttons.find((button) => (button.ariaLabel ?? button.textContent).trim() === label);
  if (!found) throw new Error(`no button ${label}`);
  return found;
}

function messageText(app: App): string {
  return app.querySelector('.composer .state')?.textContent.trim() ?? '';
}

describe('App', () => {
  it('shows model text as text, wherever it appears', async () => {
    const call = { ...CALL, name: HOSTILE, arguments: { [HOSTILE]: HOSTILE } };
    const rejected = [{ format: 'f', start: 0, end: 1, reason: 'example', detail: HOSTILE, name: HOSTILE }];
    const turn = toTurn(HOSTILE, [call], { calls: [], content: HOSTILE, rejected });
    const entries = [
      { kind: 'user' as const, id: 'u1', content: HOSTILE },
      toRun('r1', { ...toOutcome('r1', turn), findings: [{ severity: 'info', what: HOSTILE }] }),
    ];
    for (const tab of ['reply', 'tool-calls', 'rescue', 'attempts'] as const) {
      const { app } = await drawPanel({ entries, tab });
      expect(app.querySelector('img')).toBeNull();
      expect(app.textContent).toContain(HOSTILE);
      expect([...app.querySelectorAll('b')].some(({ textContent }) => textContent === 'bold')).toBe(false);
    }
  });

  it('has no style attribute, which the page would refuse', async () => {
    const entries = [toRun('r1', toOutcome('r1', toTurn('Cold.', [CALL])))];
    for (const tab of ['reply', 'tool-calls', 'rescue', 'attempts'] as const) {
      const { app } = await drawPanel({ entries, tab, isSettingsOpen: true });
      const styled = [...app.querySelectorAll('[style]')].map((element) => element.className);
      expect(styled.filter((name) => name !== 'work')).toEqual([]);
    }
  });

  it('shows a call with its arguments and where it came from', async () => {
    const entries = [toRun('r1', toOutcome('r1', toTurn('', [CALL])))];
    const { app } = await drawPanel({ entries });
    const card = app.querySelector('.call');
    expect(card?.querySelector('.name')?.textContent).toBe('get_weather');
    expect(card?.querySelector('.src')?.textContent.trim()).toBe('native');
    expect(card?.querySelector('dt')?.textContent).toBe('city');
    expect(card?.querySelector('dd')?.textContent).toBe('"Oslo"');
  });

  it('gives a result that starts with the mock of the tool', async () => {
    const entries = [toRun('r1', toOutcome('r1', toTurn('', [CALL])))];
    const { app, playground, frames } = await drawPanel({ entries });
    findButton(app, 'Give result').click();
    await settle(app);
    expect(app.querySelector('.result-editor')?.textContent).toContain('Result of get_weather');
    expect(playground.state.entries[0]).toMatchObject({ drafts: { 0: { content: '{"temp_c":-2}' } } });
    findButton(app, 'Send result').click();
    await settle(app);
    expect(app.querySelector('.call .foot')?.textContent).toMatch(/result\s*\{"temp_c":-2\}/);
    expect(frames.at(-1)).toMatchObject({ kind: 'request', method: 'chat/run' });
    expect(playground.state.pendingRunId).toBeDefined();
  });

  it('keeps a result that is being written when its editor closes', async () => {
    const drafts = { 0: { content: 'half a res', isError: true, isOpen: true } };
    const entries = [{ ...toRun('r1', toOutcome('r1', toTurn('', [CALL]))), drafts }];
    const { app, playground } = await drawPanel({ entries });
    findButton(app, 'Close').click();
    await settle(app);
    expect(app.querySelector('.result-editor')).toBeNull();
    findButton(app, 'Give result').click();
    expect(playground.state.entries[0]).toMatchObject({
      drafts: { 0: { content: 'half a res', isError: true } },
    });
  });

  it('says why Run is off', async () => {
    const { app } = await drawPanel({ draft: '' });
    expect(findButton(app, 'Run').hasAttribute('disabled')).toBe(true);
    expect(messageText(app)).toBe('Write a message to run.');
  });

  it('runs by key from anywhere and stops by Escape', async () => {
    const { app, playground, frames } = await drawPanel({});
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, cancelable: true }));
    await settle(app);
    expect(playground.state.pendingRunId).toBeDefined();
    expect(findButton(app, 'Stop').hasAttribute('disabled')).toBe(false);
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
    expect(frames.map(({ kind }) => kind)).toEqual(['request', 'cancel']);
  });

  it('says what a run waits for, with a clock that a screen reader is spared', async () => {
    const now = 100_000;
    const base = { runId: 'r1', attempt: 3, maxAttempts: 3, ledger: [] };
    const { app, playground } = await drawPanel({
      entries: [toRun('r1')],
      pendingRunId: 'r1',
      now,
      progress: { ...base, phase: 'waiting-for-headers', since: now - 42_000 },
    });
    expect(app.querySelector('.outcome .what')?.textContent).toBe('Waiting for headers · 0:42');
    expect(app.querySelector('[role=status]')?.textContent).toBe('Waiting for headers');
    playground.set({ progress: { ...base, phase: 'waiting-to-retry', since: now, delayMs: 1500 } });
    await settle(app);
    expect(app.querySelector('.outcome .what')?.textContent).toBe('Waiting 1.5 s before try 3 of 3');
  });

  it('shows a reply while it is read, in the lane and the inspector, until the outcome takes its place', async () => {
    const { app, playground } = await drawPanel(readingState({ content: 'Let me look.' }));
    const band = (): unknown => app.querySelector('.outcome .what')?.textContent;
    expect(band()).toBe('Reading');
    expect(app.querySelector('.turns .live')?.textContent.trim()).toBe('Let me look.');
    expect(app.querySelector('.side .sec')?.textContent).toMatch(
      /Reading the reply\s+content\s+Let me look\./,
    );
    playground.set(readingState({ content: `Let me look.\n<tool_call>${HOSTILE}` }));
    await settle(app);
    expect(band()).toBe('Reading · a call is being written');
    expect(app.querySelector('[role=status]')?.textContent).toBe('Reading · a call is being written');
    expect(app.querySelector('.turns .mono .pre')?.textContent).toBe(`<tool_call>${HOSTILE}`);
    expect(app.querySelector('img')).toBeNull();
    playground.update((state) =>
      withRunEnded(state, 'r1', { outcome: toOutcome('r1', toTurn('Cold.', [])) }),
    );
    await settle(app);
    expect(app.querySelector('.caret, .live')).toBeNull();
    expect(app.querySelector('.turns')?.textContent).toContain('Cold.');
    expect(app.textContent).not.toContain('Let me look.');
  });

  it('says what happened, why, and what to do next when a run fails', async () => {
    const { app } = await drawPanel({ entries: [toRun('r1', toOutcome('r1', undefined))] });
    const alert = app.querySelector('.alert[role=alert]');
    expect([...(alert?.querySelectorAll('dt') ?? [])].map(({ textContent }) => textContent)).toEqual([
      'what',
      'why',
      'next',
    ]);
    expect(alert?.querySelector('code')?.textContent).toBe('POST /api/chat');
    expect(findButton(app, 'Run again')).toBeDefined();
    expect(findButton(app, 'Show log')).toBeDefined();
  });

  it('never writes an unknown number as 0', async () => {
    const turn = { ...toTurn('Cold.', []), usage: {} };
    const { app } = await drawPanel({ entries: [toRun('r1', toOutcome('r1', turn))] });
    const numbers = app.querySelector('.nums')?.textContent ?? '';
    expect(numbers).toContain('no tokens');
    expect(numbers).toContain('cost not set');
    expect(app.querySelector('.side')?.textContent).toContain('not set: this connection has no rates');
  });

  it('marks the fields that the server has no word for, and the ones that are wrong', async () => {
    const state = readyState();
    const { app } = await drawPanel({
      isSettingsOpen: true,
      lane: {
        ...state.lane,
        connectionId: 'hosted',
        model: 'm',
        sampling: { ...state.lane.sampling, seed: 'x' },
      },
    });
    const field = (label: string): string =>
      [...app.querySelectorAll('.field')].find(({ textContent }) => textContent.trim().startsWith(label))
        ?.textContent ?? '';
    expect(field('Top K')).toContain('dropped, this server has no word for it');
    expect(field('Top P')).not.toContain('dropped');
    expect(field('Seed')).toContain('must be a whole number');
    expect(messageText(app)).toBe('Seed must be a whole number.');
  });

  it('moves between the tabs by arrow keys, one of them in the tab order', async () => {
    const { app, playground } = await drawPanel({});
    const tabs = [...app.querySelectorAll<HTMLElement>('.side-tabs [role=tab]')];
    expect(tabs.map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1, -1]);
    tabs[0]?.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }));
    expect(playground.state.tab).toBe('attempts');
    tabs[3]?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
    expect(playground.state.tab).toBe('reply');
  });
});
