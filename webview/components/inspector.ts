// The inspector: what came back, why, and over which attempts; of the selected reply or call, else of the latest.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { InspectorTab } from '../../src/protocol';
import { countTries } from '../format';
import { icon } from '../icons';
import type { Playground } from '../playground';
import type { PlaygroundState, RunEntry } from '../state';
import { callsOf, inspectedRun } from '../state';
import { renderAttemptsTab } from './inspector-attempts';
import { renderCallsTab } from './inspector-calls';
import { renderReplyTab } from './inspector-reply';

interface TabView {
  id: InspectorTab;
  label: string;
  count: (state: PlaygroundState, run: RunEntry) => number;
  render: (playground: Playground, run: RunEntry) => unknown;
}

/** In their order; a new tab is a new line. */
const TABS: readonly TabView[] = [
  { id: 'reply', label: 'Reply', count: () => 0, render: renderReplyTab },
  {
    id: 'tool-calls',
    label: 'Tool calls',
    count: (_state, run) => callsOf(run).length,
    render: renderCallsTab,
  },
  { id: 'attempts', label: 'Attempts', count: countAttempts, render: renderAttemptsTab },
];

export function renderInspector(playground: Playground, isBelow: boolean): TemplateResult {
  const { state } = playground;
  const run = inspectedRun(state);
  const tab = TABS.find(({ id }) => id === state.tab);
  const resize = ({ detail }: CustomEvent<number | null>): void =>
    playground.set(
      isBelow ? { inspectorHeight: detail ?? undefined } : { inspectorWidth: detail ?? undefined },
    );
  return html`<section class="side" aria-label="Inspector">
    <pg-sash class="sash" .isBelow=${isBelow} @pg-resize=${resize}></pg-sash>
    <div class="tabs side-tabs" role="tablist" aria-label="Inspector" @keydown=${moveBetweenTabs(playground)}>
      ${TABS.map((view) => renderTab(playground, view, run))}
    </div>
    <div class="panel" role="tabpanel" id="inspector-panel" aria-labelledby=${`tab-${state.tab}`}>
      ${
        run
          ? html`${renderCrumb(state, run)}
              <div class="pane" tabindex="0">${tab?.render(playground, run)}</div>`
          : html`<div class="empty">
              <p class="muted">Here a reply and its calls show what came back and why, once there is one.</p>
            </div>`
      }
    </div>
  </section>`;
}

function renderTab(playground: Playground, view: TabView, run: RunEntry | undefined): TemplateResult {
  const { state } = playground;
  const isSelected = view.id === state.tab;
  const count = run ? view.count(state, run) : 0;
  return html`<button
    role="tab"
    type="button"
    id=${`tab-${view.id}`}
    aria-selected=${isSelected ? 'true' : 'false'}
    aria-controls="inspector-panel"
    tabindex=${isSelected ? 0 : -1}
    @click=${() => playground.set({ tab: view.id })}
  >
    ${view.label}${count > 0 ? html`<span class="count" aria-hidden="true">${count}</span>` : nothing}
  </button>`;
}

function renderCrumb(state: PlaygroundState, run: RunEntry): TemplateResult {
  const { selection, lane } = state;
  const index = selection?.runId === run.runId ? selection.callIndex : undefined;
  const call = index === undefined ? undefined : callsOf(run)[index];
  return html`<p class="crumb">
    <span>Lane 1</span>${icon('right')}<span class="clip">${run.outcome?.model ?? lane.model}</span
    >${icon('right')}<b class="clip">${call ? call.name : describeRun(state, run)}</b>
  </p>`;
}

function describeRun({ entries }: PlaygroundState, run: RunEntry): string {
  if (run.problem || run.outcome?.verdict.kind === 'failed') return 'Failed run';
  if (run.outcome?.verdict.kind === 'stopped') return 'Stopped run';
  const before = entries.slice(0, entries.indexOf(run)).filter(({ kind }) => kind === 'user');
  return `Reply to message ${before.length}`;
}

function countAttempts({ progress, pendingRunId }: PlaygroundState, run: RunEntry): number {
  if (run.runId === pendingRunId) return progress?.attempt ?? 0;
  return countTries(run.outcome?.ledger ?? []);
}

/** Roving tab index: the arrows move and select, Home and End go to the ends. */
function moveBetweenTabs(playground: Playground): (event: KeyboardEvent) => void {
  return (event) => {
    const index = TABS.findIndex(({ id }) => id === playground.state.tab);
    const targets: Record<string, number> = {
      ArrowRight: (index + 1) % TABS.length,
      ArrowLeft: (index - 1 + TABS.length) % TABS.length,
      Home: 0,
      End: TABS.length - 1,
    };
    const next = TABS[targets[event.key] ?? -1];
    if (!next) return;
    event.preventDefault();
    playground.set({ tab: next.id });
    document.getElementById(`tab-${next.id}`)?.focus();
  };
}
