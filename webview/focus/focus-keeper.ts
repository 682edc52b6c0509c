// Moves the focus to a sensible place when the element that had it is disabled or removed, instead of losing it to
// the page. Independent of the panel's state.
import { t } from '@vscode/l10n';
import { findButton } from './focus';

/** Fallbacks outside the lane, in order of preference. */
const NEXT = [
  '.stop vscode-button:not([disabled])',
  '.composer vscode-text-area',
  '.embed-result',
  '.run vscode-button:not([disabled])',
  '.tool-editor',
];

/** The button that runs or stops the lane; its name changes when a run ends. */
function laneButton(lane: Element): HTMLElement | undefined {
  const found = findButton(lane, t('Stop lane')) ?? findButton(lane, t('Run lane'));
  return found?.hasAttribute('disabled') ? undefined : found;
}

export class FocusKeeper {
  readonly #root: HTMLElement;
  #held: HTMLElement | undefined;
  /** The lane that contained the focused element. */
  #lane: Element | null = null;
  #observer: MutationObserver | undefined;

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  connect(): void {
    this.#root.addEventListener('focusin', this.#entered);
    this.#observer = new MutationObserver(this.#changed);
    this.#observer.observe(this.#root, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['disabled'],
    });
  }

  disconnect(): void {
    this.#root.removeEventListener('focusin', this.#entered);
    this.#observer?.disconnect();
  }

  readonly #entered = ({ target }: FocusEvent): void => {
    this.#held = target instanceof HTMLElement ? target : undefined;
    this.#lane = this.#held?.closest('.lane') ?? null;
  };

  readonly #changed = (): void => {
    const held = this.#held;
    if (!held || isUsable(held)) return;
    this.#held = undefined;
    const lane = this.#lane;
    // The toolkit's elements apply their attributes in the next frame.
    requestAnimationFrame(() => requestAnimationFrame(() => this.#moveFrom(held, lane)));
  };

  #moveFrom(held: Element, lane: Element | null): void {
    const { activeElement } = document;
    const isLost = activeElement === held || activeElement === document.body || activeElement === null;
    // The focus may be in another part of the editor and is not taken from there.
    if (!isLost || isUsable(held) || !document.hasFocus()) return;
    const inLane = lane?.isConnected ? laneButton(lane) : undefined;
    const next = NEXT.map((selector) => this.#root.querySelector<HTMLElement>(selector)).find(Boolean);
    (inLane ?? next)?.focus();
  }
}

const isUsable = (element: Element): boolean => element.isConnected && !element.hasAttribute('disabled');
