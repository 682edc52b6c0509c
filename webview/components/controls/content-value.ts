// A text in one line, its line ends drawn as ↵. A button with its length shows the whole text.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { countOf, headOf, toOneLine } from '../../text/format';
import type { ReadText } from './long-text';
import { renderMarked } from './marked-text';
import { PanelElement } from './panel-element';

const LINE_LENGTH = 300;

export class ContentValue extends PanelElement {
  static override properties = {
    text: {},
    length: { attribute: false },
    read: { attribute: false, hasChanged: () => false },
    isOpen: { state: true },
  };
  declare text: string;
  /** Length of the whole text where the panel has only its beginning, in characters. */
  declare length: number | undefined;
  declare read: ReadText | undefined;
  declare isOpen: boolean;

  constructor() {
    super();
    this.text = '';
    this.isOpen = false;
  }

  override render(): TemplateResult {
    if (this.text === '')
      return html`<span class="mono str">""</span> <span class="muted">${t('no text')}</span>`;
    const toggle = (): void => {
      this.isOpen = !this.isOpen;
    };
    return html`<div class="line">
        <span class="mono clip"
          >${this.isOpen ? nothing : renderMarked(toOneLine(headOf(this.text, LINE_LENGTH)))}</span
        ><button class="link" type="button" aria-expanded=${this.isOpen ? 'true' : 'false'} @click=${toggle}>
          ${countOf(Math.max(this.length ?? 0, this.text.length), t('{0} character'), t('{0} characters'))}
        </button>
      </div>
      ${this.isOpen ? html`<div class="raw"><pg-long-text .text=${this.text} .length=${this.length} .read=${this.read}></pg-long-text></div>` : nothing}`;
  }
}
