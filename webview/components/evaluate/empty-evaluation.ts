// The view before the first evaluation: what one is and what to do first, or that everything is ready.
import { t } from '@vscode/l10n';
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { EvaluationSnapshot } from '../../../src/protocol';
import { addExpectation, askForRowsFile } from '../../actions/evaluate-document';
import { icon } from '../../icons';
import { canEdit } from '../../lanes/lane-queries';
import type { Playground } from '../../playground';
import { countOf, formatCount } from '../../text/format';
import { button } from '../controls/controls';

/** Three demo models on twelve rows: nothing needs a key or a network. */
const EXAMPLE = 'reliability';

export function renderEmptyEvaluation(playground: Playground): TemplateResult {
  const { session } = playground.state;
  const isFixed = !canEdit(session);
  return html`<div class="empty">
    ${icon('evaluate')}
    <p>
      ${t('An evaluation sends the same message several times in every lane and counts how often the reply is the one you expect. Say first what you expect.')}
    </p>
    <div class="actions">
      ${button({
        label: t('Add expectation'),
        appearance: 'primary',
        isDisabled: isFixed,
        onClick: () => void addExpectation(playground, 0),
      })}
      ${button({ label: t('Open an example'), onClick: () => void playground.send('example/open', { id: EXAMPLE }) })}
      ${button({ label: t('Use a rows file'), isDisabled: isFixed, onClick: () => askForRowsFile(playground) })}
    </div>
  </div>`;
}

export function renderReadyEvaluation({ plan, lanes, problems }: EvaluationSnapshot): TemplateResult {
  if (!plan) {
    return html`<div class="empty">
      ${icon('evaluate')}
      <p>
        ${problems.length > 0 ? t('Nothing can be sent until the problems above are corrected.') : t('The rows are being read.')}
      </p>
    </div>`;
  }
  return html`<div class="empty">
    ${icon('evaluate')}
    <p>
      ${t(
        'Nothing was evaluated yet. Evaluate sends {0} to {1} and counts how often the reply is the one you expect.',
        countOf(plan.samples, t('{0} sample'), t('{0} samples')),
        countOf(lanes.length, t('{0} lane'), t('{0} lanes')),
      )}
    </p>
    <p class="muted">${t('{0} rows, each ×{1}', formatCount(plan.rows), formatCount(plan.repeats))}</p>
  </div>`;
}
