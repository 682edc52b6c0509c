// Short texts of the host and of models as text nodes; what stands between backticks is set as code.
import { html } from 'lit';
import type { TemplateResult } from 'lit';

/** The longest text that is drawn in one line of a card or list. */
const MAX_LENGTH = 2000;

export function prose(text: string): TemplateResult {
  const parts = cut(text).split('`');
  // an unpaired backtick is only a character
  if (parts.length % 2 === 0) return html`${cut(text)}`;
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

export function cut(text: string, maxLength = MAX_LENGTH): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
