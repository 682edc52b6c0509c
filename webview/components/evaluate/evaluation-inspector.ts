// The inspector of the view *Evaluate*, a way down: a cell, its samples, one sample. Reads what it shows when it is shown, and
// again when the evaluation changes.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { EvaluationCaseView, EvaluationSampleView } from '../../../src/protocol';
import { escapeEvaluation, setPlace } from '../../actions/evaluate';
import { focusSoon } from '../../focus/focus';
import { scrollToStart } from '../../focus/follow-end';
import { icon } from '../../icons';
import type { PanelState } from '../../state/panel-state';
import { iconButton } from '../controls/controls';
import { renderCut } from '../controls/prose';
import { StoreElement } from '../controls/store-element';
import { renderTabs, tabId } from '../controls/tabs';
import { renderSamples } from './case-samples';
import { renderExpectations } from './expectation-list';
import { renderIdle } from './idle-pane';
import { renderSampleBand, renderSampleTab, sampleTabs } from './sample-tabs';

const PANEL_ID = 'evaluation-inspector-panel';
/** In pixels: less of it than this shows nothing. */
const LEAST_SIGHT = 120;

/** What was read, and of what: the place and the version of the evaluation. */
interface Read<View> {
  place: string;
  version: number;
  view: View | undefined;
}

export class EvaluationInspector extends StoreElement {
  static override properties = {
    ...StoreElement.properties,
    ofCase: { attribute: false as const },
    ofSample: { attribute: false as const },
  };
  declare ofCase: Read<EvaluationCaseView> | undefined;
  declare ofSample: Read<EvaluationSampleView> | undefined;
  readonly #reading = new Set<string>();
  /** The cell, sample or expectation that was shown last. */
  #shown = '';

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('keydown', this.#jumped, { capture: true });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('keydown', this.#jumped, { capture: true });
  }

  override render(): TemplateResult {
    const { playground } = this;
    const { evaluate } = playground.state;
    const resize = ({ detail }: CustomEvent<number | null>): void =>
      playground.setView({ inspectorWidth: detail ?? undefined });
    return html`<section class="side" aria-label=${t('Inspector')} @keydown=${this.#pressed}>
      <pg-sash class="sash" @pg-resize=${resize}></pg-sash>
      ${
        evaluate.expectation !== undefined
          ? html`<pg-expectation-editor .playground=${playground}></pg-expectation-editor>`
          : evaluate.cell
            ? this.#renderWay()
            : html`<div class="panel">
                <div class="pane" tabindex="0">${renderIdle(playground)}</div>
              </div>`
      }
    </section>`;
  }

  protected override watched(state: PanelState): readonly unknown[] {
    const { session, evaluate, view, hasLaterParts } = state;
    const isIdle = !evaluate.cell && session.evaluation?.progress !== undefined;
    return [
      evaluate,
      session.evaluation,
      session.document,
      session.environment,
      view.tab,
      view.selection,
      hasLaterParts,
      isIdle ? state.now : 0,
    ];
  }

