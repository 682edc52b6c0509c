// Short texts of the host and of models as text nodes; text between backticks is drawn as code.
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { headOf } from '../../text/format';
import { renderMarked } from './marked-text';

/** Maximum length of a text drawn in one line of a card or list, in characters. */
const MAX_LENGTH = 2000;

export function prose(text: string, maxLength = MAX_LENGTH): TemplateResult {
  const shown = cut(text, maxLength);
  const parts = shown.split('`');
  // An unpaired backtick is an ordinary character.
  if (parts.length % 2 === 0) return html`${renderMarked(shown)}`;
  return html`${parts.map((part, index) => {
    const marked = renderMarked(part);
    return index % 2 === 1 ? html`<code>${marked}</code>` : marked;
  })}`;
}

export function cut(text: string, maxLength = MAX_LENGTH): string {
  return text.length > maxLength ? `${headOf(text, maxLength)}…` : text;
}

/** @returns '' for an empty text. */
export function renderCut(text: string, maxLength = MAX_LENGTH): unknown {
  return renderMarked(cut(text, maxLength));
}
