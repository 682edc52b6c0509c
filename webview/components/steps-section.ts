// In the tab *Reply*: the run to the end that the shown run is a step of, step by step, and what it came to as a whole.
import { html, nothing } from 'lit';
import { stepsOf } from '../agent-state';
import { formatDuration, formatTokens } from '../format';
import type { Playground } from '../playground';
import type { RunEntry } from '../state';
import { callsOf } from '../state';
import { linkButton } from './controls';
import { renderEnding } from './run-end';

export function renderSteps(playground: Playground, run: RunEntry): unknown {
  const steps = stepsOf(playground.state, run);
  if (steps.length === 0) return nothing;
  const ending = steps.at(-1)?.ending;
  return html`<section class="sec">
    <h3>Run to the end</h3>
    <table class="num">
      <thead>
        <tr>
          <th>Step</th>
          <th>Came</th>
          <th class="r">Tokens</th>
          <th class="r">Time</th>
        </tr>
      </thead>
      <tbody>
        ${steps.map((step) => renderStep(playground, step, step.runId === run.runId))}
      </tbody>
    </table>
    ${ending ? renderEnding(ending) : nothing}
  </section>`;
}

function renderStep(playground: Playground, step: RunEntry, isShown: boolean): unknown {
  const { runId, outcome, problem } = step;
  const number = String(step.step?.number ?? 1);
  const select = (): void => playground.set({ selection: { runId }, tab: 'reply' });
  return html`<tr aria-current=${isShown ? 'true' : nothing}>
    <td>${isShown ? html`<b>${number}</b>` : linkButton(number, select, `Show step ${number}`)}</td>
    <td>${outcome ? describeReply(step) : (problem?.title ?? 'under way')}</td>
    <td class="r">${outcome?.turn ? formatTokens(outcome.turn.usage) : '–'}</td>
    <td class="r">${outcome ? formatDuration(outcome.durationMs) : '–'}</td>
  </tr>`;
}

function describeReply(step: RunEntry): string {
  const { kind, detail } = step.outcome?.verdict ?? { kind: 'none', detail: '' };
  const names = callsOf(step).map(({ name }) => name);
  return [`${kind}, ${detail}`, ...new Set(names)].join(' · ');
}