  override updated(): void {
    this.#bringIntoSight();
    const { playground } = this;
    const { cell, repeat } = playground.state.evaluate;
    const { plan, result } = playground.state.session.evaluation ?? {};
    // After a reload the selected cell is known before the evaluation is.
    if (!cell || (!plan && !result)) return;
    void this.#read({
      kind: 'case',
      place: JSON.stringify(cell),
      held: this.ofCase,
      ask: () => playground.ask('evaluation/case', cell),
      keep: (read) => {
        this.ofCase = read;
      },
    });
    if (repeat === undefined) return;
    const sample = { ...cell, repeat };
    void this.#read({
      kind: 'sample',
      place: JSON.stringify(sample),
      held: this.ofSample,
      ask: () => playground.ask('evaluation/sample', sample),
      keep: (read) => {
        this.ofSample = read;
      },
    });
  }

  /** In one column it stands below all rows: what is opened would be out of sight. */
  #bringIntoSight(): void {
    const { cell, repeat, expectation } = this.playground.state.evaluate;
    const shown = JSON.stringify([cell, repeat, expectation]);
    if (shown === this.#shown) return;
    const read = repeat === undefined ? this.ofCase : this.ofSample;
    const isRead = read?.place === JSON.stringify(repeat === undefined ? cell : { ...cell, repeat });
    // Until it is read, there may be too little of it to scroll to.
    if (isRead || !cell || expectation !== undefined) this.#shown = shown;
    const side = this.querySelector<HTMLElement>('.side');
    if ((!cell && expectation === undefined) || !side) return;
    const { top, bottom } = side.getBoundingClientRect();
    if (top > window.innerHeight - LEAST_SIGHT || bottom < LEAST_SIGHT) scrollToStart(side);
  }

  /** Reads what is shown unless it is held as the evaluation has it now; what was read before stays until then. */
  async #read<View>(reading: {
    kind: string;
    place: string;
    held: Read<View> | undefined;
    ask: () => Promise<View | undefined>;
    keep: (read: Read<View>) => void;
  }): Promise<void> {
    const { kind, place, held, ask, keep } = reading;
    const version = this.playground.state.session.evaluation?.version ?? 0;
    if (this.#reading.has(kind) || (held?.place === place && held.version === version)) return;
    this.#reading.add(kind);
    const view = await ask();
    this.#reading.delete(kind);
    keep({ place, version, view: view ?? (held?.place === place ? held.view : undefined) });
  }

  get #case(): EvaluationCaseView | undefined {
    const { cell } = this.playground.state.evaluate;
    return this.ofCase?.place === JSON.stringify(cell) ? this.ofCase.view : undefined;
  }

  get #sample(): EvaluationSampleView | undefined {
    const { cell, repeat } = this.playground.state.evaluate;
    return this.ofSample?.place === JSON.stringify({ ...cell, repeat }) ? this.ofSample.view : undefined;
  }

  #renderWay(): TemplateResult {
    const { playground } = this;
    const { evaluate, view: shown, session } = playground.state;
    const isSample = evaluate.repeat !== undefined;
    const sample = this.#sample;
    const samples = this.#case?.samples.length ?? 0;
    const first = isSample
      ? { id: 'judged', label: t('Expectations'), count: sample?.expectations.length ?? 0 }
      : { id: 'samples', label: t('Samples'), count: samples };
    const others = isSample
      ? sampleTabs(playground, sample)
      : [{ id: 'expected', label: t('Expectations'), count: session.document?.document.expect.length ?? 0 }];
    const selected = evaluate.isFirstTab ? first.id : isSample ? shown.tab : 'expected';
    return html`${renderTabs({
        label: t('Inspector'),
        className: 'side-tabs',
        tabs: [first, ...others],
        selected,
        panelId: PANEL_ID,
        onSelect: (id) => {
          setPlace(playground, { isFirstTab: id === first.id });
          if (isSample && id !== first.id) playground.setView({ tab: id as typeof shown.tab });
        },
      })}
      <div class="panel" role="tabpanel" id=${PANEL_ID} aria-labelledby=${tabId(selected)}>
        ${this.#renderPath()} ${isSample && sample ? renderSampleBand(sample) : nothing}
        <div class="pane" tabindex="0">${this.#renderPane(isSample)}</div>
      </div>`;
  }

  #renderPane(isSample: boolean): unknown {
    const { playground } = this;
    const { evaluate } = playground.state;
    if (isSample) {
      const sample = this.#sample;
      return sample
        ? renderSampleTab(playground, sample)
        : html`<p class="muted">${t('Reading the sample…')}</p>`;
    }
    if (!evaluate.isFirstTab) return renderExpectations(playground);
    const view = this.#case;
    return view ? renderSamples(playground, view) : html`<p class="muted">${t('Reading the samples…')}</p>`;
  }

  /** Leads back to what it is part of. */
  #renderPath(): TemplateResult {
    const { playground } = this;
    const { cell, repeat } = playground.state.evaluate;
    const lane = playground.state.session.evaluation?.lanes.find(({ id }) => id === cell?.laneId);
    const rowName = this.#case?.rowName ?? cell?.rowId ?? '';
    const numbers = this.#case?.samples.map((sample) => sample.repeat) ?? [];
    const back = (): void => setPlace(playground, { repeat: undefined, isFirstTab: true });
    return html`<p class="crumb">
      <span class="clip">${renderCut(lane?.label ?? '')}</span>${icon('right')}${
        repeat === undefined
          ? html`<b class="clip">${renderCut(rowName)}</b>`
          : html`<button type="button" class="clip" @click=${back}>${renderCut(rowName)}</button
              >${icon('right')}<b>${t('Sample {0} of {1}', repeat, Math.max(numbers.length, repeat))}</b
              ><span class="push"
                >${iconButton(t('Previous sample'), 'before', () => this.#step(-1), numbers[0] === repeat)}${iconButton(t('Next sample'), 'right', () => this.#step(1), numbers.at(-1) === repeat)}</span
              >`
      }
    </p>`;
  }

  /** In the order of the list of samples, failing first. */
  #step(by: number): void {
    const { repeat } = this.playground.state.evaluate;
    const numbers = this.#case?.samples.map((sample) => sample.repeat) ?? [];
    const next = numbers[numbers.indexOf(repeat ?? 0) + by];
    if (repeat !== undefined && next !== undefined) setPlace(this.playground, { repeat: next });
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    const { evaluate } = this.playground.state;
    if (event.key === 'F6') {
      focusSoon(() => document.querySelector<HTMLElement>('.cases'));
    } else if (event.key === 'Escape' && (evaluate.cell ?? evaluate.expectation) !== undefined) {
      escapeEvaluation(this.playground);
      focusSoon(() =>
        document.querySelector<HTMLElement>(this.playground.state.evaluate.cell ? '.side .pane' : '.cases'),
      );
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** Before the editor sees the keys, which it uses, too. */
  readonly #jumped = (event: KeyboardEvent): void => {
    const isArrow = event.key === 'ArrowUp' || event.key === 'ArrowDown';
    if (!isArrow || !event.altKey || event.ctrlKey || this.playground.state.evaluate.repeat === undefined)
      return;
    event.preventDefault();
    event.stopPropagation();
    this.#step(event.key === 'ArrowUp' ? -1 : 1);
  };
}
