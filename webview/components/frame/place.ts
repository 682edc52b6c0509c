// Which machine requests leave from, and so which one `localhost` is.
import { html } from 'lit';
import type { TemplateResult } from 'lit';

export function renderPlace(place: string): TemplateResult {
  return html`<span>Requests leave from: ${place}</span>`;
}
