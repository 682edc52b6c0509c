// The list of recorded requests. Only the rows in sight are drawn, so that ten thousand of them scroll without a pause. The
// table is one stop of the tab key; the arrow keys move by row, Enter shows a row in the inspector. Fires `pg-select` with the
// number of a request.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { RecordedRow } from '../../src/protocol';
import { PanelElement } from '../components/controls/panel-element';
import { renderCut } from '../components/controls/prose';
import { RowWindow } from '../components/controls/row-window';
import { focusSoon, inspectorPane } from '../focus/focus';
import { icon } from '../icons';
import { cssText } from '../text/css-text';
import { formatCount, formatDuration } from '../text/format';
import { durationOf, outcomeOf, pathOf, programOf, repairWord, timeOf } from './row-words';

/** In characters, of a text that a row cuts anyway. */
const MAX_SHOWN = 200;
/** In pixels: so near the end, the list follows what is added. More than the room that is left below the last row. */
const END = 40;

const DASH = html`<span class="muted">–</span>`;

const COLUMNS: readonly {
  className: string;
  label: () => string;
  render: (row: RecordedRow, now: number) => unknown;
}[] = [
  { className: 'c-time', label: () => t('Time'), render: ({ startedAt }) => timeOf(startedAt) },
  {
    className: 'c-prog clip',
    label: () => t('Program'),
    render: (row) => renderCut(programOf(row), MAX_SHOWN),
  },
  {
    className: 'c-model clip',
    label: () => t('Model'),
    render: ({ model }) => (model === undefined ? DASH : renderCut(model, MAX_SHOWN)),
  },
  {
    className: 'c-path clip',
    label: () => t('Path'),
    render: (row) => renderCut(pathOf(row), MAX_SHOWN),
  },
  { className: 'c-msg r', label: () => t('Messages'), render: ({ messages }) => count(messages) },
  { className: 'c-tools r', label: () => t('Tools'), render: ({ tools }) => count(tools) },
  { className: 'c-out', label: () => t('Outcome'), render: renderOutcome },
  { className: 'c-tok r', label: () => t('Tokens'), render: ({ tokens }) => count(tokens) },
  {
    className: 'c-first r',
    label: () => t('First token'),
    render: ({ firstByteMs, messages }) => (messages === undefined ? DASH : time(firstByteMs)),
  },
  { className: 'c-dur r', label: () => t('Duration'), render: (row, now) => time(durationOf(row, now)) },
  { className: 'c-bar', label: () => '', render: () => nothing },
  { className: 'c-status r', label: () => t('Status'), render: renderStatus },
];

export class RequestTable extends PanelElement {
  static override properties = {
    rows: { attribute: false },
    selected: { attribute: false },
    session: { attribute: false },
    now: { attribute: false },
  };
  declare rows: readonly RecordedRow[];
  declare selected: number | undefined;
  /** The conversation of the selected request, whose other requests are marked. */
  declare session: number | undefined;
  declare now: number;
  /** Number of the row that the keys are at. */
  #active: number | undefined;
  #isAtEnd = false;
  readonly #window = new RowWindow(this, () => this.rows.length);

  constructor() {
    super();
    this.rows = [];
    this.now = 0;
  }

