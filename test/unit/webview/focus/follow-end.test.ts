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
  return { at, scroller, change, scroll, find, follow };
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
