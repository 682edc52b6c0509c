// The rows of a long table that are in sight, so that thousands of them scroll without a pause: which of them to draw, the room
// that the others take, and how a row comes into sight. Belongs to the element that draws the table, and knows nothing of the rows.
import type { ReactiveController } from 'lit';
import { cssText } from '../../text/css-text';
import type { PanelElement } from './panel-element';

/** In pixels, until a row is drawn. */
const ROW_HEIGHT = 25;
/** Rows are drawn anew when so many were scrolled; as many are drawn beyond what is in sight. */
const STEP = 10;

export class RowWindow implements ReactiveController {
  readonly #host: PanelElement;
  readonly #count: () => number;
  #top = 0;
  #frame = 0;
  #rowHeight = ROW_HEIGHT;
  #isMeasured = false;
  readonly #sizes =
    typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(() => this.#resized());

  /** @param count Of all rows. */
  constructor(host: PanelElement, count: () => number) {
    this.#host = host;
    this.#count = count;
    host.addController(this);
  }

  /** Index of the first row in sight, in steps. */
  get top(): number {
    return this.#top;
  }

  /** By how many rows Page Up and Page Down move. */
  get page(): number {
    return Math.max(Math.floor(window.innerHeight / this.#rowHeight / 2), 1);
  }

  /** The rows to draw: those in sight, and some beyond. */
  get drawn(): [first: number, end: number] {
    const shown = Math.ceil(window.innerHeight / this.#rowHeight) + STEP + 2;
    const first = Math.max(Math.min(this.#top - 2, this.#count() - shown), 0);
    return [first, Math.min(first + shown + 2, this.#count())];
  }

  /** Style of the body of the table: the room of the rows that are not drawn. */
  room([first, end]: readonly [first: number, end: number]): string {
    return cssText({
      'padding-top': `${first * this.#rowHeight}px`,
      'padding-bottom': `${Math.max(this.#count() - end, 0) * this.#rowHeight}px`,
    });
  }

  /** Scrolls a row between the head of the table and the end of what is in sight. */
  show(index: number): void {
    this.#host.requestUpdate();
    const body = this.#body();
    if (!body) return;
    const own = this.scroller();
    const scroller = own ?? document.documentElement;
    const bar = document.querySelector('.bar')?.getBoundingClientRect().bottom ?? 0;
    const area = own?.getBoundingClientRect() ?? { top: Math.max(bar, 0), bottom: window.innerHeight };
    const head = this.#host.querySelector('thead')?.getBoundingClientRect().height ?? 0;
    const start = body.top + index * this.#rowHeight;
    const above = area.top + head - start;
    const below = start + this.#rowHeight - area.bottom;
    if (above > 0) scroller.scrollTop -= above;
    else if (below > 0) scroller.scrollTop += below;
  }

  /** The part of the page around the table that scrolls; undefined where the whole page does, or nothing is out of sight. */
  scroller(): HTMLElement | undefined {
    const page = this.#page();
    if (!page || page.scrollHeight <= page.clientHeight + 1) return undefined;
    return getComputedStyle(page).overflowY === 'auto' ? page : undefined;
  }

  hostConnected(): void {
    // Scrolling does not bubble, and in a narrow window the page scrolls instead of this part of it.
    document.addEventListener('scroll', this.#scrolled, { capture: true, passive: true });
    window.addEventListener('resize', this.#resized);
    // A sash beside it makes it wider or narrower, too.
    const page = this.#page();
    if (page) this.#sizes?.observe(page);
  }

  hostDisconnected(): void {
    document.removeEventListener('scroll', this.#scrolled, { capture: true });
    window.removeEventListener('resize', this.#resized);
    this.#sizes?.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  hostUpdated(): void {
    this.#measure();
  }

  readonly #resized = (): void => {
    this.#isMeasured = false;
    this.#measure();
    this.#scrolled();
  };

  /** The height of a row depends on the width of the table. Read once, because reading it lays out the page. */
  #measure(): void {
    const row = this.#host.querySelector<HTMLElement>('tbody tr');
    if (this.#isMeasured || !row) return;
    this.#isMeasured = true;
    this.#rowHeight = row.offsetHeight || ROW_HEIGHT;
    this.#host.requestUpdate();
  }

  readonly #scrolled = (): void => {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      const body = this.#body();
      if (!body) return;
      const edge = Math.max(this.#page()?.getBoundingClientRect().top ?? 0, 0);
      const first = Math.floor((edge - body.top) / this.#rowHeight);
      const last = Math.max(this.#count() - 1, 0);
      const top = Math.min(Math.max(Math.floor(first / STEP) * STEP, 0), last);
      if (top === this.#top) return;
      this.#top = top;
      this.#host.requestUpdate();
    });
  };

  /** The part of the view that the table is in. */
  #page(): HTMLElement | null {
    return this.#host.closest<HTMLElement>('.page');
  }

  #body(): DOMRect | undefined {
    return this.#host.querySelector('tbody')?.getBoundingClientRect();
  }
}