  override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (changed.has('selected') && this.selected !== undefined) this.#active = this.selected;
    const scroller = this.#window.scroller();
    const left = scroller ? scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight : 0;
    this.#isAtEnd = changed.has('rows') && left < END;
  }

  override render(): TemplateResult {
    const { drawn } = this.#window;
    const [first, end] = drawn;
    const active = this.#activeIndex();
    const isDrawn = active >= first && active < end;
    const longest = this.#longest();
    return html`<table
      class="net num"
      role="grid"
      aria-label=${t('Requests')}
      aria-rowcount=${this.rows.length + 1}
      aria-activedescendant=${isDrawn ? rowId(this.rows[active]?.number) : nothing}
      tabindex="0"
      @keydown=${this.#pressed}
    >
      <thead role="rowgroup">
        <tr role="row" aria-rowindex="1">
          ${COLUMNS.map(
            ({ className, label }) =>
              html`<th scope="col" role="columnheader" class=${className}>
                ${label() || html`<span class="sr">${t('Duration as a bar')}</span>`}
              </th>`,
          )}
        </tr>
      </thead>
      <tbody role="rowgroup" .style=${this.#window.room(drawn)}>
        ${this.rows.slice(first, end).map((row, place) => this.#renderRow(row, first + place, { active, longest }))}
      </tbody>
    </table>`;
  }

  override updated(): void {
    const scroller = this.#window.scroller();
    if (this.#isAtEnd && scroller) scroller.scrollTop = scroller.scrollHeight;
  }

  #renderRow(
    row: RecordedRow,
    index: number,
    { active, longest }: { active: number; longest: number },
  ): TemplateResult {
    const { number, session } = row;
    const isSelected = number === this.selected;
    const isMate = session !== undefined && session === this.session;
    const classes = [index === active ? 'is-active' : '', isMate ? 'is-mate' : ''].join(' ');
    return html`<tr
      role="row"
      id=${rowId(number)}
      aria-rowindex=${index + 2}
      aria-selected=${isSelected ? 'true' : 'false'}
      class=${classes}
      @click=${() => this.#choose(index)}
    >
      ${COLUMNS.map(
        ({ className, render }) =>
          html`<td role="gridcell" class=${className}>
            ${className === 'c-bar' ? renderBar(row, this.now, longest) : render(row, this.now)}
          </td>`,
      )}
    </tr>`;
  }

  /** In milliseconds: what the whole width of a bar stands for. */
  #longest(): number {
    return this.rows.reduce((most, row) => Math.max(most, durationOf(row, this.now)), 1);
  }

  #activeIndex(): number {
    const at = this.rows.findIndex(({ number }) => number === this.#active);
    return Math.max(at, 0);
  }

  #choose(index: number): void {
    const number = this.rows[index]?.number;
    if (number === undefined) return;
    this.#active = number;
    this.requestUpdate();
    this.dispatchEvent(new CustomEvent('pg-select', { detail: number }));
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    const { ctrlKey, metaKey, altKey, key } = event;
    if (altKey || event.isComposing) return;
    const at = this.#activeIndex();
    const { page } = this.#window;
    const moves: Readonly<Record<string, number>> = {
      ArrowUp: at - 1,
      ArrowDown: at + 1,
      PageUp: at - page,
      PageDown: at + page,
      Home: 0,
      End: this.rows.length - 1,
    };
    const wanted = moves[key];
    if (key === 'Enter' && !ctrlKey && !metaKey) this.#choose(at);
    else if (key === 'F6') focusSoon(inspectorPane);
    else if (wanted !== undefined) {
      const index = Math.min(Math.max(wanted, 0), this.rows.length - 1);
      this.#active = this.rows[index]?.number;
      this.#window.show(index);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

const rowId = (number: number | undefined): string => `request-${number ?? 0}`;

const count = (value: number | undefined): unknown => (value === undefined ? DASH : formatCount(value));

const time = (valueMs: number | undefined): unknown =>
  valueMs === undefined ? DASH : formatDuration(valueMs);

function renderOutcome(row: RecordedRow): unknown {
  const outcome = outcomeOf(row);
  if (!outcome) return DASH;
  const { icon: name, word } = outcome;
  const repaired = row.isRepaired ? repairWord(row) : undefined;
  return html`<span class="has-icon"
    ><span class="o-icon o-${name}">${icon(name, name === 'busy' ? 'spin' : '')}</span>${word}${
      repaired === undefined
        ? nothing
        : html`<span class="o-icon o-native was-repaired" title=${repaired}>${icon('native')}</span
            ><span class="sr">, ${repaired}</span>`
    }</span
  >`;
}

function renderStatus({ status }: RecordedRow): unknown {
  if (status === undefined) return DASH;
  return status < 400 ? status : html`<b>${status}</b>`;
}

/** An outline until the first byte of the answer, then solid; dashed while it grows. */
function renderBar(row: RecordedRow, now: number, longest: number): TemplateResult {
  const duration = durationOf(row, now);
  const head = Math.min(row.firstByteMs ?? (row.phase ? duration : 0), duration);
  const kind = row.phase ? 'live' : row.verdict?.kind === 'failed' ? 'bad' : 'ok';
  const width = (ms: number): string => cssText({ width: `${((ms / longest) * 100).toFixed(1)}%` });
  return html`<span class="dur" aria-hidden="true"
    >${head > 0 ? html`<i class="head" .style=${width(head)}></i>` : nothing}<i
      class=${kind}
      .style=${width(duration - head)}
    ></i
  ></span>`;
}
