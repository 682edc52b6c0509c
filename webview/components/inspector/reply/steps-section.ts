// The part of the tab *Reply* about the agent run that the shown run belongs to: its steps, and its overall
// result.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { RunEntry, Verdict } from '../../../../src/protocol';
import { isUnknown } from '../../../lanes/figures';
import { billingOfRun, callsOf, stepsOf } from '../../../lanes/lane-queries';
import { formatDuration, formatTokens } from '../../../text/format';
import { VERDICT_WORDS } from '../../../text/verdict-words';
import { linkButton } from '../../controls/controls';
import { renderCut } from '../../controls/prose';
import { renderEnding } from '../../transcript/run-end';
import type { Inspected } from '../inspected';

export function renderSteps(inspected: Inspected): unknown {
  const { lane, run } = inspected;
  const steps = stepsOf(lane, run);
  if (steps.length === 0) return nothing;
  const ending = steps.at(-1)?.ending;
  return html`<section class="sec">
    <h3>${t('Agent run')}</h3>
    <table class="num">
      <thead>
        <tr>
          <th>${t('Step')}</th>
          <th>${t('Received')}</th>
          <th class="r">${t('Tokens')}</th>
          <th class="r">${t('Time')}</th>
        </tr>
      </thead>
      <tbody>
        ${steps.map((step) => renderStep(inspected, step))}
      </tbody>
    </table>
    ${ending ? renderEnding(ending, billingOfRun(inspected.playground.state.session, run)) : nothing}
  </section>`;
}

function renderStep({ playground, lane, run }: Inspected, step: RunEntry): unknown {
  const { id: runId, outcome } = step;
  const isShown = runId === run.id;
  const number = String(step.step?.number ?? 1);
  const select = (): void => playground.setView({ selection: { laneId: lane.id, runId }, tab: 'reply' });
  return html`<tr aria-current=${isShown ? 'true' : nothing}>
    <td>${isShown ? html`<b>${number}</b>` : linkButton(number, select, t('Show step {0}', number))}</td>
    <td>
      ${outcome ? renderCut(describeReply(step)) : step.isStored ? t('an earlier reply') : t('under way')}
    </td>
    <td class="r">${outcome?.reply ? formatTokens(outcome.reply.usage) : '–'}</td>
    <td class="r">${outcome && !isUnknown(step) ? formatDuration(outcome.durationMs) : '–'}</td>
  </tr>`;
}

function describeReply(step: RunEntry): string {
  const { kind, detail }: Verdict = step.outcome?.verdict ?? { kind: 'none', detail: '' };
  const names = callsOf(step).map(({ name }) => name);
  const word = VERDICT_WORDS[kind]();
  return [detail === '' ? word : `${word}, ${detail}`, ...new Set(names)].join(' · ');
}
