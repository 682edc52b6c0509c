// A text box with a list of proposals. The typed text is the value, and a proposal replaces it. Fires `pg-change`
// with the new value as its detail, and also `pg-choose` when it was a proposal. The toolkit has no such control.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { icon } from '../../icons';
import { formatCount } from '../../text/format';
import { renderMarked } from './marked-text';
import { PanelElement } from './panel-element';

const MAX_SHOWN = 200;
let count = 0;

export class ComboBox extends PanelElement {
  static override properties = {
    label: {},
    value: {},
    options: { attribute: false },
    current: {},
    placeholder: {},
    isDisabled: { type: Boolean },
    isInvalid: { type: Boolean },
    isOpen: { state: true },
    active: { state: true },
    filter: { state: true },
  };
  declare label: string;
  declare value: string;
  declare options: readonly string[];
  /** The option that the value means although it is spelled differently; '' if there is none. */
  declare current: string;
  declare placeholder: string;
  declare isDisabled: boolean;
  declare isInvalid: boolean;
  declare isOpen: boolean;
  declare active: number;
  declare filter: string;
  readonly #id = `combo-${++count}`;

  constructor() {
    super();
    this.label = '';
    this.value = '';
    this.options = [];
    this.current = '';
    this.placeholder = '';
    this.isDisabled = false;
    this.isInvalid = false;
    this.isOpen = false;
    this.active = -1;
    this.filter = '';
  }

  override render(): TemplateResult {
    const found = this.#found();
    const shown = found.slice(0, MAX_SHOWN);
    const isOpen = this.isOpen && shown.length > 0;
    return html`<label for=${this.#id}>${this.label}</label>
      <div class="combo" @focusout=${this.#close}>
        <input
          id=${this.#id}
          role="combobox"
          type="text"
          autocomplete="off"
          spellcheck="false"
          aria-autocomplete="list"
          aria-invalid=${this.isInvalid ? 'true' : 'false'}
          aria-expanded=${isOpen ? 'true' : 'false'}
          aria-controls=${isOpen ? `${this.#id}-list` : nothing}
          aria-activedescendant=${isOpen && this.active >= 0 ? `${this.#id}-${this.active}` : nothing}
          placeholder=${this.placeholder}
          .value=${this.value}
          ?disabled=${this.isDisabled}
          @input=${this.#typed}
          @click=${() => this.#open()}
          @keydown=${this.#pressed}
        />${icon('down')}
        ${
          isOpen
            ? html`<ul class="popup" id="${this.#id}-list" role="listbox" aria-label=${this.label}>
                ${shown.map((option, index) => this.#renderOption(option, index))}
                ${found.length > MAX_SHOWN ? this.#renderRest(found.length - MAX_SHOWN) : nothing}
              </ul>`
            : nothing
        }
      </div>`;
  }

  override updated(): void {
    this.querySelector('[role=option].is-active')?.scrollIntoView?.({ block: 'nearest' });
  }

  #renderOption(option: string, index: number): TemplateResult {
    return html`<li
      id="${this.#id}-${index}"
      role="option"
      class=${index === this.active ? 'is-active' : ''}
      aria-selected=${option === (this.current || this.value) ? 'true' : 'false'}
      @mousedown=${(event: Event) => event.preventDefault()}
      @click=${() => this.#choose(option)}
    >
      ${renderMarked(option)}
    </li>`;
  }

  /** An option of the list, because a list box contains nothing else. */
  #renderRest(left: number): TemplateResult {
    return html`<li class="muted" role="option" aria-disabled="true" aria-selected="false">
      ${t('{0} more: type a part of the name', formatCount(left))}
    </li>`;
  }

  #found(): string[] {
    const wanted = this.filter.toLowerCase();
    return this.options.filter((option) => option.toLowerCase().includes(wanted));
  }

  #shown(): string[] {
    return this.#found().slice(0, MAX_SHOWN);
  }

  /** Opens the list with all options: the current value filters them only after it was changed. */
  #open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    this.filter = '';
    this.active = this.#shown().indexOf(this.current || this.value);
  }

  readonly #close = (): void => {
    this.isOpen = false;
  };

  readonly #typed = (event: Event): void => {
    const { value } = event.target as HTMLInputElement;
    this.isOpen = true;
    this.filter = value;
    this.active = -1;
    this.#emit(value);
  };

  readonly #pressed = (event: KeyboardEvent): void => {
    // The keys belong to the list of an input method while it is open.
    if (event.isComposing) return;
    const shown = this.#shown();
    const chosen = shown[this.active];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!this.isOpen) return this.#open();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      this.active = Math.min(Math.max(this.active + step, 0), shown.length - 1);
    } else if (
      event.key === 'Enter' &&
      this.isOpen &&
      chosen !== undefined &&
      !event.ctrlKey &&
      !event.metaKey
    ) {
      this.#choose(chosen);
    } else if (event.key === 'Escape' && this.isOpen) {
      // Escape closes the list first; it must not reach the handler that stops the run.
      event.stopPropagation();
      this.#close();
    }
  };

  #choose(option: string): void {
    this.#close();
    this.#emit(option);
    this.dispatchEvent(new CustomEvent('pg-choose', { detail: option }));
  }

  #emit(value: string): void {
    this.value = value;
    this.dispatchEvent(new CustomEvent('pg-change', { detail: value }));
  }
}
