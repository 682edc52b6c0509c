// How the same reply reads with rescue switched the other way: from the report of the run, with no request.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { ReplyView } from '../../../src/protocol';
import type { RescuedCall } from '../../../src/types';
import { countOf } from '../../text/format';
import { icon } from '../../icons';
import { jsonValue } from '../controls/json-text';
import { renderCut } from '../controls/prose';

const MAX_SHOWN = 50;

export function renderSecondReading({ raw, rescue, toolCalls }: ReplyView): unknown {
  if (!rescue || rescue.calls.length === 0) return nothing;
  const isOn = toolCalls.length > 0;
  const other = isOn ? 'off' : 'on';
  const count = countOf(rescue.calls.length, 'call');
  return html`<section class="sec">
    <h3>Read again without sending <small>0 requests</small></h3>
    <p>
      ${isOn ? 'Rescue was on. With it off, the text is the final answer and there is no call.' : `Rescue was off. With it on, ${count} would be taken, and the run would go on with ${rescue.calls.length === 1 ? 'its result' : 'their results'}.`}
    </p>
    <details class="fold">
      <summary>${icon('right')}Read with rescue ${other}</summary>
      <dl class="kv">
        <dt>content</dt>
        <dd><pg-content-value .text=${isOn ? raw.content : rescue.content}></pg-content-value></dd>
        <dt>toolCalls</dt>
        <dd>
          ${isOn ? html`<code>[]</code>` : rescue.calls.slice(0, MAX_SHOWN).map((call) => renderCall(call))}
        </dd>
      </dl>
    </details>
  </section>`;
}

function renderCall({ name, arguments: value }: RescuedCall): TemplateResult {
  return html`<p class="mono">${renderCut(name, 200)} ${jsonValue(value)}</p>`;
}
