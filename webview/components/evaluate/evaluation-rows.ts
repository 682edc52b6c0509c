// The table rows × lanes. Only the rows in sight are asked for and drawn, so that thousands of them scroll without a pause.
// The table is one stop of the tab key; the arrow keys move by cell.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { EvaluationLane, SamplePart } from '../../../src/types';
import type { EvaluationRowView, ShownRows } from '../../../src/protocol';
import { setPlace } from '../../actions/evaluate';
import { countRate } from '../../evaluate/rate-words';
import { focusSoon } from '../../focus/focus';
import { icon } from '../../icons';
import type { PanelState } from '../../state/panel-state';
import { cssText } from '../../text/css-text';
import { formatCount } from '../../text/format';
import { renderCut } from '../controls/prose';
import { RowWindow } from '../controls/row-window';
import { StoreElement } from '../controls/store-element';
import { describeOutcomes, renderMix } from './outcome-bar';
import { gateMark, gateWord } from './verdict-mark';

type Cell = EvaluationRowView['cells'][number];

/** Rows asked for at once; windows begin at multiples of a half of it. */
const ASKED = 120;
/** In milliseconds, between two readings of rows that change. */
const LEAST_PAUSE = 250;

interface Held {
  filter: ShownRows;
  part: SamplePart | undefined;
  from: number;
  total: number;
  /** Version of the snapshot that was shown when they were asked for. */
  seen: number;
  rows: readonly EvaluationRowView[];
}

export class EvaluationRows extends StoreElement {
  static override properties = {
    ...StoreElement.properties,
    held: { attribute: false as const },
  };
  declare held: Held | undefined;
  #active = { row: 0, lane: 0 };
  /** The selected cell that the table has last followed. */
  #followed: PanelState['evaluate']['cell'];
  #isReading = false;
  #readAt = 0;
  readonly #window = new RowWindow(this, () => this.held?.total ?? 0);

  protected override watched({ session, evaluate }: PanelState): readonly unknown[] {
    return [
      session.evaluation?.version,
      session.evaluation?.lanes,
      evaluate.filter,
      evaluate.part,
      evaluate.cell,
    ];
  }

  override render(): TemplateResult {
    const { lanes = [] } = this.playground.state.session.evaluation ?? {};
    const { held } = this;
    const total = held?.total ?? 0;
    const { drawn } = this.#window;
    const [first, end] = drawn;
    const { row, lane } = this.#active;
    const isDrawn = row >= first && row < end;
    return html`<table
        class="cases num"
        role="grid"
        aria-label=${t('Rows and lanes')}
        aria-rowcount=${total + 1}
        aria-colcount=${lanes.length + 2}
        aria-activedescendant=${isDrawn ? cellId(row, lane) : nothing}
        tabindex="0"
        .style=${cssText({ '--pp-lanes': lanes.length })}
        @keydown=${this.#pressed}
        @focus=${this.#focused}
      >
        <thead role="rowgroup">
          <tr role="row" aria-rowindex="1">
            <th scope="col" role="columnheader">${t('Row')}</th>
            <th scope="col" role="columnheader" class="exp">${t('Expects')}</th>
            ${lanes.map(({ label }) => html`<th scope="col" role="columnheader" class="clip">${renderCut(label)}</th>`)}
          </tr>
        </thead>
        <tbody role="rowgroup" .style=${this.#window.room(drawn)}>
          ${this.#drawn(first, end).map(({ index, view }) => this.#renderRow(index, view, lanes))}
        </tbody>
      </table>
      ${held && total === 0 ? html`<p class="muted none-shown">${t('No row is like this.')}</p>` : nothing}`;
  }

  override updated(): void {
    void this.#read();
  }

