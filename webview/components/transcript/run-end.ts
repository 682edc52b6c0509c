// Below the last reply: how an agent run came out, the steps of one that waits, and the button that starts one or goes on.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { AgentEnding, RunEntry, RunState } from '../../../src/protocol';
import { describeAnswers, describeEnding } from '../../lanes/ending';
import { laneSettings, openCalls } from '../../lanes/lane-queries';
import { DEFAULT_STEPS } from '../../lanes/limit-fields';
import { documentBlocker, laneBlocker } from '../../lanes/run-blocker';
import type { Playground } from '../../playground';
import { countOf, formatCost, formatDuration, formatTokens } from '../../text/format';
import { withPair } from '../../view-state';
import { button, textArea } from '../controls/controls';
import { prose } from '../controls/prose';
import type { Turn } from './turn';

export function renderRunEnd(turn: Turn, entry: RunEntry): unknown {
  const canGoOn = openCalls(entry).length > 0 || (entry.ending && entry.ending.stopReason !== 'answer');
  const isOffered = turn.isLast && !turn.isLocked && canGoOn === true;
  if (!entry.ending && !isOffered) return nothing;
  return html`<div class="turn run-end">
    <div class="who">${entry.ending ? 'end' : ''}</div>
    <div class="what">
      ${entry.ending ? renderEnding(entry.ending) : nothing} ${isOffered ? renderOffer(turn, entry) : nothing}
    </div>
  </div>`;
}

export function renderEnding(ending: AgentEnding): TemplateResult {
  const { word, rest } = describeEnding(ending);
  const { usage, costUsd, durationMs, detail, steps } = ending;
  const numbers = [
    countOf(steps, 'step'),
    formatTokens(usage),
    costUsd === undefined ? 'cost not set' : formatCost(costUsd),
    formatDuration(durationMs),
    ...describeAnswers(ending),
  ];
  return html`<p><b>${word}</b>${rest}</p>
    <p class="muted num">${numbers.join(' · ')}</p>
    ${detail ? html`<p class="muted">${prose(detail)}</p>` : nothing}`;
}

function renderOffer({ playground, laneId }: Turn, entry: RunEntry): TemplateResult {
  const { state } = playground;
  const blocker = (documentBlocker(state.session) ?? laneBlocker(state, laneId))?.replaceAll('`', '');
  const maxSteps = laneSettings(state.session, laneId)?.limits.maxSteps ?? DEFAULT_STEPS;
  const open = openCalls(entry).length;
  const first = open > 0 ? `Answers ${open === 1 ? 'the call' : 'the calls'} with mocks and asks` : 'Asks';
  return html`<div class="actions">
    ${button({
      label: 'Run agent',
      icon: 'runAll',
      isDisabled: blocker !== undefined,
      title: blocker,
      onClick: () => void playground.runAgain(laneId, { kind: 'agent' }),
    })}
    <span class="muted">${first} again, until the model answers; at most ${countOf(maxSteps, 'step')}.</span>
  </div>`;
}

/** At the end of the conversation of a lane whose agent run waits for the person. */
export function renderStepBar(
  playground: Playground,
  laneId: string,
  { step = 1 }: RunState,
  isPrimary: boolean,
): TemplateResult {
  const text = playground.state.view.stepTexts.get(laneId) ?? '';
  const type = (value: string): void =>
    playground.changeView((view) => ({ ...view, stepTexts: withPair(view.stepTexts, laneId, value) }));
  return html`<div class="turn step-bar" role="group" aria-label="Paused agent run">
    <div class="who">pause</div>
    <div class="what">
      <p><b>Paused</b> after step ${step}</p>
      ${textArea({
        label: 'Message before the next step',
        value: text,
        rows: 1,
        placeholder: 'optional',
        onInput: type,
      })}
      <div class="actions">
        ${button({
          label: 'Next step',
          icon: 'step',
          appearance: isPrimary ? 'primary' : 'secondary',
          onClick: () => void playground.goOn(laneId, true),
        })}
        ${button({ label: 'Run on', icon: 'next', onClick: () => void playground.goOn(laneId, false) })}
        ${button({ label: 'Stop lane', icon: 'stop', onClick: () => void playground.stop([laneId]) })}
      </div>
    </div>
  </div>`;
}
