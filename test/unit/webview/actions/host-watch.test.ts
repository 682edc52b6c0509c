import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { boxText } from '../../../../webview/actions/typed-fields';
import { HOST_GONE } from '../../../../webview/actions/host-watch';
import { openPanel, settle } from '../open-panel';
import { laneIn, toMessage, toRunState, toSnapshot } from '../samples';
import { MESSAGE_KEY } from '../../../../webview/state/view-state';

/** Longer than a host may be silent, in milliseconds. */
const LONG_MS = 15_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('HostWatch', () => {
  it('restores a message that the host never received, and says what to do', async () => {
    const { playground, host } = openPanel();
    await playground.start();
    host.isGone = true;
    playground.fields.type(MESSAGE_KEY, 'Is it cold?');
    const running = playground.run();
    await settle();
    expect(boxText(playground.state)).toBe('');
    await vi.advanceTimersByTimeAsync(LONG_MS);
    await running;
    expect(boxText(playground.state)).toBe('Is it cold?');
    expect(playground.state.openError).toEqual(HOST_GONE);
    expect(playground.state.notice).toContain('Reload the window');
  });

  it('sends no further requests once the host is gone', async () => {
    const { playground, host, sent } = openPanel();
    await playground.start();
    host.isGone = true;
    void playground.stop();
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect(await playground.addLane()).toBeUndefined();
    expect(sent('lane/add')).toEqual([]);
  });

  it('detects a host that disappears during a run, and stops the clock', async () => {
    const { playground, host } = openPanel({ a: { run: toRunState('r1') } });
    await playground.start();
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect(playground.state.openError).toBeUndefined();
    host.isGone = true;
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect(playground.state.openError).toEqual(HOST_GONE);
    const { now } = playground.state;
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect(playground.state.now).toBe(now);
  });

  it('waits without a limit for a host that responds', async () => {
    // A user may take minutes to find a key.
    const askForKey = (resolve: (reply: { hasKey: boolean }) => void): void =>
      void setTimeout(() => resolve({ hasKey: true }), 10 * LONG_MS);
    const handlers = { 'connection/set-key': () => new Promise(askForKey) };
    const { playground } = openPanel({ a: {} }, { handlers });
    await playground.start();
    const reply = playground.ask('connection/set-key', { connectionId: 'demo' });
    await vi.advanceTimersByTimeAsync(10 * LONG_MS);
    expect(await reply).toEqual({ hasKey: true });
  });

  it('reads everything again when a host that was unresponsive answers', async () => {
    const { playground, host, emit } = openPanel();
    await playground.start();
    host.isGone = true;
    void playground.stop();
    await vi.advanceTimersByTimeAsync(LONG_MS);
    host.isGone = false;
    host.snapshot = toSnapshot({ a: { entries: [toMessage('m1')] } });
    await emit({});
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect(playground.state.openError).toBeUndefined();
    expect(laneIn(playground.state).order).toEqual(['m1']);
  });

  it('has no timer when no reply is expected', async () => {
    const { playground, sent } = openPanel();
    await playground.start();
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect(vi.getTimerCount()).toBe(0);
    expect(sent('ping')).toEqual([]);
  });
});
