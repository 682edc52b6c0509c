// Below the last reply: the ending of an agent run, the controls of a paused one, and the button that starts or
// continues one.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { DEFAULT_STEPS } from '../../../src/protocol';
import type { AgentEnding, RunEntry, RunState } from '../../../src/protocol';
import type { Billing } from '../../../src/types';
import { describeAnswers, describeEnding } from '../../lanes/ending';
import { totalsOf } from '../../lanes/figures';
import { billingOfRun, laneSettings, openCalls } from '../../lanes/lane-queries';
import type { Playground } from '../../playground';
import { countOf, formatCost, formatDuration, formatTokens, whyNoCost } from '../../text/format';
import { withPair } from '../../state/view-state';
import { button, textArea } from '../controls/controls';
import { prose } from '../controls/prose';
import type { TurnElement } from './turn-element';
import { sentence } from '../../text/sentence';

export function renderRunEnd(turn: TurnElement, entry: RunEntry): unknown {
  const canGoOn = openCalls(entry).length > 0 || (entry.ending && entry.ending.stopReason !== 'answer');
  const isOffered = turn.isLast && !turn.isLocked && canGoOn === true;
  if (!entry.ending && !isOffered) return nothing;
  return html`<div class="turn run-end">
    <div class="who">${entry.ending ? t('end') : ''}</div>
    <div class="what">
      ${entry.ending ? renderEnding(entry.ending, billingOfRun(turn.playground.state.session, entry)) : nothing}
      ${isOffered ? renderOffer(turn, entry) : nothing}
    </div>
  </div>`;
}

export function renderEnding(ending: AgentEnding, billing: Billing): TemplateResult {
  const { word, rest } = describeEnding(ending);
  const { detail, steps } = ending;
  const numbers = [
    countOf(steps, t('{0} step'), t('{0} steps')),
    ...describeTotals(ending, billing),
    ...describeAnswers(ending),
  ];
  return html`<p><b>${word}</b>${rest}</p>
    <p class="muted num">${numbers.join(' · ')}</p>
    ${detail ? html`<p class="muted">${prose(detail)}</p>` : nothing}`;
}

function describeTotals(ending: AgentEnding, billing: Billing): string[] {
  const totals = totalsOf(ending);
  if (!totals) return [];
  const { usage, costUsd, durationMs } = totals;
  const cost = costUsd === undefined ? whyNoCost(billing) : formatCost(costUsd);
  return [formatTokens(usage), cost, formatDuration(durationMs)];
}

function renderOffer({ blocker, playground, laneId }: TurnElement, entry: RunEntry): TemplateResult {
  const { state } = playground;
  const maxSteps = laneSettings(state.session, laneId)?.limits.maxSteps ?? DEFAULT_STEPS;
  return html`<div class="actions">
    ${button({
      label: t('Run agent'),
      icon: 'runAll',
      isDisabled: blocker !== undefined,
      title: blocker,
      onClick: () => void playground.runAgain(laneId, { kind: 'agent' }),
    })}
    <span class="muted"
      >${describeAgent(openCalls(entry).length, countOf(maxSteps, t('{0} step'), t('{0} steps')))}</span
    >
  </div>`;
}

function describeAgent(open: number, steps: string): string {
  if (open === 0) return t('Asks again, until the model gives a final answer; at most {0}.', steps);
  return open === 1
    ? t(
        'Answers the call with mocks and asks again, until the model gives a final answer; at most {0}.',
        steps,
      )
    : t(
        'Answers the calls with mocks and asks again, until the model gives a final answer; at most {0}.',
        steps,
      );
}

/** Shown at the end of a lane's conversation while its agent run waits for the person. */
export function renderStepBar(
  playground: Playground,
  laneId: string,
  { step = 1 }: RunState,
  isPrimary: boolean,
): TemplateResult {
  const text = playground.state.view.stepTexts.get(laneId) ?? '';
  const type = (value: string): void =>
    playground.changeView((view) => ({ ...view, stepTexts: withPair(view.stepTexts, laneId, value) }));
  return html`<div class="turn step-bar" role="group" aria-label=${t('Paused agent run')}>
    <div class="who">${t('pause')}</div>
    <div class="what">
      <p>${sentence(t('{0} after step {1}'), html`<b>${t('Paused')}</b>`, step)}</p>
      ${textArea({
        label: t('Message before the next step'),
        value: text,
        rows: 1,
        placeholder: t('optional'),
        onInput: type,
      })}
      <div class="actions">
        ${button({
          label: t('Next step'),
          icon: 'step',
          appearance: isPrimary ? 'primary' : 'secondary',
          onClick: () => void playground.continueRun(laneId, true),
        })}
        ${button({ label: t('Run agent'), icon: 'runAll', onClick: () => void playground.continueRun(laneId, false) })}
        ${button({ label: t('Stop lane'), icon: 'stop', onClick: () => void playground.stop([laneId]) })}
      </div>
    </div>
  </div>`;
}
