// The left edge of the inspector, which is dragged or moved with the arrow keys. Fires `pg-resize` with the wanted size
// in pixels, or null for the default. Depends only on its parent, which it resizes, and on the element around
// that.
import { t } from '@vscode/l10n';
import { PanelElement } from './panel-element';

const STEP = 16;
const MIN_SIZE = 200;
/** Minimum size of the other side, in pixels. */
const MIN_REST = 280;

export class Sash extends PanelElement {
  constructor() {
    super();
    this.addEventListener('keydown', this.#pressed);
    this.addEventListener('pointerdown', this.#grabbed);
    this.addEventListener('dblclick', () => this.#emit(null));
    // A resize of the window or of the other side may have changed the size in the meantime.
    this.addEventListener('focus', () => this.#setAria(this.#size()));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.setAttribute('role', 'separator');
    this.setAttribute('aria-orientation', 'vertical');
    this.setAttribute('aria-label', t('Size of the inspector'));
    this.tabIndex = 0;
  }

  override updated(): void {
    this.#setAria(this.#size());
  }

  /** Sets the ARIA values: a focusable separator has a value between a minimum and a maximum. */
  #setAria(size: number): void {
    const values = { now: size, min: MIN_SIZE, max: this.#max() };
    for (const [name, value] of Object.entries(values)) {
      this.setAttribute(`aria-value${name}`, String(Math.round(value)));
    }
  }

  #size(): number {
    return Math.round(this.parentElement?.getBoundingClientRect().width ?? 0);
  }

  #max(): number {
    return Math.max((this.#frame()?.getBoundingClientRect().width ?? 0) - MIN_REST, MIN_SIZE);
  }

  /**
   * Finds the element that holds both the parent and the other side, skipping elements without a box (`display:
   * contents`).
   */
  #frame(): Element | null | undefined {
    let frame = this.parentElement?.parentElement;
    while (frame && getComputedStyle(frame).display === 'contents') frame = frame.parentElement;
    return frame;
  }

  #emit(size: number | null): void {
    const detail = size === null ? null : Math.min(Math.max(size, MIN_SIZE), this.#max());
    this.dispatchEvent(new CustomEvent('pg-resize', { detail }));
    if (detail === null) requestAnimationFrame(() => this.#setAria(this.#size()));
    else this.#setAria(detail);
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    const sizes: Record<string, number | null> = {
      ArrowLeft: this.#size() + STEP,
      ArrowRight: this.#size() - STEP,
      Home: MIN_SIZE,
      End: this.#max(),
      Enter: null,
    };
    const size = sizes[event.key];
    if (size === undefined) return;
    event.preventDefault();
    this.#emit(size);
  };

  readonly #grabbed = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    event.preventDefault();
    this.focus();
    this.setPointerCapture(event.pointerId);
    const start = event.clientX;
    const size = this.#size();
    const drag = (moved: PointerEvent): void => this.#emit(size + start - moved.clientX);
    this.addEventListener('pointermove', drag);
    this.addEventListener('lostpointercapture', () => this.removeEventListener('pointermove', drag), {
      once: true,
    });
  };
}
