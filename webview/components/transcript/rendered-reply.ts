// The text of a reply, drawn as the Markdown that it means. Only shows: what is stored, sent and marked is the text itself.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type * as Markdown from '../../markdown/parse-markdown';
import { renderMarkdown } from '../../markdown/render-markdown';
import type { ReadText } from '../controls/long-text';
import { PanelElement } from '../controls/panel-element';

/** In characters. The time to parse what a model wrote to be slow grows with the square of its length. */
const MAX_RENDERED = 12_000;

let parser: typeof Markdown | undefined;
let isMissing = false;

/** Loads the parser when it is needed first. An update of the extension deletes the files of the version before. */
async function loadParser(): Promise<void> {
  try {
    parser = await import('../../markdown/parse-markdown');
  } catch {
    isMissing = true;
  }
}

export class RenderedReply extends PanelElement {
  static override properties = {
    text: {},
    length: { attribute: false },
    read: { attribute: false, hasChanged: () => false },
  };
  declare text: string;
  /** Length of the whole text where the panel has only its beginning, in characters. */
  declare length: number | undefined;
  declare read: ReadText | undefined;

  override render(): TemplateResult {
    if (Math.max(this.length ?? 0, this.text.length) > MAX_RENDERED)
      return this.#renderAsSent(t('Shown as sent, because it is longer than {0} characters.', MAX_RENDERED));
    if (parser) return html`<div class="markdown">${renderMarkdown(parser.parseMarkdown(this.text))}</div>`;
    if (isMissing)
      return this.#renderAsSent(
        t('Shown as sent, because a file of the extension is missing. Close the panel and open it again.'),
      );
    void loadParser().then(() => this.requestUpdate());
    return this.#renderAsSent();
  }

  #renderAsSent(why?: string): TemplateResult {
    const { text, length, read } = this;
    return html`<p class="text">
        <pg-long-text .text=${text} .length=${length} .read=${read}></pg-long-text>
      </p>
      ${why === undefined ? nothing : html`<p class="muted"><small>${why}</small></p>`}`;
  }
}
