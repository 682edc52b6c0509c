// A button that opens a list of actions. Arrow keys move, Enter runs an action, Esc closes the list and returns
// the focus to the button. Independent of what the actions do.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { IconName } from '../../icons';
import { icon } from '../../icons';
import { spellMarks } from '../../text/text-marks';
import { renderMarked } from './marked-text';
import { PanelElement } from './panel-element';

export interface MenuItem {
  label: string;
  icon?: IconName | undefined;
  isDisabled?: boolean | undefined;
  onSelect: () => void;
}
/** A group of actions; one without a heading is only separated from the group before it. */
export interface MenuGroup {
  heading?: string | undefined;
  items: readonly MenuItem[];
}

export class MenuButton extends PanelElement {
  static override properties = {
    label: {},
    icon: {},
    hasText: { type: Boolean },
    groups: { attribute: false },
    isOpen: { state: true },
  };
  declare label: string;
  declare icon: IconName;
  /** Whether the label is drawn; otherwise it is the accessible name of the icon. */
  declare hasText: boolean;
  /** Called when the list opens, because the available actions may change without the button being drawn again. */
  declare groups: () => readonly MenuGroup[];
  declare isOpen: boolean;

  constructor() {
    super();
    this.label = '';
    this.icon = 'more';
    this.hasText = false;
    this.groups = () => [];
    this.isOpen = false;
    this.addEventListener('keydown', this.#pressed);
    this.addEventListener('focusout', this.#left);
  }

  override render(): TemplateResult {
    return html`<button
        class="tool ${this.hasText ? 'has-text' : ''}"
        type="button"
        aria-label=${this.label}
        title=${this.hasText ? nothing : this.label}
        aria-haspopup="menu"
        aria-expanded=${this.isOpen ? 'true' : 'false'}
        @click=${() => this.#toggle()}
      >
        ${icon(this.icon)}${this.hasText ? html`<span>${this.label}</span>${icon('down')}` : nothing}
      </button>
      ${this.isOpen ? this.#renderMenu() : nothing}`;
  }

  override updated(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (changed.has('isOpen') && this.isOpen) this.#items()[0]?.focus();
  }

  #renderMenu(): TemplateResult {
    const groups = this.groups().filter(({ items }) => items.length > 0);
    return html`<div class="popup menu" role="menu" aria-label=${this.label}>
      ${groups.map(
        ({ heading, items }, index) =>
          html`<div
            class="group"
            role="group"
            aria-label=${heading === undefined ? nothing : spellMarks(heading)}
          >
            ${heading ? html`<p class="heading muted" aria-hidden="true">${renderMarked(heading)}</p>` : nothing}
            ${index > 0 && !heading ? html`<hr />` : nothing} ${items.map((item) => this.#renderItem(item))}
          </div>`,
      )}
    </div>`;
  }

  #renderItem({ label, icon: iconName, isDisabled = false, onSelect }: MenuItem): TemplateResult {
    const choose = (): void => {
      if (isDisabled) return;
      this.#close();
      onSelect();
    };
    return html`<button
      class="item"
      type="button"
      role="menuitem"
      tabindex="-1"
      aria-disabled=${isDisabled ? 'true' : nothing}
      @click=${choose}
    >
      ${iconName ? icon(iconName) : html`<span class="no-icon"></span>`}<span>${renderMarked(label)}</span>
    </button>`;
  }

  #items(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>('[role=menuitem]')];
  }

  #toggle(): void {
    this.isOpen = !this.isOpen;
  }

  /** Closes the list and returns the focus to the button, from where an action may move it on. */
  #close(): void {
    this.isOpen = false;
    this.querySelector('button')?.focus();
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    if (!this.isOpen) {
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      this.isOpen = true;
      return;
    }
    if (event.key === 'Escape') {
      event.stopPropagation();
      event.preventDefault();
      this.#close();
      return;
    }
    const items = this.#items();
    const index = items.findIndex((item) => item === document.activeElement);
    const targets: Record<string, number> = {
      ArrowDown: (index + 1) % items.length,
      ArrowUp: (index - 1 + items.length) % items.length,
      Home: 0,
      End: items.length - 1,
    };
    const next = items[targets[event.key] ?? -1];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };

  readonly #left = ({ relatedTarget }: FocusEvent): void => {
    if (!(relatedTarget instanceof Node && this.contains(relatedTarget))) this.isOpen = false;
  };
}
