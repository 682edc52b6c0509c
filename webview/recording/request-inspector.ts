// One recorded request: how it came out, what can be done with it, and the tabs of its run as the inspector of a playground has
// them. A request that is no chat has its wire only.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { AskedView, RecordedRow, RunEntry, WireView } from '../../src/protocol';
import type { InspectorTab } from '../../src/types';
import { button, linkButton } from '../components/controls/controls';
import type { MenuGroup } from '../components/controls/menu-button';
import { prose, renderCut } from '../components/controls/prose';
import { StoreElement } from '../components/controls/store-element';
import { renderTabs, tabId } from '../components/controls/tabs';
import type { Inspected } from '../components/inspector/inspected';
import { renderAttemptsTab } from '../components/inspector/inspector-attempts';
import { renderCallsTab } from '../components/inspector/inspector-calls';
import { renderParameters } from '../components/inspector/parameter-table';
import { renderReplyTab } from '../components/inspector/reply/inspector-reply';
import { renderRescueTab } from '../components/inspector/rescue/inspector-rescue';
import { RUN_TABS } from '../components/inspector/run-tabs';
import { COMPARISONS, copyRequest, FORM_LABELS } from '../components/inspector/wire-files';
import { icon } from '../icons';
import type { LaneState } from '../state/session-state';
import { isInspectorTab } from '../state/view-state';
import type { PanelState } from '../state/panel-state';
import { countOf, formatCount } from '../text/format';
import type { Recording } from './recording';
import type { ReadRequest } from './recording-state';
import { chipWord, outcomeOf, pathOf, programOf, repairWord, timeOf } from './row-words';
import { renderTwoSides } from './two-sides';

const MAX_SHOWN = 200;
/** Requests that one is offered to be compared with, the nearest ones before it. */
const MAX_COMPARED = 5;

export class RequestInspector extends StoreElement {
  static override properties = {
    ...StoreElement.properties,
    recording: { attribute: false as const },
    row: { attribute: false as const },
    read: { attribute: false as const },
    canRepair: { attribute: false as const },
  };
  declare recording: Recording;
  declare row: RecordedRow | undefined;
  declare read: ReadRequest | undefined;
  /** Whether repairing calls can be turned on. */
  declare canRepair: boolean;

  override render(): TemplateResult {
    const { playground, row } = this;
    const inspected = this.#inspected();
    // A chat has all of them before its run is read, so that none moves away below the pointer.
    const isPending = row?.messages !== undefined && this.read?.number !== row.number;
    const tabs = inspected || isPending ? RUN_TABS : RUN_TABS.filter(({ id }) => id === 'wire');
    const { tab } = playground.state.view;
    const selected = tabs.some(({ id }) => id === tab) ? tab : 'wire';
    const resize = ({ detail }: CustomEvent<number | null>): void =>
      playground.setView({ inspectorWidth: detail ?? undefined });
    return html`<section class="side" aria-label=${t('Inspector')}>
      <pg-sash class="sash" @pg-resize=${resize}></pg-sash>
      ${
        row
          ? html`${renderTabs({
                label: t('Inspector'),
                className: 'side-tabs',
                tabs: tabs.map(({ id, label, count }) => ({
                  id,
                  label: label(),
                  count: inspected ? count(inspected) : 0,
                })),
                selected,
                panelId: 'inspector-panel',
                onSelect: (id) => playground.setView({ tab: isInspectorTab(id) ? id : tab }),
              })}
              <div class="panel" role="tabpanel" id="inspector-panel" aria-labelledby=${tabId(selected)}>
                ${this.#renderCrumb(row)} ${this.#renderBand(row)} ${this.#renderActions(row, inspected?.run)}
                <div class="pane" tabindex="0">${this.#renderPane(row, inspected, selected)}</div>
              </div>`
          : html`<div class="empty">
              <p class="muted">
                ${t('Choose a request to see what was asked, what came back, and what the program got.')}
              </p>
            </div>`
      }
    </section>`;
  }

  protected override watched({ view }: PanelState): readonly unknown[] {
    return [view.tab, view.selection];
  }

  /** The run of a chat, in a lane of its own. */
  #inspected(): Inspected | undefined {
    const { playground, row, read } = this;
    const run = read && read.number === row?.number ? read.run : undefined;
    if (!run) return undefined;
    const lane: LaneState = {
      id: row?.run?.laneId ?? '',
      version: 0,
      order: [run.id],
      entries: new Map([[run.id, run]]),
      run: null,
    };
    return { playground, lane, run, isLive: false };
  }

  #renderCrumb(row: RecordedRow): TemplateResult {
    const { recording } = this;
    const { session } = row;
    const name = renderCut(programOf(row), MAX_SHOWN);
    const isOnly = recording.state.session !== undefined;
    return html`<h2 class="sr">${t('Request of {0}', timeOf(row.startedAt))}</h2>
      <p class="crumb num">
        <span class="clip">${name}</span>
        ${
          session === undefined
            ? nothing
            : html`${icon('right')}${
                isOnly
                  ? html`<span>${t('Conversation {0}', session)}</span>`
                  : linkButton(
                      t('Conversation {0}', session),
                      () => recording.set({ session, filter: 'all' }),
                      t('Show only conversation {0}', session),
                    )
              }`
        }
        ${icon('right')}<b class="clip">${timeOf(row.startedAt)}, ${renderCut(pathOf(row), MAX_SHOWN)}</b>
      </p>`;
  }

