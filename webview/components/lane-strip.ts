// The head of a lane: its title and actions, what came back, four numbers, and what is set.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import {
  countBegunTries,
  countOf,
  countTries,
  formatClock,
  formatCost,
  formatDuration,
  formatTokens,
} from '../format';
import { icon } from '../icons';
import type { Playground } from '../playground';
import { describeAgent } from '../agent-state';
import { describeSettings } from '../sampling-fields';
import { currentConnection, runEntries } from '../state';
import { renderSetKey } from './alert-card';
import { iconButton } from './controls';
import { renderBand } from './outcome-band';

export function renderStrip(playground: Playground): TemplateResult {
  const { state } = playground;
  return html`<div class="strip">
    ${renderTitle(playground)} ${renderKeyNote(playground)}
    ${renderBand(state, () => playground.set({ tab: 'reply', selection: undefined }))}
    ${renderOrigin(playground)} ${renderAgent(playground)} ${renderNumbers(playground)}
    <button
      class="config"
      type="button"
      aria-expanded=${state.isSettingsOpen ? 'true' : 'false'}
      aria-description="Settings of lane 1"
      @click=${() => toggleSettings(playground)}
    >
      ${icon(state.isSettingsOpen ? 'down' : 'right')}<span class="clip"
        >${state.isSettingsOpen ? 'Settings' : describeSettings(state.lane.sampling, state.lane.rescueToolCalls)}</span
      >
    </button>
  </div>`;
}

export function toggleSettings(playground: Playground): void {
  const isSettingsOpen = !playground.state.isSettingsOpen;
  playground.set({ isSettingsOpen });
  if (!isSettingsOpen) return;
  void playground.readModels();
  // the settings stand above the conversation, which may be scrolled to its end
  requestAnimationFrame(() => document.querySelector('.settings')?.scrollIntoView({ block: 'nearest' }));
}

function renderTitle(playground: Playground): TemplateResult {
  const { state } = playground;
  const connection = currentConnection(state);
  const label = connection?.label ?? (state.lane.connectionId || 'No connection');
  return html`<div class="lane-title">
    <h2 class="clip">
      <span class="conn clip">${label}</span> <span class="clip">${state.lane.model || 'no model'}</span>
    </h2>
    ${
      connection?.needsKey && connection.hasKey
        ? iconButton('Set API key', 'key', () => void playground.changeKey('connection/set-key'))
        : nothing
    }
    ${iconButton('Lane settings', 'settings', () => toggleSettings(playground))}
    ${iconButton('Clear conversation', 'clear', () => playground.clear(), state.entries.length === 0)}
  </div>`;
}

function renderKeyNote(playground: Playground): unknown {
  const connection = currentConnection(playground.state);
  if (connection?.problem) {
    return html`<p class="note">
      <span class="s-error">${icon('error')}</span><span>${connection.problem}</span>
    </p>`;
  }
  if (!connection?.needsKey || connection.hasKey) return nothing;
  return html`<div class="note">
    <span class="s-warning">${icon('warning')}</span
    ><span class="grow">${connection.label} needs an API key.</span>
    ${renderSetKey(playground)}
  </div>`;
}

/** The strip shows the last result, which another connection or model may have brought. */
function renderOrigin({ state }: Playground): unknown {
  const outcome = runEntries(state).at(-1)?.outcome;
  if (!outcome) return nothing;
  const { connectionId, connectionLabel, model } = outcome;
  const isOther = connectionId !== state.lane.connectionId;
  if (!isOther && model === state.lane.model.trim()) return nothing;
  return html`<p class="origin">
    This result is of ${isOther ? `${connectionLabel}, ` : ''}<b>${model}</b>; the next run is not.
  </p>`;
}

/** The numbers below it are those of one step. */
function renderAgent({ state }: Playground): unknown {
  const { agent, now } = state;
  const words = describeAgent(state);
  if (!agent || !words) return nothing;
  return html`<p class="origin num">${words} · ${formatClock(now - agent.since)} in all</p>`;
}

function renderNumbers({ state }: Playground): unknown {
  const last = runEntries(state).at(-1);
  if (!last) return nothing;
  const { outcome } = last;
  const isBusy = state.pendingRunId !== undefined;
  const usage = outcome?.turn?.usage;
  // the server tells them at the end
  const tokens = isBusy ? '… tok' : formatTokens(usage);
  const elapsed = formatClock(state.now - (state.pendingSince ?? state.now));
  const tries = isBusy ? countBegunTries(state.progress) : countTries(outcome?.ledger ?? []);
  const cost =
    usage?.costUsd === undefined ? (isBusy ? 'no cost yet' : 'cost not set') : formatCost(usage.costUsd);
  return html`<dl class="nums num">
    <dt class="sr">Tokens</dt>
    <dd class=${usage && tokens !== 'no tokens' ? '' : 'muted'}>${tokens}</dd>
    <dt class="sr">Time</dt>
    <dd>
      ${isBusy ? elapsed : outcome ? formatDuration(outcome.durationMs) : html`<span class="muted">no time</span>`}
    </dd>
    <dt class="sr">Tries</dt>
    <dd>${tries ? countOf(tries, 'try', 'tries') : html`<span class="muted">no tries</span>`}</dd>
    <dt class="sr">Cost</dt>
    <dd class=${usage?.costUsd === undefined ? 'muted' : ''}>${cost}</dd>
  </dl>`;
}
