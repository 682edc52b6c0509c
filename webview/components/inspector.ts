// The inspector: what came back, why, and over which attempts; of the selected reply or call, else of the latest.
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { InspectorTab } from '../../src/protocol';
import { countBegunTries, countTries } from '../format';
import { icon } from '../icons';
import type { LaterParts } from '../later';
import { renderLater } from '../later';
import type { Playground } from '../playground';
import type { PlaygroundState, RunEntry, Selection } from '../state';
import { callsOf, inspectedRun } from '../state';
import { selectedSpan } from '../trace-spans';
import { renderTabs, tabId } from './tabs';

interface TabView {
  id: InspectorTab;
  label: string;
  count: (state: PlaygroundState, run: RunEntry) => number;
  renderer: (parts: LaterParts) => (playground: Playground, run: RunEntry) => unknown;
}

/** In their order; a new tab is a new line. */
const TABS: readonly TabView[] = [
  { id: 'reply', label: 'Reply', count: () => 0, renderer: (parts) => parts.renderReplyTab },
  {
    id: 'tool-calls',
    label: 'Tool calls',
    count: (_state, run) => callsOf(run).length,
    renderer: (parts) => parts.renderCallsTab,
  },
  { id: 'rescue', label: 'Rescue', count: countSpans, renderer: (parts) => parts.renderRescueTab },
  {
    id: 'attempts',
    label: 'Attempts',
    count: countAttempts,
    renderer: (parts) => parts.renderAttemptsTab,
  },
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
    ${renderTabs({
      label: 'Inspector',
      className: 'side-tabs',
      tabs: TABS.map(({ id, label, count }) => ({ id, label, count: run ? count(state, run) : 0 })),
      selected: state.tab,
      panelId: 'inspector-panel',
      onSelect: (id) => playground.set({ tab: TABS.find((view) => view.id === id)?.id ?? state.tab }),
    })}
    <div class="panel" role="tabpanel" id="inspector-panel" aria-labelledby=${tabId(state.tab)}>
      ${
        run
          ? html`${renderCrumb(state, run)}
              <div class="pane" tabindex="0">
                ${tab && renderLater((parts) => tab.renderer(parts)(playground, run))}
              </div>`
          : html`<div class="empty">
              <p class="muted">Here a reply and its calls show what came back and why, once there is one.</p>
            </div>`
      }
    </div>
  </section>`;
}

function renderCrumb(state: PlaygroundState, run: RunEntry): TemplateResult {
  const { selection, lane } = state;
  const selected = selection?.runId === run.runId ? describeSelected(run, selection) : undefined;
  return html`<p class="crumb">
    <span>Lane 1</span>${icon('right')}<span class="clip">${run.outcome?.model ?? lane.model}</span
    >${icon('right')}<b class="clip">${selected ?? describeRun(state, run)}</b>
  </p>`;
}

/** The name of the call, or of what looked like one; undefined for the reply as a whole. */
function describeSelected(run: RunEntry, selection: Selection): string | undefined {
  if (selection.callIndex !== undefined) return callsOf(run)[selection.callIndex]?.name;
  const turn = run.outcome?.turn;
  const { number, call, rejection } = (turn && selectedSpan(turn, selection)) ?? {};
  return number === undefined ? undefined : (call?.name ?? rejection?.name ?? `Span ${number}`);
}

function describeRun({ entries }: PlaygroundState, run: RunEntry): string {
  if (run.problem || run.outcome?.verdict.kind === 'failed') return 'Failed run';
  if (run.outcome?.verdict.kind === 'stopped') return 'Stopped run';
  const before = entries.slice(0, entries.indexOf(run));
  const messages = before.filter(({ kind }) => kind === 'user').length;
  // the results of its calls are answered by another reply to the same message
  const earlier = before.length - 1 - before.findLastIndex(({ kind }) => kind === 'user');
  return `Reply ${earlier > 0 ? `${earlier + 1} ` : ''}to message ${messages}`;
}

function countSpans(_state: PlaygroundState, run: RunEntry): number {
  const { calls = [], rejected = [] } = run.outcome?.turn?.rescue ?? {};
  return calls.length + rejected.length;
}

function countAttempts({ progress, pendingRunId }: PlaygroundState, run: RunEntry): number {
  if (run.runId === pendingRunId) return countBegunTries(progress);
  return countTries(run.outcome?.ledger ?? []);
}
