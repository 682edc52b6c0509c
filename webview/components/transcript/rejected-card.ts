// A candidate that looked like a call but was left as text, with the reason. Selecting it shows its place in the
// text.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { inspect } from '../../actions/inspect';
import type { RunEntry } from '../../../src/protocol';
import type { RescueRejection } from '../../../src/types';
import { icon } from '../../icons';
import { spanOf } from '../../text/trace-spans';
import { prose, renderCut } from '../controls/prose';
import type { TurnElement } from './turn-element';
import { sentence } from '../../text/sentence';

export function renderRejectedCard(
  { playground, laneId, selected }: Pick<TurnElement, 'playground' | 'laneId' | 'selected'>,
  { id, outcome }: RunEntry,
  rejection: RescueRejection,
): TemplateResult {
  const { name, format, detail, nearest = [] } = rejection;
  const spanNumber = spanOf(outcome?.reply?.rescue, rejection)?.number;
  const isSelected = selected !== undefined && selected.spanNumber === spanNumber;
  const select = (): void =>
    inspect(playground, { laneId, selection: { laneId, runId: id, spanNumber }, tab: 'rescue' });
  return html`<article
    class="call is-rejected ${isSelected ? 'is-selected' : ''}"
    aria-current=${isSelected ? 'true' : nothing}
  >
    <button class="head" type="button" data-row @click=${select}>
      ${icon('none')}<span class="name clip">${renderCut(name ?? format, 200)}</span
      ><span class="src muted">${t('left as text')}</span>
    </button>
    <p class="note"><span>${prose(detail)} ${renderNearest(detail, nearest)}</span></p>
  </article>`;
}

/** The most similar tool names, unless the sentence already names them. */
export function renderNearest(detail: string, nearest: readonly string[]): unknown {
  const unsaid = nearest.filter((name) => !detail.includes(name));
  if (unsaid.length === 0) return nothing;
  const names = unsaid
    .slice(0, 3)
    .map((name, index) => html`${index ? ', ' : ''}<code>${renderCut(name, 200)}</code>`);
  return sentence(t('Nearest: {0}.'), names);
}
