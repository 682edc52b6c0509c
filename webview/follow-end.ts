// Which part of a conversation is in view: what is new comes into view; a reply that grows is followed as long as its end
// was in view. Knows no state but a lane's entries.
import { lastRun } from './lanes/lane-queries';
import type { LaneState } from './session-state';

/** Rounding of positions; a reader who scrolled by more than this is left where he is. */
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

  /** To be called when the conversation was drawn anew, before its turns are. */
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
    // what the person is to do next stands at the end
    if (isNewWait) this.#show('end');
    if (latest === before || isNewWait) return;
    // a reply that was followed is read from its end, one that came in one piece from its beginning
    const wasFollowed = this.#root.querySelector('.live .pre') !== null;
    if (before === undefined || !isOver) this.#show('end');
    else if (this.#isEndInView) this.#show(wasFollowed ? 'end' : 'turn');
  }

  /** The parts of a long text are drawn one task later. */
  #show(what: 'end' | 'turn'): void {
    this.#isEndInView = true;
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
    // a conversation that is not shown has no place
    if (!end || end.width === 0) return;
    // a reader of what is below the conversation has left its end, too
    this.#isEndInView = end.bottom <= edgeOf(this.#root) + TOLERANCE_PX && end.bottom >= 0;
  };
}

/** What an agent run waits for the person with; '' while it does not. */
function waitOf(lane: LaneState): string {
  const last = lastRun(lane);
  if (lane.run?.phase === 'paused') return `paused ${last?.id ?? ''}`;
  const asked = last?.asked ?? [];
  return asked.length > 0 ? `asked ${last?.id ?? ''} ${asked.join(' ')}` : '';
}

/** @param from Stays in view when there is no room for all that follows it. */
function scrollToEnd(root: HTMLElement, from?: HTMLElement): void {
  const end = root.querySelector('.turns-end')?.getBoundingClientRect();
  if (!end || end.width === 0) return;
  const hidden = end.bottom - edgeOf(root);
  const strip = root.parentElement?.querySelector('.strip')?.getBoundingClientRect().bottom ?? 0;
  const room = from ? (from.firstElementChild ?? from).getBoundingClientRect().top - strip : hidden;
  const distance = Math.min(hidden, room);
  // upwards alone: a lane that lies beside the window stays there
  if (distance > 0) scrollerOf(root).scrollTop += distance;
}

/** Where the part of the window ends in which the conversation is seen. */
function edgeOf(root: HTMLElement): number {
  const box = document.querySelector('.composer')?.getBoundingClientRect();
  const scroller = scrollerOf(root).getBoundingClientRect().bottom;
  const isOver = box !== undefined && box.top > 0;
  return Math.min(isOver ? box.top : window.innerHeight, Math.max(scroller, 0) || window.innerHeight);
}

function scrollerOf(root: HTMLElement): Element {
  for (let element = root.parentElement; element; element = element.parentElement) {
    const isScroller = /auto|scroll/.test(getComputedStyle(element).overflowY);
    if (isScroller && element.scrollHeight > element.clientHeight) return element;
  }
  return document.scrollingElement ?? document.documentElement;
}
