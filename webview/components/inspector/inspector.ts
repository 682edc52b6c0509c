// The inspector: what came back, why, and over which attempts. Shows the selected reply or call, otherwise the
// latest reply of the current lane.
import { t } from '@vscode/l10n';
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { RunEntry } from '../../../src/protocol';
import type { InspectorTab } from '../../../src/types';
import { callsOf, currentLaneId, inspectedRun, isLive, laneNumber, modelOf } from '../../lanes/lane-queries';
import { icon } from '../../icons';
import { renderLater } from '../../later';
import type { PanelState } from '../../state/panel-state';
import type { Playground } from '../../playground';
import type { LaneState } from '../../state/session-state';
import { selectedSpan } from '../../text/trace-spans';
import type { Selection } from '../../state/view-state';
import { isInspectorTab } from '../../state/view-state';
import { renderCut } from '../controls/prose';
import { StoreElement } from '../controls/store-element';
import { renderTabs, tabId } from '../controls/tabs';
import type { Inspected } from './inspected';
import { RUN_TABS } from './run-tabs';

export class Inspector extends StoreElement {
  override render(): TemplateResult {
    const { playground } = this;
    const { state } = playground;
    const { tab: selected } = state.view;
    const found = inspectedRun(state);
    const inspected = found && { ...found, isLive: isLive(found.lane, found.run), playground };
    const resize = ({ detail }: CustomEvent<number | null>): void =>
      playground.setView({ inspectorWidth: detail ?? undefined });
    return html`<section class="side" aria-label=${t('Inspector')}>
      <pg-sash class="sash" @pg-resize=${resize}></pg-sash>
      ${renderTabs({
        label: t('Inspector'),
        className: 'side-tabs',
        tabs: RUN_TABS.map(({ id, label, count }) => ({
          id,
          label: label(),
          count: inspected ? count(inspected) : 0,
        })),
        selected,
        panelId: 'inspector-panel',
        onSelect: (id) => playground.setView({ tab: isInspectorTab(id) ? id : selected }),
      })}
      <div class="panel" role="tabpanel" id="inspector-panel" aria-labelledby=${tabId(selected)}>
        ${
          inspected
            ? html`${renderCrumb(state, inspected)}
                <div class="pane" tabindex="0">
                  ${
                    inspected.run.isStored && !inspected.run.outcome
                      ? html`<p class="muted">${t('Reading an earlier run…')}</p>`
                      : renderLater((parts) => parts.renderRunTab(selected, inspected))
                  }
                </div>`
            : renderEmpty(playground, selected)
        }
      </div>
    </section>`;
  }

  override updated(): void {
    const { lane, run } = inspectedRun(this.playground.state) ?? {};
    if (lane && run?.isStored) this.playground.entries.need(lane.id, [run.id]);
  }

  protected override watched(state: PanelState): readonly unknown[] {
    const { session, view, hasLaterParts } = state;
    const { lane, run } = inspectedRun(state) ?? {};
    const isUnderWay = lane !== undefined && run !== undefined && isLive(lane, run);
    const hasClock = isUnderWay && view.tab === 'attempts';
    return [
      view.tab,
      view.selection,
      currentLaneId(state),
      hasLaterParts,
      run,
      isUnderWay,
      isUnderWay ? lane.progress : undefined,
      // The section on the agent run draws its other steps, too.
      run?.step ? lane?.entries : undefined,
      hasClock ? state.now : 0,
      session.laneIds,
      session.environment,
      session.document?.tools,
    ];
  }
}

/** Before the first run; what would be sent can be shown already. */
function renderEmpty(playground: Playground, tab: InspectorTab): TemplateResult {
  const hint = html`<p class="muted">
    ${t('The reply of a run is shown here, with its tool calls and findings.')}
  </p>`;
  if (tab !== 'wire') return html`<div class="empty">${hint}</div>`;
  const laneId = currentLaneId(playground.state);
  return html`<div class="pane first" tabindex="0">
    ${hint} ${renderLater((parts) => parts.renderPrompt(playground, laneId))}
  </div>`;
}

function renderCrumb(state: PanelState, { lane, run }: Inspected): TemplateResult {
  const { selection } = state.view;
  const selected = selection?.runId === run.id ? describeSelected(run, selection) : undefined;
  return html`<p class="crumb">
    <span>${t('Lane {0}', laneNumber(state.session, lane.id))}</span>${icon('right')}<span class="clip"
      >${renderCut(run.outcome?.model ?? modelOf(state.session, lane.id))}</span
    >${icon('right')}<b class="clip">${renderCut(selected ?? describeRun(lane, run))}</b>
  </p>`;
}

/** Name of the selected call, or of the span that looked like one; undefined for the reply as a whole. */
function describeSelected(run: RunEntry, selection: Selection): string | undefined {
  if (selection.callIndex !== undefined) return callsOf(run)[selection.callIndex]?.name;
  const reply = run.outcome?.reply;
  const { number, call, rejection } = (reply && selectedSpan(reply, selection)) ?? {};
  return number === undefined ? undefined : (call?.name ?? rejection?.name ?? t('Span {0}', number));
}

const RUN_WORDS: Readonly<Record<string, () => string>> = {
  failed: () => t('Failed run'),
  stopped: () => t('Stopped run'),
  interrupted: () => t('Interrupted run'),
};

function describeRun({ order, entries }: LaneState, run: RunEntry): string {
  const word = RUN_WORDS[run.outcome?.verdict.kind ?? ''];
  if (word) return word();
  const before = order.slice(0, order.indexOf(run.id)).map((id) => entries.get(id));
  const isQuestion = (entry: (typeof before)[number]): boolean =>
    entry?.kind === 'message' && entry.role === 'user';
  const messages = before.filter(isQuestion).length;
  // Each step after the results of tool calls is another reply to the same message.
  const earlier = before.length - 1 - before.findLastIndex(isQuestion);
  return earlier > 0
    ? t('Reply {0} to message {1}', earlier + 1, messages)
    : t('Reply to message {0}', messages);
}
