// A labelled choice from a short list, built on the toolkit's dropdown. Fires `pg-change` with the chosen id as
// its detail.
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { spellMarks } from '../../text/text-marks';
import { PanelElement } from './panel-element';

export interface Choice {
  id: string;
  label: string;
}

/** Compares choices by value, because the parent builds a new array with every drawing. */
const hasChanged = (one: readonly Choice[], other: readonly Choice[] | undefined): boolean =>
  JSON.stringify(one) !== JSON.stringify(other);

export class SelectBox extends PanelElement {
  static override properties = {
    label: {},
    value: {},
    choices: { attribute: false, hasChanged },
    isDisabled: { type: Boolean },
  };
  declare label: string;
  declare value: string;
  declare choices: readonly Choice[];
  declare isDisabled: boolean;

  constructor() {
    super();
    this.label = '';
    this.value = '';
    this.choices = [];
    this.isDisabled = false;
  }

  override render(): TemplateResult {
    return html`<span class="label" aria-hidden="true">${this.label}</span>
      <vscode-dropdown
        aria-label=${this.label}
        position="below"
        ?disabled=${this.isDisabled}
        @change=${this.#changed}
      >
        ${this.choices.map(({ id, label }) => html`<vscode-option value=${id}>${spellMarks(label)}</vscode-option>`)}
      </vscode-dropdown>`;
  }

  /**
   * Sets the value after the options were drawn, because the dropdown ignores it before. Only a changed value is
   * set: otherwise the option that the arrow keys have reached in an open list would be lost.
   */
  override updated(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (!changed.has('value') && !changed.has('choices')) return;
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
