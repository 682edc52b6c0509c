// Something that looked like a call and was left as text, with the reason.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { RescueRejection } from '../../src/types';
import { icon } from '../icons';
import { cut, prose } from './prose';

export function renderRejectedCard(rejection: RescueRejection): TemplateResult {
  const { name, format, detail, nearest = [] } = rejection;
  return html`<article class="call is-rejected">
    <div class="head">
      ${icon('none')}<span class="name clip">${cut(name ?? format, 200)}</span
      ><span class="src muted">left as text</span>
    </div>
    <p class="note"><span>${prose(detail)} ${renderNearest(detail, nearest)}</span></p>
  </article>`;
}

/** The nearest names, unless the sentence has named them already. */
export function renderNearest(detail: string, nearest: readonly string[]): unknown {
  const unsaid = nearest.filter((name) => !detail.includes(name));
  if (unsaid.length === 0) return nothing;
  return html`Nearest:
  ${unsaid.slice(0, 3).map((name, index) => html`${index ? ', ' : ''}<code>${cut(name, 200)}</code>`)}.`;
}
