// The view *Evaluate* below the bar: the message and what is expected, the line of cost, the lanes, what may be believed of
// them, the rows, and the inspector.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { EvaluationSnapshot, ShownRows } from '../../../src/protocol';
import type { SamplePart } from '../../../src/types';
import { choosePart, setPlace } from '../../actions/evaluate';
import { icon } from '../../icons';
import type { PanelState } from '../../state/panel-state';
import { formatCount } from '../../text/format';
import { renderCut } from '../controls/prose';
import { StoreElement } from '../controls/store-element';
import { renderAsk } from './ask-strip';
import { renderEmptyEvaluation, renderReadyEvaluation } from './empty-evaluation';
import { renderQuestion } from './evaluate-dialog';
import { renderLaneTable } from './lane-table';
import { kindWord, renderLegend } from './outcome-bar';
import { renderPlanLine } from './plan-line';
import { renderComparisons, renderDepartures, renderWarnings } from './sentences';

export class EvaluationPanel extends StoreElement {
  static override properties = { ...StoreElement.properties, hasAllWarnings: { attribute: false as const } };
  declare hasAllWarnings: boolean;

  constructor() {
    super();
    this.hasAllWarnings = false;
  }

  override render(): TemplateResult {
    const { playground } = this;
    const { evaluation } = playground.state.session;
    return html`${renderAsk(playground)} ${renderPlanLine(playground)}
      <div class="work is-evaluation">
        <section class="stage" aria-label=${t('Evaluation')}>
          <h2 class="sr">${t('Evaluation')}</h2>
          ${this.#renderStage(evaluation)}
        </section>
        <pg-evaluation-inspector .playground=${playground}></pg-evaluation-inspector>
      </div>
      ${renderQuestion(playground)}`;
  }

  override updated(): void {
    const style = this.querySelector<HTMLElement>('.work')?.style;
    const { inspectorWidth } = this.playground.state.view;
    if (inspectorWidth === undefined) style?.removeProperty('--pp-inspector');
    else style?.setProperty('--pp-inspector', `${inspectorWidth}px`);
  }

  protected override watched(state: PanelState): readonly unknown[] {
    const { session, view, evaluate } = state;
    const hasClock = session.evaluation?.progress?.waiting.some(({ untilMs }) => untilMs !== undefined);
    return [
      session.evaluation,
      session.document,
      session.environment,
      session.lanes,
      view.inspectorWidth,
      evaluate.filter,
      evaluate.part,
      evaluate.question,
      hasClock === true ? state.now : 0,
    ];
  }

  #renderStage(evaluation: EvaluationSnapshot | undefined): unknown {
    const { playground } = this;
    if (!evaluation) return html`<p class="empty muted">${t('The evaluation is not known yet.')}</p>`;
    const { evaluate, expect = [] } = playground.state.session.document?.document ?? {};
    const { result, progress } = evaluation;
    if (!result && !progress) {
      const isEmpty = expect.length === 0 && evaluate?.rows === undefined;
      return isEmpty ? renderEmptyEvaluation(playground) : renderReadyEvaluation(evaluation);
    }
    return html`<div class="page">
      ${renderLaneTable(playground)} ${renderDepartures(evaluation)}
      ${renderComparisons(playground, evaluation)}
      ${renderWarnings(playground, result?.warnings ?? [], {
        isWhole: this.hasAllWarnings,
        onShowAll: () => {
          this.hasAllWarnings = true;
        },
      })}
      ${this.#renderFilters(evaluation)}
      <pg-evaluation-rows .playground=${playground}></pg-evaluation-rows>
    </div>`;
  }

  /** What was chosen in a bar or among the counts; pressing it shows all rows again. */
  #renderPart(part: SamplePart): TemplateResult {
    const { lanes = [] } = this.playground.state.session.evaluation ?? {};
    const lane = lanes.find(({ id }) => id === part.laneId);
    return html`<button
      class="chip is-part"
      type="button"
      aria-pressed="true"
      title=${t('Show all rows')}
      @click=${() => choosePart(this.playground, part)}
    >
      <span class="clip"
        >${renderCut([lane?.label, kindWord(part.kind)].filter(Boolean).join(': '), 80)}</span
      >
      ${icon('close')}
    </button>`;
  }

  #renderFilters({ result, baseline }: EvaluationSnapshot): TemplateResult {
    const { filter, part } = this.playground.state.evaluate;
    const shown = baseline ? BASELINE_FILTERS : FILTERS;
    return html`<div class="filters">
      <div class="chips" role="group" aria-label=${t('Rows shown')}>
        ${shown.map(
          (id) =>
            html`<button
              class="chip"
              type="button"
              aria-pressed=${id === filter && !part ? 'true' : 'false'}
              @click=${() => setPlace(this.playground, { filter: id, part: undefined })}
            >
              ${FILTER_WORDS[id]()} <span class="muted">${formatCount(result?.rows[id] ?? 0)}</span>
            </button>`,
        )}${part ? this.#renderPart(part) : nothing}
      </div>
      ${baseline ? nothing : renderLegend()}
    </div>`;
  }
}

const FILTERS: readonly ShownRows[] = ['all', 'failing', 'flaky', 'lanes-disagree', 'no-verdict'];
const BASELINE_FILTERS: readonly ShownRows[] = ['all', 'fixed', 'broken', 'failing', 'flaky'];
const FILTER_WORDS: Readonly<Record<ShownRows, () => string>> = {
  all: () => t('All'),
  failing: () => t('Failing'),
  flaky: () => t('Flaky'),
  'lanes-disagree': () => t('Lanes disagree'),
  'no-verdict': () => t('No verdict'),
  fixed: () => t('Fixed'),
  broken: () => t('Broken'),
};
