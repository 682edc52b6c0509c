// A text of any length: the first part is drawn, the rest on demand and up to a limit. Text nodes only.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { countOf } from '../format';
import { jsonText } from './json-text';
import { PanelElement } from './panel-element';

const FIRST_LENGTH = 20_000;
const MAX_LENGTH = 200_000;

export class LongText extends PanelElement {
  static override properties = { text: {}, isJson: { type: Boolean }, isExpanded: { state: true } };
  declare text: string;
  declare isJson: boolean;
  declare isExpanded: boolean;

  constructor() {
    super();
    this.text = '';
    this.isJson = false;
    this.isExpanded = false;
  }

  override render(): TemplateResult {
    const limit = this.isExpanded ? MAX_LENGTH : FIRST_LENGTH;
    const shown = this.text.slice(0, limit);
    return html`${this.isJson ? jsonText(shown) : shown}${this.#renderRest(this.text.length - shown.length)}`;
  }

  #renderRest(missing: number): unknown {
    if (missing <= 0) return nothing;
    const expand = (): void => {
      this.isExpanded = true;
    };
    return html`<span class="rest"
      >… ${countOf(missing, 'more character')}
      ${
        this.isExpanded
          ? html`that are not drawn; a copy has them all`
          : html`<button class="link" type="button" @click=${expand}>Show more</button>`
      }</span
    >`;
  }
}
