// Scrolls a conversation: new entries come into view, and a growing reply is followed as long as its end was
// visible. Depends on a lane's entries and no other state.
import { lastRun } from '../lanes/lane-queries';
import type { LaneState } from '../state/session-state';

/** In pixels. Allows for rounding; a reader who scrolled away by more is not moved. */
const TOLERANCE_PX = 8;

export class FollowEnd {
  readonly #root: HTMLElement;
  #isEndInView = true;
  #latest: string | undefined;
  #wait = '';
  #observer: ResizeObserver | undefined;

  /** @param root Holds the turns and, at their end, `.turns-end`. */
  constructor(root: HTMLElement) {
    this.#root = root;
  }

  connect(): void {
    document.addEventListener('scroll', this.#scrolled, { capture: true, passive: true });
    if (typeof ResizeObserver !== 'undefined') this.#observer = new ResizeObserver(this.#resized);
  }

  disconnect(): void {
    document.removeEventListener('scroll', this.#scrolled, { capture: true });
    this.#observer?.disconnect();
  }

  /** Must be called after the conversation was drawn and before its turns are. */
  changed(lane: LaneState): void {
    const turns = this.#root.firstElementChild;
    if (turns) this.#observer?.observe(turns);
    const run = lastRun(lane);
    const isOver = run?.outcome !== undefined;
    const latest = `${lane.order.length} ${lane.order.at(-1) ?? ''} ${isOver}`;
    const before = this.#latest;
    this.#latest = latest;
    const wait = waitOf(lane);
    const isNewWait = wait !== '' && wait !== this.#wait;
    this.#wait = wait;
    // What the person has to do next stands at the end.
    if (isNewWait) this.#show('end');
    if (latest === before || isNewWait) return;
    // A reply that was followed stays at its end; one that came in one piece is shown from its beginning.
    const wasFollowed = this.#root.querySelector('.live .pre') !== null;
    if (before === undefined || !isOver) this.#show('end');
    else if (this.#isEndInView) this.#show(wasFollowed ? 'end' : 'turn');
  }

  /** Waits one task, because the parts of a long text are drawn then. */
  #show(what: 'end' | 'turn'): void {
    // A turn that grows before it is shown must not scroll the view to its end.
    this.#isEndInView = what === 'end';
    setTimeout(() => {
      const turn = [...this.#root.querySelectorAll<HTMLElement>('pg-turn')].at(-1);
      scrollToEnd(this.#root, what === 'turn' ? turn : undefined);
      if (what === 'turn') this.#scrolled();
    });
  }

  readonly #resized = (): void => {
    if (this.#isEndInView) scrollToEnd(this.#root);
  };

  readonly #scrolled = (): void => {
    const end = this.#root.querySelector('.turns-end')?.getBoundingClientRect();
    // A hidden conversation has no position.
    if (!end || end.width === 0) return;
    // A reader of something below the conversation has left its end, too.
    this.#isEndInView = end.bottom <= edgeOf(this.#root) + TOLERANCE_PX && end.bottom >= 0;
  };
}

/** Identifies what an agent run waits for; '' while it waits for nothing. */
function waitOf(lane: LaneState): string {
  const last = lastRun(lane);
  if (lane.run?.phase === 'paused') return `paused ${last?.id ?? ''}`;
  const asked = last?.asked ?? [];
  return asked.length > 0 ? `asked ${last?.id ?? ''} ${asked.join(' ')}` : '';
}

/** @param from Element that stays in view when what follows it does not fit. */
function scrollToEnd(root: HTMLElement, from?: HTMLElement): void {
  const end = root.querySelector('.turns-end')?.getBoundingClientRect();
  if (!end || end.width === 0) return;
  const hidden = end.bottom - edgeOf(root);
  const strip = root.parentElement?.querySelector('.strip')?.getBoundingClientRect().bottom ?? 0;
  const room = from ? (from.firstElementChild ?? from).getBoundingClientRect().top - strip : hidden;
  const distance = Math.min(hidden, room);
  // Only scrolls down: a lane that is beside the visible part stays there.
  if (distance > 0) scrollerOf(root).scrollTop += distance;
}

/** Bottom edge of the visible part of the conversation, above the message box. */
function edgeOf(root: HTMLElement): number {
  const box = document.querySelector('.composer')?.getBoundingClientRect();
  const scroller = scrollerOf(root).getBoundingClientRect().bottom;
  const isOver = box !== undefined && box.top > 0;
  return Math.min(isOver ? box.top : window.innerHeight, Math.max(scroller, 0) || window.innerHeight);
}

/** The element that scrolls what `root` is in. */
export function scrollerOf(root: HTMLElement): Element {
  for (let element = root.parentElement; element; element = element.parentElement) {
    const isScroller = /auto|scroll/.test(getComputedStyle(element).overflowY);
    if (isScroller && element.scrollHeight > element.clientHeight) return element;
  }
  return document.scrollingElement ?? document.documentElement;
}
