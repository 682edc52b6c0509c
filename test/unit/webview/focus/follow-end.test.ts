// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FollowEnd } from '../../../../webview/focus/follow-end';
import type { LaneSample } from '../samples';
import { CALL, laneIn, toOutcome, toPanel, toReply, toRun, toRunState } from '../samples';

const EDGE = 600;
const RUNNING: LaneSample = { entries: [toRun('r1')], run: toRunState('r1') };
const ENDED: LaneSample = { entries: [toRun('r1', toOutcome('r1', toReply('Cold.')))] };

/** A scrollable conversation above a message box at 600 pixels; `end` is the position of its end in the window. */
function place() {
  document.body.innerHTML =
    '<div class="scroller"><div class="root"><div class="turns"><pg-turn><p></p></pg-turn><div class="turns-end"></div></div></div></div><div class="composer"></div>';
  const at = { end: 500, turn: 400 };
  const find = (selector: string): HTMLElement => {
    const found = document.querySelector<HTMLElement>(selector);
    if (!found) throw new Error(selector);
    return found;
  };
  const scroller = find('.scroller');
  scroller.style.overflowY = 'auto';
  Object.defineProperty(scroller, 'scrollHeight', { value: 5000 });
  Object.defineProperty(scroller, 'clientHeight', { value: EDGE });
  scroller.getBoundingClientRect = () => new DOMRect(0, 0, 100, EDGE);
  find('.composer').getBoundingClientRect = () => new DOMRect(0, EDGE, 100, 50);
  find('.turns-end').getBoundingClientRect = () => new DOMRect(0, at.end - 1 - scroller.scrollTop, 100, 1);
  find('p').getBoundingClientRect = () => new DOMRect(0, at.turn - scroller.scrollTop, 100, 1);
  const follow = new FollowEnd(find('.root'));
  follow.connect();
  const change = (lane: LaneSample): void => {
    follow.changed(laneIn(toPanel({ a: lane })));
    vi.runAllTimers();
  };
  const scroll = (): void => void scroller.dispatchEvent(new Event('scroll'));
  /** The event of a scroll that really happened. */
  const scrollTo = (top: number): void => {
    scroller.scrollTop = top;
    const event = new Event('scroll');
    Object.defineProperty(event, 'isTrusted', { value: true });
    scroller.dispatchEvent(event);
  };
  return { at, scroller, change, scroll, scrollTo, find, follow };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

describe('FollowEnd', () => {
  it('scrolls a new turn into view, wherever the reader is', () => {
    const { at, scroller, change, scroll } = place();
    at.end = 5000;
    scroll();
    change(RUNNING);
    expect(scroller.scrollTop).toBe(5000 - EDGE);
  });

  it('scrolls with a visible reply to its end', () => {
    const { at, scroller, change, find } = place();
    change(RUNNING);
    find('pg-turn').innerHTML = '<p></p><div class="live"><span class="pre">x</span></div>';
    at.end = 2000;
    change(ENDED);
    expect(scroller.scrollTop).toBe(2000 - EDGE);
  });

  it('shows the beginning of a reply that arrived in one piece', () => {
    const { at, scroller, change } = place();
    change(RUNNING);
    at.end = 2000;
    change(ENDED);
    expect(scroller.scrollTop).toBe(at.turn);
  });

  it('shows the beginning of such a reply even if the page is laid out before', () => {
    const observed: (() => void)[] = [];
    vi.stubGlobal(
      'ResizeObserver',
      class {
        constructor(resized: () => void) {
          observed.push(resized);
        }
        observe(): void {}
        disconnect(): void {}
      },
    );
    onTestFinished(() => void vi.unstubAllGlobals());
    const { at, scroller, change, follow } = place();
    change(RUNNING);
    at.end = 2000;
    follow.changed(laneIn(toPanel({ a: ENDED })));
    for (const resized of observed) resized();
    vi.runAllTimers();
    expect(scroller.scrollTop).toBe(at.turn);
  });

  it.each([
    ['reads further up', 5000],
    ['reads below the conversation', -200],
  ])('does not scroll for a reader who %s', (_title, end) => {
    const { at, scroller, change, scroll } = place();
    change(RUNNING);
    const before = scroller.scrollTop;
    at.end = end;
    scroll();
    change(ENDED);
    expect(scroller.scrollTop).toBe(before);
  });

  it.each([
    ['grew before its scrolling was reported', 1000, 1500],
    ['was not in view while another part was scrolled', 2500, 3000],
  ])('follows a conversation that %s', (_title, grown, end) => {
    const { at, scroller, change, scrollTo } = place();
    at.end = 900;
    change(RUNNING);
    at.end = grown;
    scrollTo(scroller.scrollTop);
    document.body.dispatchEvent(new Event('scroll'));
    at.end = end;
    at.turn = end - 100;
    change(ENDED);
    expect(scroller.scrollTop).toBe(end - EDGE);
  });

  it('stops to follow where the reader scrolls up, and follows again from the end', () => {
    const { at, scroller, change, scrollTo } = place();
    at.end = 900;
    change(RUNNING);
    scrollTo(300);
    scrollTo(100);
    at.end = 2000;
    change(ENDED);
    expect(scroller.scrollTop).toBe(100);
    scrollTo(1400);
    at.turn = 1900;
    change({ entries: [...(ENDED.entries ?? []), toRun('r2')], run: toRunState('r2') });
    at.end = 2600;
    at.turn = 2500;
    change({ entries: [...(ENDED.entries ?? []), toRun('r2', toOutcome('r2', toReply('Cold.')))] });
    expect(scroller.scrollTop).toBe(2600 - EDGE);
  });

  it('shows the end of what says why there is no reply, however long it is', () => {
    const { at, scroller, change } = place();
    change(RUNNING);
    at.end = 2000;
    change({ entries: [toRun('r1', toOutcome('r1', undefined))] });
    expect(scroller.scrollTop).toBe(2000 - EDGE);
  });

  it('follows where the room for the conversation shrinks', () => {
    const observed: Element[] = [];
    let resized = (): void => undefined;
    vi.stubGlobal(
      'ResizeObserver',
      class {
        constructor(callback: () => undefined) {
          resized = callback;
        }
        observe(element: Element): void {
          observed.push(element);
        }
        disconnect(): void {}
      },
    );
    onTestFinished(() => void vi.unstubAllGlobals());
    const { at, scroller, change, find } = place();
    scroller.className = 'lane';
    change(RUNNING);
    expect(observed).toEqual([find('.turns'), scroller]);
    at.end = 700;
    resized();
    expect(scroller.scrollTop).toBe(700 - EDGE);
  });

  it('does not scroll for other changes of a lane', () => {
    const { at, scroller, change } = place();
    change(ENDED);
    at.end = 3000;
    change(ENDED);
    expect(scroller.scrollTop).toBe(0);
  });

  it.each<[string, LaneSample]>([
    ['paused', { ...ENDED, run: toRunState('r1', { phase: 'paused' }) }],
    [
      'waiting for a result',
      {
        entries: [toRun('r1', toOutcome('r1', toReply('', [CALL])), { asked: [0] })],
        run: toRunState('r1', { phase: 'answering' }),
      },
    ],
  ])('scrolls to the end of a run that is %s, because the user has to act there', (_title, waiting) => {
    const { at, scroller, change, scroll } = place();
    change(RUNNING);
    at.end = 5000;
    scroll();
    change(waiting);
    expect(scroller.scrollTop).toBe(5000 - EDGE);
    scroller.scrollTop = 0;
    change(waiting);
    expect(scroller.scrollTop).toBe(0);
  });
});
