// What may be believed of an evaluation: the comparison of each lane with the reference lane, and the warnings.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { DescribedWarning, EvaluationSnapshot } from '../../../src/protocol';
import type { EvaluationWarning, Sentence } from '../../../src/types';
import { setPlace } from '../../actions/evaluate';
import { icon } from '../../icons';
import { canEdit } from '../../lanes/lane-queries';
import type { Playground } from '../../playground';
import { linkButton } from '../controls/controls';
import type { MenuGroup } from '../controls/menu-button';
import { renderCut } from '../controls/prose';

const renderSentence = (parts: Sentence): unknown =>
  parts.map(({ text, mark }) => {
    const shown = renderCut(text);
    if (mark === 'strong') return html`<b>${shown}</b>`;
    return mark === 'code' ? html`<code>${shown}</code>` : shown;
  });

export function renderComparisons(playground: Playground, evaluation: EvaluationSnapshot): unknown {
  const { result, progress, lanes, baseline } = evaluation;
  if (!result || lanes.length < (baseline ? 1 : 2)) return nothing;
  const label = baseline ? t('Comparison with the baseline') : t('Comparison');
  if (progress) {
    return html`<section class="versus" aria-label=${label}>
      <p class="muted">
        ${t('The lanes are compared when the evaluation ends or is stopped; until then they have different samples.')}
      </p>
    </section>`;
  }
  return html`<section class="versus" aria-label=${label}>
    <ul class="num">
      ${
        baseline
          ? result.flips.map((flips) => html`<li>${renderSentence(flips)}</li>`)
          : result.comparisons.map(
              ({ sentence, test }) => html`<li title=${test || nothing}>${renderSentence(sentence)}</li>`,
            )
      }
    </ul>
    ${
      baseline || lanes.length < 2
        ? nothing
        : html`<pg-menu-button
            .label=${t('Reference')}
            .icon=${'compare'}
            .hasText=${true}
            .groups=${() => referenceMenu(playground, evaluation)}
          ></pg-menu-button>`
    }
  </section>`;
}

/** Where lanes leave the recorded conversation, of which the rows are turns. */
export function renderDepartures({ result }: EvaluationSnapshot): unknown {
  if (!result || result.departures.length === 0) return nothing;
  return html`<section class="versus" aria-label=${t('Recorded way')}>
    <ul class="num">
      ${result.departures.map((sentence) => html`<li>${renderSentence(sentence)}</li>`)}
    </ul>
  </section>`;
}

function referenceMenu(
  playground: Playground,
  { lanes, referenceId }: EvaluationSnapshot,
): readonly MenuGroup[] {
  return [
    {
      heading: t('The lane that the others are compared with'),
      items: lanes.map(({ id, label }) => ({
        label,
        icon: id === referenceId ? ('answer' as const) : undefined,
        onSelect: () => void playground.send('evaluation/reference', { laneId: id }),
      })),
    },
  ];
}

/** @param isWhole Whether all are shown where there is room for one. */
export function renderWarnings(
  playground: Playground,
  warnings: readonly DescribedWarning[],
  { isWhole, onShowAll }: { isWhole: boolean; onShowAll: () => void },
): unknown {
  if (warnings.length === 0) return nothing;
  return html`<ul class="warns ${isWhole ? 'is-whole' : ''}" aria-label=${t('Warnings')}>
    ${warnings.map(
      ({ severity, sentence, warning }) =>
        html`<li>
          <span class="s-${severity}">${icon(severity)}</span>
          <p>
            <span class="sr">${severity === 'info' ? t('Information') : t('Warning')}: </span
            >${renderSentence(sentence)}
          </p>
          ${renderAction(playground, warning)}
        </li>`,
    )}
    ${warnings.length > 1 ? html`<li class="rest">${linkButton(t('{0} more', warnings.length - 1), onShowAll)}</li>` : nothing}
  </ul>`;
}

/** One click shows what the warning is about, or ends its cause. */
function renderAction(playground: Playground, warning: EvaluationWarning): unknown {
  if (warning.kind === 'identical') {
    const [rowId] = warning.rowIds;
    if (rowId === undefined) return nothing;
    const cell = { rowId, laneId: warning.laneId };
    const show = (): void => setPlace(playground, { cell, repeat: undefined, isFirstTab: true });
    return linkButton(t('Show samples'), show);
  }
  if (warning.kind === 'seed') {
    const vary = (): void => void playground.edit([{ path: ['evaluate', 'varySeed'], value: true }]);
    return canEdit(playground.state.session) ? linkButton(t('Vary the seed'), vary) : nothing;
  }
  const isAboutVerdicts = warning.kind === 'no-verdict' || warning.kind === 'rows';
  return isAboutVerdicts
    ? linkButton(t('Show rows'), () => setPlace(playground, { filter: 'no-verdict', part: undefined }))
    : nothing;
}
