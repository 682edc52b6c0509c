// A text clamped to three lines, with a button that shows the rest. Text between backticks is drawn as code.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { PanelElement } from './panel-element';
import { prose } from './prose';

/** In characters; about three lines in the narrowest lane. */
const SHORT = 160;
const MAX_LENGTH = 20_000;

export class ClampedText extends PanelElement {
  static override properties = { content: {}, isOpen: { state: true } };
  declare content: string;
  declare isOpen: boolean;

  constructor() {
    super();
    this.content = '';
    this.isOpen = false;
  }

  override render(): TemplateResult {
    const isLong = this.content.length > SHORT || this.content.split('\n', 4).length > 3;
    const toggle = (): void => {
      this.isOpen = !this.isOpen;
    };
    return html`<span class=${isLong && !this.isOpen ? 'clamp' : ''}
        >${prose(this.content, this.isOpen ? MAX_LENGTH : undefined)}</span
      >${
        isLong
          ? html` <button
              class="link"
              type="button"
              aria-expanded=${this.isOpen ? 'true' : 'false'}
              @click=${toggle}
            >
              ${this.isOpen ? t('Show less') : t('Show all')}
            </button>`
          : nothing
      }`;
  }
}
