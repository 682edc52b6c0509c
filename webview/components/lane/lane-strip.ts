// The head of a lane: title and actions, what came back, four numbers, and its settings. While its lane runs it
// has a clock, and each tick draws only the strip again.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { EVALUATED_TIMES, evaluateTimes } from '../../actions/evaluate';
import { inspect } from '../../actions/inspect';
import { focusSoon, inspectorPane } from '../../focus/focus';
import { icon } from '../../icons';
import { toBand } from '../../lanes/band';
import { compareLanes } from '../../lanes/compare-lanes';
import type { Comparison } from '../../lanes/compare-lanes';
import { figuresOf } from '../../lanes/figures';
import { countLaneProblems } from '../../lanes/lane-fields';
import {
  billingOfRun,
  canEdit,
  connectionOf,
  describeLanes,
  laneNumber,
  laneSettings,
  isNotKept,
  lastRun,
} from '../../lanes/lane-queries';
import { primaryAction } from '../../lanes/primary-action';
import { describeSettings } from '../../lanes/sampling-fields';
import { describeParts } from '../../lanes/setup-parts';
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
          >${isOpen ? t('Settings') : this.#renderSettings()}</span
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

  /** Those of the reply below; before the first one, those of the next run. */
  #renderSettings(): unknown {
    const { session, view } = this.playground.state;
    const { sent } = laneOf(session, this.laneId);
    const shown = sent ? sent.settings : laneSettings(session, this.laneId);
    if (!shown) return sent ? t('settings of this reply not known') : t('no settings');
    const { isInEditor } = connectionOf(session, this.laneId) ?? {};
    const problems = countLaneProblems(view.fields, this.laneId);
    return renderMarked(describeSettings({ ...shown, isInEditor }, problems));
  }

  #renderResult(): TemplateResult {
    const { playground, laneId } = this;
    const { session, now } = playground.state;
    const lane = laneOf(session, laneId);
    const run = lastRun(lane);
    const compared = comparisonOf(session, laneId);
    const band = toBand(lane, now);
    const show = (tab: 'reply' | NonNullable<typeof band>['tab']): void => {
      inspect(playground, { laneId, tab, selection: run && { laneId, runId: run.id } });
      focusSoon(inspectorPane);
    };
    return html`${renderBand({
      band,
      run: lane.run ? undefined : run,
      deviation: compared?.deviation,
      laneNumber: laneNumber(session, laneId),
      onShow: () => show(band?.tab ?? 'reply'),
      onEvaluate: canEdit(session) ? () => void evaluateTimes(playground, EVALUATED_TIMES) : undefined,
      onFindings: () => show('reply'),
    })}
    ${renderFigures({
      lane,
      figures: figuresOf(lane),
      best: compared?.best ?? [],
      billing: run ? billingOfRun(session, run) : 'unknown',
      hasDetails: rowsOf(session).hasDetails,
      now,
    })}`;
  }

  /** Notes stand last, because not every lane has them and the rows of all lanes should be level. */
  #renderNotes(): TemplateResult {
    const { session } = this.playground.state;
    return html`${this.#renderAgent()} ${renderSince(session, this.laneId)}
    ${renderUnlike(session, this.laneId)} ${this.#renderKeyNote()}`;
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

/** Says what a run would be set to differently than the shown result was, and where the result is from. */
function renderSince(session: SessionState, laneId: string): unknown {
  const lane = laneOf(session, laneId);
  const { changed = [] } = lane.sent ?? {};
  const run = lastRun(lane);
  const outcome = run?.outcome;
  if (changed.length === 0 || (run && isNotKept(run))) return nothing;
  const isElsewhere = changed.includes('connection');
  const isFrom = outcome !== undefined && (isElsewhere || changed.includes('model'));
  return html`<p class="origin">
    ${
      isFrom
        ? sentence(
            t('This result is from {0}.'),
            html`${isElsewhere ? html`${renderMarked(outcome.connectionLabel)}, ` : ''}<b
                >${renderMarked(outcome.model)}</b
              >`,
          )
        : nothing
    }
    ${t('Changed since: {0}.', describeParts(changed))}
  </p>`;
}

function renderUnlike(session: SessionState, laneId: string): unknown {
  const { unlike } = comparisonOf(session, laneId) ?? {};
  if (!unlike) return nothing;
  return html`<p class="origin">
    ${t('Not compared with {0}, because these were different: {1}.', describeLanes(session, unlike.laneIds), describeParts(unlike.parts))}
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

function comparisonsOf(session: SessionState): ReadonlyMap<string, Comparison> {
  const known = knownComparisons.get(session) ?? compareLanes([...session.lanes.values()]);
  knownComparisons.set(session, known);
  return known;
}

const comparisonOf = (session: SessionState, laneId: string): Comparison | undefined =>
  comparisonsOf(session).get(laneId);

/** Whether a number of some lane is marked as the best. */
export const hasBest = (session: SessionState): boolean =>
  [...comparisonsOf(session).values()].some(({ best }) => best.length > 0);
