// The chain of causes of a failure, outermost first.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import { renderCut } from '../../controls/prose';

const MAX_CAUSES = 20;

export function renderCauses(causes: readonly string[]): unknown {
  if (causes.length === 0) return nothing;
  return html`<section class="sec">
    <h3>${t('Cause')}</h3>
    <ul class="causes mono">
      ${causes.slice(0, MAX_CAUSES).map((cause) => html`<li>${renderCut(cause)}</li>`)}
    </ul>
  </section>`;
}
