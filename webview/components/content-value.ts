// A text in one line, its line ends drawn as ↵; its length opens the whole of it.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { countOf, toOneLine } from '../format';
import { PanelElement } from './panel-element';

const LINE_LENGTH = 300;

export class ContentValue extends PanelElement {
  static override properties = { text: {}, isOpen: { state: true } };
  declare text: string;
  declare isOpen: boolean;

  constructor() {
    super();
    this.text = '';
    this.isOpen = false;
  }

  override render(): TemplateResult {
    if (this.text === '') return html`<span class="mono str">""</span> <span class="muted">no text</span>`;
    const toggle = (): void => {
      this.isOpen = !this.isOpen;
    };
    return html`<div class="line">
        <span class="mono clip">${this.isOpen ? nothing : toOneLine(this.text.slice(0, LINE_LENGTH))}</span
        ><button class="link" type="button" aria-expanded=${this.isOpen ? 'true' : 'false'} @click=${toggle}>
          ${countOf(this.text.length, 'character')}
        </button>
      </div>
      ${this.isOpen ? html`<div class="raw"><pg-long-text .text=${this.text}></pg-long-text></div>` : nothing}`;
  }
}
