// Scrolls a conversation: new entries come into view, and what grows is followed to its end until the person scrolls
// away. Depends on a lane's entries and no other state.
import { lastRun } from '../lanes/lane-queries';
import type { LaneState } from '../state/session-state';

/** In pixels. Allows for rounding; a reader who scrolled away by more is not moved. */
const TOLERANCE_PX = 8;

export class FollowEnd {
  readonly #root: HTMLElement;
  /** Until the person scrolls up, or past the end. */
  #isFollowing = true;
  /** Where the conversation was scrolled to by the last scroll event, in pixels. */
  #top = 0;
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
  changed(state: LaneState): void {
    const lane = this.#root.closest('.lane');
    // The room for the conversation changes with the panel, and with what stands above it in the lane.
    for (const element of [this.#root.firstElementChild, lane, lane?.querySelector('.strip')])
      if (element) this.#observer?.observe(element);
    const run = lastRun(state);
    const isOver = run?.outcome !== undefined;
    const latest = `${state.order.length} ${state.order.at(-1) ?? ''} ${isOver}`;
    const before = this.#latest;
    this.#latest = latest;
    const wait = waitOf(state);
    const isNewWait = wait !== '' && wait !== this.#wait;
    this.#wait = wait;
    // What the person has to do next stands at the end.
    if (isNewWait) this.#show('end');
    if (latest === before || isNewWait) return;
    // A reply that was followed stays at its end, and so does the reason why there is none; a reply that came in one
    // piece is shown from its beginning.
    const isAtEnd = run?.outcome?.reply === undefined || this.#root.querySelector('.live .pre') !== null;
    if (before === undefined || !isOver) this.#show('end');
    else if (this.#isFollowing) this.#show(isAtEnd ? 'end' : 'turn');
  }

  /** Waits one task, because the parts of a long text are drawn then. */
  #show(what: 'end' | 'turn'): void {
    // A turn that grows before it is shown must not scroll the view to its end.
    this.#isFollowing = what === 'end';
    setTimeout(() => {
      const turn = [...this.#root.querySelectorAll<HTMLElement>('pg-turn')].at(-1);
      scrollToEnd(this.#root, what === 'turn' ? turn : undefined);
      if (what === 'turn') this.#isFollowing = this.#placeOfEnd() === 'visible';
    });
  }

  readonly #resized = (): void => {
    if (this.#isFollowing) scrollToEnd(this.#root);
  };

  /**
   * The end may be below the view only because the conversation has grown since it was scrolled. So a person has left
   * it only by scrolling up, or when the panel has shown something else and says so with an event of its own.
   */
  readonly #scrolled = ({ target, isTrusted }: Event): void => {
    const scroller = scrollerOf(this.#root);
    const isOwn = target === scroller || (target === document && scroller === document.scrollingElement);
    const place = this.#placeOfEnd();
    if (!isOwn || place === undefined) return;
    const isUp = scroller.scrollTop < this.#top;
    this.#top = scroller.scrollTop;
    if (place === 'visible') this.#isFollowing = true;
    else if (place === 'above' || isUp || !isTrusted) this.#isFollowing = false;
  };

  /** A reader of something below the conversation has its end above. Undefined for a hidden conversation. */
  #placeOfEnd(): 'above' | 'visible' | 'below' | undefined {
    const end = this.#root.querySelector('.turns-end')?.getBoundingClientRect();
    if (!end || end.width === 0) return undefined;
    if (end.bottom < 0) return 'above';
    return end.bottom <= edgeOf(this.#root) + TOLERANCE_PX ? 'visible' : 'below';
  }
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
  const room = from ? (from.firstElementChild ?? from).getBoundingClientRect().top - topOf(root) : hidden;
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

/** Top edge of the visible part of the conversation: in a single column, below the bars. */
function topOf(root: HTMLElement): number {
  const scroller = scrollerOf(root);
  if (scroller !== document.scrollingElement) return scroller.getBoundingClientRect().top;
  const bars = [...document.querySelectorAll('.bar, .lane-bar')].map((bar) => bar.getBoundingClientRect());
  return Math.max(0, ...bars.map(({ bottom }) => bottom));
}

/** The element that scrolls what `root` is in. */
export function scrollerOf(root: HTMLElement): Element {
  for (let element = root.parentElement; element; element = element.parentElement) {
    const isScroller = /auto|scroll/.test(getComputedStyle(element).overflowY);
    if (isScroller && element.scrollHeight > element.clientHeight) return element;
  }
  return document.scrollingElement ?? document.documentElement;
}

/** Scrolls the element to the start of what is in sight. Not by `scrollIntoView`, which also moves the whole page inside of the editor. */
export function scrollToStart(element: HTMLElement): void {
  const scroller = scrollerOf(element);
  const from = scroller === document.scrollingElement ? 0 : scroller.getBoundingClientRect().top;
  const margin = Number.parseFloat(getComputedStyle(element).scrollMarginTop) || 0;
  const padding = Number.parseFloat(getComputedStyle(scroller).scrollPaddingTop) || 0;
  scroller.scrollTop += element.getBoundingClientRect().top - from - margin - padding;
  // Even where nothing moved, the end of the conversation may be out of view now, and is no longer to be followed.
  scroller.dispatchEvent(new Event('scroll'));
}
