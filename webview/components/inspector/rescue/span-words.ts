// One-line descriptions of a span's position in the text of a reply and of the damage that was repaired in it.
import { t } from '@vscode/l10n';
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { RescuedCall } from '../../../../src/types';
import { formatCount } from '../../../text/format';
import { renderCut } from '../../controls/prose';
import { sentence } from '../../../text/sentence';

const MAX_SHOWN = 50;

/** Such as `characters 19 to 118 of content`; the first character is 1, as in findings. */
export function describeSpan({ start, end }: { start: number; end: number }): TemplateResult {
  return html`${sentence(t('characters {0} to {1} of {2}'), formatCount(start + 1), formatCount(end), html`<code>content</code>`)}`;
}

export function describeRepairs({ repairs }: RescuedCall): TemplateResult {
  if (repairs.length === 0) return html`<span class="muted">${t('none needed')}</span>`;
  return html`${repairs
    .slice(0, MAX_SHOWN)
    .map(
      ({ kind, at, note }, index) =>
        html`${index ? ', ' : ''}${sentence(t('{0} at {1}'), html`<code>${renderCut(kind, 200)}</code>`, formatCount(at + 1))}${note ? html` (${renderCut(note, 200)})` : ''}`,
    )}`;
}
