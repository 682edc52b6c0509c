// Below the last reply: how a run to the end came out, and the button that starts one or goes on with it.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { AgentEnding } from '../../src/protocol';
import { toLimits } from '../agent-limits';
import { describeAnswers, describeEnding } from '../agent-state';
import { countOf, formatCost, formatDuration, formatTokens } from '../format';
import type { Playground } from '../playground';
import { canGoOn, goOnBlocker, unansweredCalls } from '../run-request';
import type { RunEntry } from '../state';
import { button } from './controls';
import { prose } from './prose';

export function renderRunEnd(playground: Playground, entry: RunEntry): unknown {
  const { state } = playground;
  if (state.pendingRunId) return nothing;
  // a run that stood alone and failed has its own button to run again
  const isOffered = canGoOn(state.entries) && (entry.outcome?.turn !== undefined || entry.step !== undefined);
  if (!entry.ending && !isOffered) return nothing;
  return html`<div class="turn run-end">
    <div class="who">${entry.ending ? 'end' : ''}</div>
    <div class="what">
      ${entry.ending ? renderEnding(entry.ending) : nothing}
      ${isOffered ? renderOffer(playground, entry) : nothing}
    </div>
  </div>`;
}

export function renderEnding(ending: AgentEnding): TemplateResult {
  const { word, rest } = describeEnding(ending);
  const { usage, costUsd, durationMs, detail } = ending;
  const numbers = [
    formatTokens(usage),
    costUsd === undefined ? 'cost not set' : formatCost(costUsd),
    formatDuration(durationMs),
    ...describeAnswers(ending),
  ];
  return html`<p><b>${word}</b>${rest}</p>
    <p class="muted num">${numbers.join(' · ')}</p>
    ${detail ? html`<p class="muted">${prose(detail)}</p>` : nothing}`;
}

function renderOffer(playground: Playground, entry: RunEntry): TemplateResult {
  const { state } = playground;
  const blocker = goOnBlocker(state)?.replaceAll('`', '');
  const { maxSteps } = toLimits(state.lane.limits);
  const open = unansweredCalls([entry]).length;
  const first = open > 0 ? `Answers ${open === 1 ? 'the call' : 'the calls'} with mocks and asks` : 'Asks';
  return html`<div class="actions">
    ${button({
      label: 'Run to the end',
      name: 'Run to the end with mocks',
      icon: 'runAll',
      isDisabled: blocker !== undefined,
      title: blocker,
      onClick: () => void playground.toEnd.goOn(),
    })}
    <span class="muted">${first} again, until the model answers; at most ${countOf(maxSteps, 'step')}.</span>
  </div>`;
}