  #renderBand(row: RecordedRow): TemplateResult {
    const outcome = outcomeOf(row);
    const { verdict, status, problem } = row;
    const aside = repairWord(row);
    const said = problem ?? verdict?.detail ?? '';
    const word = row.phase ? (outcome?.word ?? '') : verdict ? chipWord(verdict.kind) : t('Passed on');
    const rest = said === '' && !verdict && status !== undefined ? t('status {0}', status) : said;
    return html`<div class="sample-band outcome o-${outcome?.icon ?? 'none'}">
      <span class="o-icon">${icon(outcome?.icon ?? 'rightwards', row.phase ? 'spin' : '')}</span
      ><span class="what clip" title=${rest}
        ><b>${word}</b>${rest === '' ? nothing : html` · ${prose(rest)}`}</span
      >
      ${
        aside === undefined
          ? nothing
          : html`<span class=${row.isRepaired ? '' : 'muted'}>${aside}</span> ${this.#renderRepairLink(row)}`
      }
    </div>`;
  }

  /** What a person can do about a call that the program did not get. */
  #renderRepairLink({ isRepaired }: RecordedRow): unknown {
    if (isRepaired || !this.canRepair) return nothing;
    return linkButton(
      t('Repair calls'),
      () => void this.recording.repair(true),
      t('Repair calls from the next request on'),
    );
  }

  #renderActions(row: RecordedRow, run: RunEntry | undefined): unknown {
    const { recording, read } = this;
    const wire = read?.number === row.number ? read.view?.wire : undefined;
    if (row.messages === undefined || row.phase || !wire) return nothing;
    const { number, session } = row;
    return html`<div class="acts">
      ${button({
        label: t('Open as Playground'),
        icon: 'lanes',
        onClick: () => void recording.send('recording/open-playground', { number }),
      })}
      ${
        session === undefined
          ? nothing
          : button({
              label: t('Replay on other lanes'),
              icon: 'evaluate',
              name: t('Replay on other lanes: conversation {0}', session),
              onClick: () => void recording.send('recording/replay', { session }),
            })
      }
      ${
        run && wire.copyForms.length > 0
          ? html`<pg-menu-button
              .label=${t('Copy as')}
              .icon=${'copy'}
              .hasText=${true}
              .groups=${() => this.#toForms(wire)}
            ></pg-menu-button>`
          : nothing
      }
      ${
        run && this.#others(row).length > 0
          ? html`<pg-menu-button
              .label=${t('Compare with')}
              .icon=${'compare'}
              .hasText=${true}
              .groups=${() => this.#toComparisons(row)}
            ></pg-menu-button>`
          : nothing
      }
    </div>`;
  }

  #toForms({ copyForms }: WireView): MenuGroup[] {
    const place = this.row?.run;
    if (!place) return [];
    return [
      {
        items: copyForms.map((form) => ({
          label: FORM_LABELS[form](),
          onSelect: () => void copyRequest(this.playground, place, form),
        })),
      },
    ];
  }

  /** The requests before this one, those of its own conversation first. */
  #others({ number, session }: RecordedRow): RecordedRow[] {
    const before = this.recording.state.rows.filter((row) => row.run && row.number !== number);
    const isMate = (row: RecordedRow): boolean => session !== undefined && row.session === session;
    const distance = (row: RecordedRow): number => Math.abs(row.number - number);
    return before
      .toSorted(
        (one, other) => Number(isMate(other)) - Number(isMate(one)) || distance(one) - distance(other),
      )
      .slice(0, MAX_COMPARED);
  }

  #toComparisons(row: RecordedRow): MenuGroup[] {
    const { playground } = this;
    const left = row.run;
    if (!left) return [];
    return this.#others(row).map((other) => ({
      heading:
        `${timeOf(other.startedAt)} · ${other.model ?? pathOf(other)} · ${outcomeOf(other)?.word ?? ''}`.slice(
          0,
          100,
        ),
      items: COMPARISONS.filter(({ part }) => part !== 'lane').map(({ label, part, form }) => ({
        label: label(),
        onSelect: () =>
          other.run && void playground.send('run/compare', { left, right: other.run, part, form }),
      })),
    }));
  }

  #renderPane(row: RecordedRow, inspected: Inspected | undefined, tab: InspectorTab): unknown {
    const { read, recording } = this;
    if (row.phase)
      return html`<p class="muted">
        ${t('The request is under way. What came back is shown when it has ended.')}
      </p>`;
    if (!read || read.number !== row.number) return html`<p class="muted">${t('Reading the request…')}</p>`;
    if (read.problem)
      return html`<p role="alert">${prose(`${read.problem.what} ${read.problem.next}`.trim())}</p>`;
    if (tab === 'wire' || !inspected)
      return read.view
        ? html`${renderTwoSides(recording, row, read.view)}
          ${read.view.wire.parameters ? renderParameters(read.view.wire.parameters) : nothing}`
        : nothing;
    switch (tab) {
      case 'reply':
        return html`${renderReplyTab(inspected)} ${read.view?.asked ? renderAsked(read.view.asked) : nothing}`;
      case 'tool-calls':
        return renderCallsTab(inspected);
      case 'rescue':
        return renderRescueTab(inspected);
      case 'attempts':
        return renderAttemptsTab(inspected);
    }
  }
}

/** The head of the conversation, without its text. */
function renderAsked({ roles, tools, last }: AskedView): TemplateResult {
  const total = roles.reduce((sum, { count }) => sum + count, 0);
  const parts = roles.map(({ role, count }) => `${role} ${formatCount(count)}`).join(', ');
  return html`<section class="sec">
    <h3>${t('What was asked')}</h3>
    <dl class="kv">
      <dt>${t('messages')}</dt>
      <dd class="num">
        ${formatCount(total)}${total > 0 ? html`: ${renderCut(parts, MAX_SHOWN)}` : nothing}
      </dd>
      <dt>${t('tools')}</dt>
      <dd class="num">
        ${
          tools.length === 0
            ? html`<span class="muted">${t('none')}</span>`
            : html`<details class="fold">
                <summary>${icon('right')}${countOf(tools.length, t('{0} tool'), t('{0} tools'))}</summary>
                <p class="mono">${renderCut(tools.join(', '))}</p>
              </details>`
        }
      </dd>
      ${
        last
          ? html`<dt>${t('last')}</dt>
              <dd class="line">
                <span class="clip mono">${renderCut(last.text, 400)}</span
                ><span class="muted">${renderCut(last.role, 40)}</span>
              </dd>`
          : nothing
      }
    </dl>
  </section>`;
}
