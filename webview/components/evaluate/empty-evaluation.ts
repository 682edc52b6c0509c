// The view before the first evaluation: what one is and what to do first, or that everything is ready.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { EvaluationSnapshot, RunEntry } from '../../../src/protocol';
import { expectReply } from '../../actions/evaluate';
import { addExpectation, askForRowsFile } from '../../actions/evaluate-document';
import { icon } from '../../icons';
import { callsOf, canEdit, contentOf, lastRun } from '../../lanes/lane-queries';
import type { Playground } from '../../playground';
import { countOf, formatCount, toOneLine } from '../../text/format';
import { button } from '../controls/controls';
import { renderCut } from '../controls/prose';

/** In characters, of the last reply. */
const MAX_REPLY = 160;

/** Three demo models on twelve rows: nothing needs a key or a network. */
const EXAMPLE = 'reliability';

export function renderEmptyEvaluation(playground: Playground): TemplateResult {
  const { session } = playground.state;
  const isFixed = !canEdit(session);
  const found = lastReply(playground);
  const lane = session.evaluation?.lanes.find(({ id }) => id === found?.laneId);
  const expectIt = (): void => {
    if (!found) return;
    void expectReply(playground, { laneId: found.laneId, runId: found.run.id, what: found.what });
  };
  return html`<div class="empty">
    ${icon('evaluate')}
    <p>
      ${t('An evaluation sends the same message several times in every lane and counts how often the reply is the one you expect. Say first what you expect.')}
    </p>
    <div class="actions">
      ${
        found
          ? button({
              label: t('Expect this reply'),
              icon: 'rescued',
              appearance: 'primary',
              isDisabled: isFixed,
              onClick: expectIt,
            })
          : nothing
      }
      ${button({
        label: t('Add expectation'),
        appearance: found ? 'secondary' : 'primary',
        isDisabled: isFixed,
        onClick: () => void addExpectation(playground, 0),
      })}
      ${button({ label: t('Open an example'), onClick: () => void playground.send('example/open', { id: EXAMPLE }) })}
      ${button({ label: t('Use a rows file'), isDisabled: isFixed, onClick: () => askForRowsFile(playground) })}
    </div>
    ${
      found
        ? html`<p class="muted">
            ${t('The last reply of {0}:', lane?.label ?? t('a lane'))}
            <code>${renderCut(toOneLine(found.words), MAX_REPLY)}</code>
          </p>`
        : nothing
    }
  </div>`;
}

interface LastReply {
  laneId: string;
  run: RunEntry;
  what: 'call' | 'reply';
  words: string;
}

/** The last reply of the first lane that has one. */
function lastReply({ state }: Playground): LastReply | undefined {
  for (const laneId of state.session.laneIds) {
    const lane = state.session.lanes.get(laneId);
    const run = lane && lastRun(lane);
    const reply = run?.outcome?.reply;
    if (!run || !reply) continue;
    const calls = callsOf(run).map((call) => `${call.name} ${JSON.stringify(call.arguments)}`);
    return calls.length > 0
      ? { laneId, run, what: 'call', words: calls.join(', ') }
      : { laneId, run, what: 'reply', words: contentOf(reply) };
  }
  return undefined;
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
    <p class="muted">
      ${t('{0}, each ×{1}', countOf(plan.rows, t('{0} row'), t('{0} rows')), formatCount(plan.repeats))}
    </p>
  </div>`;
}
