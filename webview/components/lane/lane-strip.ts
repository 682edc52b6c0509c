// The head of a lane: title and actions, what came back, four numbers, and its settings. While its lane runs it
// has a clock, and each tick draws only the strip again.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { focusSoon, inspectorPane } from '../../focus/focus';
import { icon } from '../../icons';
import { toBand } from '../../lanes/band';
import { compareLanes } from '../../lanes/compare-lanes';
import type { Comparison } from '../../lanes/compare-lanes';
import { figuresOf } from '../../lanes/figures';
import { countLaneProblems } from '../../lanes/lane-fields';
import { connectionOf, laneNumber, laneSettings, lastRun, modelOf } from '../../lanes/lane-queries';
import { primaryAction } from '../../lanes/primary-action';
import { describeSettings } from '../../lanes/sampling-fields';
import type { PanelState } from '../../state/panel-state';
import { boxText } from '../../actions/typed-fields';
import { laneOf } from '../../state/session-state';
import type { SessionState } from '../../state/session-state';
import { formatClock } from '../../text/format';
import { linkButton } from '../controls/controls';
import { StoreElement } from '../controls/store-element';
import { renderMarked } from '../controls/marked-text';
import { prose } from '../controls/prose';
import { renderSetKey } from '../transcript/alert-card';
import { renderFigures } from './figures-row';
import { openLaneSettings, renderLaneTitle, runLaneBlocker, toggleSettings } from './lane-title';
import { renderBand } from './outcome-band';
import { sentence } from '../../text/sentence';

export class LaneStrip extends StoreElement {
  static override properties = {
    ...StoreElement.properties,
    laneId: { attribute: false as const },
  };
  declare laneId: string;

  override render(): TemplateResult {
    const { playground, laneId } = this;
    const { state } = playground;
    const { session } = state;
    const { hasRun } = rowsOf(session);
    const isOpen = state.view.openSettings.includes(laneId);
    const lane = laneSettings(session, laneId);
    const number = laneNumber(session, laneId);
    return html`<div class="strip">
      ${renderLaneTitle(playground, laneId)} ${hasRun ? this.#renderResult() : nothing}
      <button
        class="config"
        type="button"
        aria-expanded=${isOpen ? 'true' : 'false'}
        aria-description=${t('Settings of lane {0}', number)}
        @click=${() => toggleSettings(playground, laneId)}
      >
        ${icon(isOpen ? 'down' : 'right')}<span class="clip"
          >${isOpen ? t('Settings') : lane ? renderMarked(describeSettings(lane, countLaneProblems(state.view.fields, laneId))) : t('no settings')}</span
        >
      </button>
      ${this.#renderNotes()}
    </div>`;
  }

  protected override watched(state: PanelState): readonly unknown[] {
    const { session, view } = state;
    const lane = session.lanes.get(this.laneId);
    const rows = rowsOf(session);
    const compared = comparisonOf(session, this.laneId);
    return [
      lane,
      session.document,
      session.environment,
      session.laneIds,
      view.openSettings,
      view.laneId,
      lane?.run ? state.now : 0,
      rows.hasRun,
      rows.hasDetails,
      JSON.stringify(compared ?? null),
      primaryAction(state, boxText(state)).kind,
      state.models,
      countLaneProblems(view.fields, this.laneId),
      runLaneBlocker(state, this.laneId),
    ];
  }

