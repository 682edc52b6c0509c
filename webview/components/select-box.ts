// A labelled choice of a few things, on the toolkit's dropdown. Fires `pg-change` with the chosen id as its detail.
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { PanelElement } from './panel-element';

export interface Choice {
  id: string;
  label: string;
}

export class SelectBox extends PanelElement {
  static override properties = { label: {}, value: {}, choices: { attribute: false } };
  declare label: string;
  declare value: string;
  declare choices: readonly Choice[];

  constructor() {
    super();
    this.label = '';
    this.value = '';
    this.choices = [];
  }

  override render(): TemplateResult {
    return html`<span class="label" aria-hidden="true">${this.label}</span>
      <vscode-dropdown aria-label=${this.label} position="below" @change=${this.#changed}>
        ${this.choices.map(
          ({ id, label }) =>
            html`<vscode-option value=${id} ?selected=${id === this.value}>${label}</vscode-option>`,
        )}
      </vscode-dropdown>`;
  }

  /** The dropdown takes a value only once it has seen its options, which it does after they were drawn. */
  override updated(): void {
    const dropdown = this.querySelector<HTMLElement & { value?: string }>('vscode-dropdown');
    setTimeout(() => {
      if (dropdown && dropdown.value !== this.value) dropdown.value = this.value;
    });
  }

  readonly #changed = (event: Event): void => {
    const { value } = event.target as HTMLInputElement;
    if (value !== this.value) this.dispatchEvent(new CustomEvent('pg-change', { detail: value }));
  };
}