  #drawn(first: number, end: number): { index: number; view: EvaluationRowView | undefined }[] {
    const { held } = this;
    return Array.from({ length: Math.max(end - first, 0) }, (_each, place) => {
      const index = first + place;
      return { index, view: held?.rows[index - held.from] };
    });
  }

  #renderRow(
    index: number,
    view: EvaluationRowView | undefined,
    lanes: readonly EvaluationLane[],
  ): TemplateResult {
    return html`<tr role="row" aria-rowindex=${index + 2} class=${view ? '' : 'is-unread'}>
      <th scope="row" role="rowheader" class="clip">${view ? renderCut(view.name, 200) : '…'}</th>
      <td role="gridcell" class="exp mono clip" aria-colindex="2">
        ${view ? renderCut(view.expects, 200) : ''}
      </td>
      ${lanes.map(({ id }, lane) => {
        const cell = view?.cells.find(({ laneId }) => laneId === id);
        return this.#renderCell(cell, { row: index, lane });
      })}
    </tr>`;
  }

  #renderCell(cell: Cell | undefined, at: { row: number; lane: number }): TemplateResult {
    const { cell: selected } = this.playground.state.evaluate;
    const isSelected = cell && selected?.rowId === cell.rowId && selected.laneId === cell.laneId;
    const isActive = at.row === this.#active.row && at.lane === this.#active.lane;
    return html`<td
      role="gridcell"
      id=${cellId(at.row, at.lane)}
      aria-colindex=${at.lane + 3}
      aria-selected=${isSelected ? 'true' : 'false'}
      class=${isActive ? 'is-active' : ''}
      @click=${() => this.#choose(at)}
    >
      ${cell ? renderCase(cell) : nothing}
    </td>`;
  }

  #choose({ row, lane }: { row: number; lane: number }): void {
    this.#active = { row, lane };
    const view = this.held?.rows[row - (this.held?.from ?? 0)];
    const laneId = this.playground.state.session.evaluation?.lanes[lane]?.id;
    this.requestUpdate();
    if (!view || laneId === undefined) return;
    const cell = { rowId: view.id, laneId };
    this.#followed = cell;
    setPlace(this.playground, { cell, repeat: undefined, isFirstTab: true, expectation: undefined });
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    const { ctrlKey, metaKey, altKey, key } = event;
    if (altKey || event.isComposing) return;
    const { row, lane } = this.#active;
    const last = {
      row: (this.held?.total ?? 1) - 1,
      lane: (this.playground.state.session.evaluation?.lanes.length ?? 1) - 1,
    };
    const isCommand = ctrlKey || metaKey;
    const { page } = this.#window;
    const moves: Readonly<Record<string, { row: number; lane: number }>> = {
      ArrowUp: { row: row - 1, lane },
      ArrowDown: { row: row + 1, lane },
      PageUp: { row: row - page, lane },
      PageDown: { row: row + page, lane },
      ArrowLeft: { row, lane: lane - 1 },
      ArrowRight: { row, lane: lane + 1 },
      Home: { row: isCommand ? 0 : row, lane: 0 },
      End: { row: isCommand ? last.row : row, lane: last.lane },
    };
    const wanted = moves[key];
    if (key === 'Enter' && !isCommand) this.#choose(this.#active);
    else if (key === 'F6') focusSoon(() => document.querySelector<HTMLElement>('.side .pane'));
    else if (wanted) {
      this.#active = {
        row: Math.min(Math.max(wanted.row, 0), Math.max(last.row, 0)),
        lane: Math.min(Math.max(wanted.lane, 0), Math.max(last.lane, 0)),
      };
      this.#window.show(this.#active.row);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** Not after a click, which would move the rows below the mouse. */
  readonly #focused = ({ currentTarget }: FocusEvent): void => {
    if ((currentTarget as HTMLElement).matches(':focus-visible')) this.#window.show(this.#active.row);
  };

  /** Reads the window of rows that is to be shown, if it is not held as the snapshot has it. One reading at a time. */
  async #read(): Promise<void> {
    if (this.#isReading || !this.isConnected) return;
    const { evaluation } = this.playground.state.session;
    const { filter, part, cell } = this.playground.state.evaluate;
    // Selected elsewhere, for example in the Test Explorer.
    const find = cell === this.#followed ? undefined : cell;
    const from = Math.max(Math.floor(this.#window.top / (ASKED / 2)) * (ASKED / 2) - ASKED / 4, 0);
    const seen = evaluation?.version ?? 0;
    const { held } = this;
    const isPlaced = held?.filter === filter && held.part === part && held.from === from;
    if (isPlaced && held.seen === seen && !find) return;
    this.#isReading = true;
    const pause = isPlaced && !find ? LEAST_PAUSE - (Date.now() - this.#readAt) : 0;
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    this.#readAt = Date.now();
    const read = await this.playground.ask('evaluation/rows', {
      filter,
      ...(part && { part }),
      from,
      count: ASKED,
      ...(find && { find: find.rowId }),
    });
    this.#isReading = false;
    // After a failure, which a notice has told, the next snapshot is waited for.
    const { total = held?.total ?? 0, rows = [] } = read ?? {};
    this.held = { filter, part, from, total, seen, rows };
    this.#followed = cell;
    if (find && read?.found !== undefined) this.#showCell(find, read.found);
  }

  #showCell({ laneId }: { laneId: string }, row: number): void {
    const lanes = this.playground.state.session.evaluation?.lanes ?? [];
    const lane = Math.max(
      lanes.findIndex(({ id }) => id === laneId),
      0,
    );
    this.#active = { row, lane };
    // With the room of all rows, which were not known before.
    void this.updateComplete.then(() => this.#window.show(row));
  }
}

const cellId = (row: number, lane: number): string => `case-${row}-${lane}`;

function renderCase(cell: Cell): TemplateResult {
  const { before, flip, underWay, outcomes, gate, planned } = cell;
  const was = before ? describeBefore(before, cell) : '';
  return html`<span class="case"
    >${underWay > 0 ? html`<span class="v-mark">${icon('busy', 'spin')}</span>` : gateMark(gate)}<span
      class="sr"
      >${gate === 'open' ? '' : gateWord(gate)}</span
    ><span class="kn">${countRate(cell)}</span>${
      before
        ? html`<span class="was">${was}</span>${flip ? renderFlip(flip) : nothing}`
        : html`${renderMix(outcomes, planned)}<span class="sr">${describeOutcomes(outcomes)}</span>`
    }</span
  >`;
}

/** As a count alone only beside one of as many samples; '' when the share is the same. */
function describeBefore(before: NonNullable<Cell['before']>, { passed, failed }: Cell): string {
  const [judgedBefore, judged] = [before.passed + before.failed, passed + failed];
  if (before.passed * judged === passed * judgedBefore) return '';
  return judgedBefore === judged
    ? t('was {0}', formatCount(before.passed))
    : t('was {0} of {1}', formatCount(before.passed), formatCount(judgedBefore));
}

const renderFlip = (flip: 'fixed' | 'broken'): TemplateResult =>
  html`<span class="flip">${icon(flip)}${flip === 'fixed' ? t('fixed') : t('broken')}</span>`;
