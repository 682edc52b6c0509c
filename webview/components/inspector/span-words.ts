// Where in the text of a reply something stands, and what was damaged in it, in a line.
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { RescuedCall } from '../../../src/types';
import { formatCount } from '../../text/format';
import { renderCut } from '../controls/prose';

const MAX_SHOWN = 50;

/** Such as `characters 19 to 118 of content`. */
export function describeSpan({ start, end }: { start: number; end: number }): TemplateResult {
  return html`characters ${formatCount(start)} to ${formatCount(end)} of <code>content</code>`;
}

export function describeRepairs({ repairs }: RescuedCall): TemplateResult {
  if (repairs.length === 0) return html`<span class="muted">none needed</span>`;
  return html`${repairs
    .slice(0, MAX_SHOWN)
    .map(
      ({ kind, at, note }, index) =>
        html`${index ? ', ' : ''}<code>${renderCut(kind, 200)}</code> at
          ${formatCount(at)}${note ? html` (${renderCut(note, 200)})` : ''}`,
    )}`;
}