  #renderResult(): TemplateResult {
    const { playground, laneId } = this;
    const { session, now } = playground.state;
    const lane = laneOf(session, laneId);
    const run = lastRun(lane);
    const compared = comparisonOf(session, laneId);
    const band = toBand(lane, now);
    const show = (tab: 'reply' | NonNullable<typeof band>['tab']): void => {
      playground.setView({ laneId, tab, selection: run && { laneId, runId: run.id } });
      focusSoon(inspectorPane);
    };
    return html`${renderBand({
      band,
      run: lane.run ? undefined : run,
      deviation: compared?.deviation,
      laneNumber: laneNumber(session, laneId),
      onShow: () => show(band?.tab ?? 'reply'),
      onFindings: () => show('reply'),
    })}
    ${renderFigures({
      lane,
      figures: figuresOf(lane),
      best: compared?.best ?? [],
      hasRates: run?.outcome?.hasRates === true,
      hasDetails: rowsOf(session).hasDetails,
      now,
    })}`;
  }

  /** Notes stand last, because not every lane has them and the rows of all lanes should be level. */
  #renderNotes(): TemplateResult {
    const { session } = this.playground.state;
    return html`${this.#renderAgent()} ${renderOrigin(session, this.laneId)} ${this.#renderKeyNote()}`;
  }

  #renderAgent(): unknown {
    const { session, now } = this.playground.state;
    const { run } = laneOf(session, this.laneId);
    if (run?.kind !== 'agent') return nothing;
    const { step = 1, maxSteps } = run;
    return html`<p class="origin num">
      ${maxSteps === undefined ? t('Step {0}', step) : t('Step {0} of at most {1}', step, maxSteps)} ·
      <span aria-hidden="true">${t('{0} in all', formatClock(now - run.begunAt))}</span>
    </p>`;
  }

  #renderKeyNote(): unknown {
    const { playground, laneId } = this;
    const { state } = playground;
    const connection = connectionOf(state.session, laneId);
    const settings = laneSettings(state.session, laneId);
    if (state.session.environment && settings && !connection) {
      return this.#renderProblem(
        t('The connection `{0}` is not set up on this machine.', settings.connection),
      );
    }
    if (connection?.problem) return this.#renderProblem(connection.problem);
    if (!connection?.needsKey || connection.hasKey) return nothing;
    const primary = primaryAction(state, boxText(state));
    const isPrimary = primary.kind === 'set-key' && primary.laneId === laneId;
    return html`<div class="note">
      <span class="s-warning">${icon('warning')}</span
      ><span class="grow"
        >${sentence(t('{0} needs an API key.'), renderMarked(connection.label))}
        ${
          connection.isKeyElsewhere
            ? t('It was given in another window: run Developer: Reload Window, or set it here too.')
            : nothing
        }</span
      >
      ${renderSetKey(playground, laneId, isPrimary)}
    </div>`;
  }

  #renderProblem(text: string): TemplateResult {
    const { playground, laneId } = this;
    return html`<p class="note">
      <span class="s-error">${icon('error')}</span
      ><span
        >${prose(text)} ${linkButton(t('Choose another'), () => openLaneSettings(playground, laneId))}
        ${linkButton(t('Open settings'), () => void playground.send('settings/open', {}))}</span
      >
    </p>`;
  }
}

/** Names the connection and model of the shown result where the lane is now set to others. */
function renderOrigin(session: SessionState, laneId: string): unknown {
  const outcome = lastRun(laneOf(session, laneId))?.outcome;
  const settings = laneSettings(session, laneId);
  if (!outcome || !settings) return nothing;
  const isOther = outcome.connectionId !== settings.connection;
  if (!isOther && outcome.model === modelOf(session, laneId)) return nothing;
  const model = html`${isOther ? html`${renderMarked(outcome.connectionLabel)}, ` : ''}<b
      >${renderMarked(outcome.model)}</b
    >`;
  return html`<p class="origin">
    ${sentence(t('This result is from {0}; the next run uses other settings.'), model)}
  </p>`;
}

interface Rows {
  /** Whether some lane has run, so that all lanes show a band and numbers. */
  hasRun: boolean;
  /** Whether some lane has a time to first token or a speed, so that all lanes keep room for a second line. */
  hasDetails: boolean;
}

const knownRows = new WeakMap<SessionState, Rows>();
const knownComparisons = new WeakMap<SessionState, ReadonlyMap<string, Comparison>>();

/** Cached per session state, because every strip asks for the same rows. */
function rowsOf(session: SessionState): Rows {
  const known = knownRows.get(session);
  if (known) return known;
  const lanes = [...session.lanes.values()];
  const rows = {
    hasRun: lanes.some((lane) => lane.run !== null || lastRun(lane) !== undefined),
    hasDetails: lanes.some((lane) => {
      const figures = figuresOf(lane);
      return (figures?.firstTokenMs ?? figures?.tokensPerSecond) !== undefined;
    }),
  };
  knownRows.set(session, rows);
  return rows;
}

function comparisonOf(session: SessionState, laneId: string): Comparison | undefined {
  const known = knownComparisons.get(session) ?? compareLanes([...session.lanes.values()]);
  knownComparisons.set(session, known);
  return known.get(laneId);
}
