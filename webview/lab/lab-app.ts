// Root element of the format lab: the text beside what is read from it, and what screen readers announce.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { LAB_LIMIT } from '../../src/protocol';
import { button, linkButton } from '../components/controls/controls';
import { PanelElement } from '../components/controls/panel-element';
import { renderCut } from '../components/controls/prose';
import { icon } from '../icons';
import { countOf } from '../text/format';
import { sentence } from '../text/sentence';
import { keepSelectAll, keepUndo } from '../text/text-keys';
import type { Lab } from './lab';
import { EXAMPLE } from './example';
import { describeReading, renderReading } from './reading';

/** Events that precede the hiding or closing of the page. */
const LEAVING: readonly (readonly [EventTarget, string])[] = [
  [document.documentElement, 'pointerleave'],
  [window, 'blur'],
  [document, 'visibilitychange'],
  [window, 'pagehide'],
];

export class LabApp extends PanelElement {
  static override properties = { lab: { attribute: false } };
  declare lab: Lab;
  #unsubscribe: (() => void) | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#unsubscribe = this.lab.subscribe(() => this.requestUpdate());
    for (const keep of [keepSelectAll, keepUndo]) window.addEventListener('keydown', keep, { capture: true });
    window.addEventListener('keydown', this.#leaving, { capture: true });
    for (const [target, event] of LEAVING) target.addEventListener(event, this.#leaving);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unsubscribe?.();
    for (const keep of [keepSelectAll, keepUndo])
      window.removeEventListener('keydown', keep, { capture: true });
    window.removeEventListener('keydown', this.#leaving, { capture: true });
    for (const [target, event] of LEAVING) target.removeEventListener(event, this.#leaving);
  }

  override render(): TemplateResult {
    const { state } = this.lab;
    return html`<div class="app lab">
      <main>
        <h1>${t('Format lab')}</h1>
        <section class="lab-text" aria-label=${t('Text')}>${this.#renderText()}</section>
        <section class="lab-reading" aria-label=${t('Reading')}>
          ${renderReading(this.lab, (text) => this.#replace(text))}
        </section>
      </main>
      <footer class="lab-foot muted">
        ${state.notice === '' ? t('Nothing is sent.') : renderCut(state.notice)}
      </footer>
      <p class="sr" role="status">${describeReading(state)}</p>
      <p class="sr" role="status">${state.notice}</p>
    </div>`;
  }

  #renderText(): TemplateResult {
    const { lab } = this;
    const { document: kept, from } = lab.state;
    const { length } = kept.text;
    return html`<div class="lab-head">
        <h2><label for="lab-text">${t('Text to read')}</label></h2>
        <span class="muted clip"
          >${from === '' ? nothing : sentence(t('from {0}'), renderCut(from, 200))}</span
        >
        <span class="push row">
          ${button({ label: t('Open file…'), onClick: () => void lab.openFile() })}
          ${button({
            label: t('Save as file…'),
            onClick: () => void lab.save(),
            isDisabled: length === 0,
          })}
        </span>
      </div>
      <textarea
        id="lab-text"
        spellcheck="false"
        autocomplete="off"
        maxlength=${LAB_LIMIT.text}
        placeholder=${t('Paste or type what a model wrote.')}
        aria-describedby="lab-count"
        .value=${kept.text}
        @input=${(event: Event) => lab.change({ text: (event.target as HTMLTextAreaElement).value })}
      ></textarea>
      <p id="lab-count" class="muted num">
        ${countOf(length, t('{0} character'), t('{0} characters'))}
        ${
          length >= LAB_LIMIT.text
            ? html`<span class="has-icon"
                ><span class="s-warning">${icon('warning')}</span
                >${t('A longer text is cut at this limit.')}</span
              >`
            : nothing
        }
        ${length === 0 ? linkButton(t('Show an example'), () => this.#replace(EXAMPLE)) : nothing}
      </p>`;
  }

  /** Replaces the text as if it were typed, so that the change can be undone. */
  #replace(text: string): void {
    const box = this.querySelector('textarea');
    if (!box) return;
    box.focus();
    box.select();
    // The DOM of the unit tests has no such command.
    const isTyped =
      typeof document.execCommand === 'function' && document.execCommand('insertText', false, text);
    if (!isTyped) this.lab.change({ text });
    box.setSelectionRange(0, 0);
    box.scrollTop = 0;
  }

  readonly #leaving = (event: Event): void => {
    const isTyping =
      event instanceof KeyboardEvent &&
      !event.ctrlKey &&
      !event.metaKey &&
      !event.altKey &&
      !/^F\d+$/.test(event.key);
    if (!isTyping) this.lab.flush();
  };
}
