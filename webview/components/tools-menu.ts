// The button *Tools* and the list it opens: which tool samples the next request offers. Fires `pg-change` with
// `{ name, isOffered }` as its detail.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { ToolSampleView } from '../../src/protocol';
import { icon } from '../icons';
import { checkbox } from './controls';
import { PanelElement } from './panel-element';

export class ToolsMenu extends PanelElement {
  static override properties = {
    tools: { attribute: false },
    offered: { attribute: false },
    isOpen: { state: true },
  };
  declare tools: readonly ToolSampleView[];
  declare offered: readonly string[];
  declare isOpen: boolean;

  constructor() {
    super();
    this.tools = [];
    this.offered = [];
    this.isOpen = false;
    this.addEventListener('keydown', this.#pressed);
    this.addEventListener('focusout', this.#left);
  }

  override render(): TemplateResult {
    const names = this.offered.join(', ') || 'none';
    const toggle = (): void => {
      this.isOpen = !this.isOpen;
    };
    return html`<button
        class="ghost"
        type="button"
        aria-label="Tools"
        aria-description=${names}
        aria-expanded=${this.isOpen ? 'true' : 'false'}
        @click=${toggle}
      >
        ${icon('tool')}<span class="clip">Tools: <span class="muted">${names}</span></span
        >${icon('down')}
      </button>
      ${this.isOpen ? this.#renderList() : nothing}`;
  }

  #renderList(): TemplateResult {
    if (this.tools.length === 0) return html`<div class="popup menu"><p>There are no tools.</p></div>`;
    return html`<div class="popup menu" role="group" aria-label="Offered tools" tabindex="-1">
      ${this.tools.map(
        ({ name, description }) =>
          html`<div class="choice">
            ${checkbox(name, this.offered.includes(name), (isOffered) => this.#change(name, isOffered))}
            <p class="muted">${description}</p>
          </div>`,
      )}
    </div>`;
  }

  #change(name: string, isOffered: boolean): void {
    this.dispatchEvent(new CustomEvent('pg-change', { detail: { name, isOffered } }));
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !this.isOpen) return;
    event.stopPropagation();
    this.isOpen = false;
    this.querySelector('button')?.focus();
  };

  readonly #left = (event: FocusEvent): void => {
    const { relatedTarget } = event;
    if (!(relatedTarget instanceof Node && this.contains(relatedTarget))) this.isOpen = false;
  };
}
