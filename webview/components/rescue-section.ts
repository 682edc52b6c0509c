// What rescue made of a reply: the rest of the text, the calls with their formats, the repairs.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { ChatTurn, RescuedCall, RescueRejection } from '../../src/types';
import { formatCount } from '../format';
import { cut, prose } from './prose';

const MAX_ROWS = 50;

export function renderRescue({ rescue, toolCalls }: ChatTurn): unknown {
  if (!rescue || (rescue.calls.length === 0 && rescue.rejected.length === 0)) return nothing;
  const isOff = rescue.calls.length > 0 && toolCalls.length === 0;
  return html`<section class="sec">
    <h3>${isOff ? 'What rescue would make of it' : 'What rescue made of it'}</h3>
    <dl class="kv">
      ${rescue.calls.slice(0, MAX_ROWS).map((call) => renderCall(call))}
      ${rescue.rejected.slice(0, MAX_ROWS).map((rejection) => renderRejection(rejection))}
      ${
        rescue.calls.length > 0
          ? html`<dt>rest</dt>
              <dd><pg-content-value .text=${rescue.content}></pg-content-value></dd>`
          : nothing
      }
    </dl>
  </section>`;
}

/** Such as `characters 19 to 118 of content`. */
export function describeSpan({ start, end }: { start: number; end: number }): TemplateResult {
  return html`characters ${formatCount(start)} to ${formatCount(end)} of <code>content</code>`;
}

export function describeRepairs({ repairs }: RescuedCall): TemplateResult {
  if (repairs.length === 0) return html`<span class="muted">none needed</span>`;
  return html`${repairs
    .slice(0, MAX_ROWS)
    .map(
      ({ kind, at, note }, index) =>
        html`${index ? ', ' : ''}<code>${cut(kind, 200)}</code> at
          ${formatCount(at)}${note ? html` (${cut(note, 200)})` : nothing}`,
    )}`;
}

function renderCall(call: RescuedCall): TemplateResult {
  return html`<dt>call</dt>
    <dd>
      <code>${cut(call.name, 200)}</code>, ${call.format} by its
      ${call.evidence}${call.repairs.length > 0 ? html`; repaired ${describeRepairs(call)}` : nothing}
    </dd>`;
}

function renderRejection({ name, format, detail, hint }: RescueRejection): TemplateResult {
  return html`<dt>left</dt>
    <dd>
      <code>${cut(name ?? format, 200)}</code>: ${prose(detail)}
      ${hint ? html`<span class="next">${prose(hint)}</span>` : nothing}
    </dd>`;
}
