// Root element of the page *Recording*: the bar, the list of requests beside the inspector, and what screen readers announce.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { RecordingSnapshot } from '../../src/protocol';
import { PanelElement } from '../components/controls/panel-element';
import type { MenuGroup } from '../components/controls/menu-button';
import { cut, renderCut } from '../components/controls/prose';
import { icon } from '../icons';
import { countOf, formatCount } from '../text/format';
import { keepSelectAll } from '../text/text-keys';
import { spellMarks } from '../text/text-marks';
import type { Recording } from './recording';
import type { RecordingCounts } from './recording-state';
import { chipsOf, conversationsOf, countRows, findRow } from './recording-state';
import { chipWord, programOf, timeOf } from './row-words';
import { renderBar, renderLine, renderProblem } from './toolbar';
import { renderIdle, renderWaiting } from './waiting';

const MAX_FILTER = 200;
/** In characters, of a name in a menu. */
const MAX_NAME = 60;

/** Events that precede the hiding or closing of the page. */
const LEAVING: readonly (readonly [EventTarget, string])[] = [
  [window, 'blur'],
  [document, 'visibilitychange'],
  [window, 'pagehide'],
];

export class RecordingApp extends PanelElement {
  static override properties = { recording: { attribute: false } };
  declare recording: Recording;
  #unsubscribe: (() => void) | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#unsubscribe = this.recording.subscribe(() => this.requestUpdate());
    window.addEventListener('keydown', keepSelectAll, { capture: true });
    for (const [target, event] of LEAVING) target.addEventListener(event, this.#leaving);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unsubscribe?.();
    window.removeEventListener('keydown', keepSelectAll, { capture: true });
    for (const [target, event] of LEAVING) target.removeEventListener(event, this.#leaving);
  }

  override render(): TemplateResult {
    const { state, playground } = this.recording;
    const { notice } = playground.state;
    return html`<div class="app recording">
      <main>${state.snapshot ? this.#renderPage(state.snapshot) : renderProblem(state)}</main>
      ${notice === '' ? nothing : html`<footer class="rec-notice">${renderCut(notice)}</footer>`}
      <p class="sr" role="status">${spellMarks(state.announced)}</p>
      <p class="sr" role="status">${spellMarks(notice)}</p>
    </div>`;
  }

  /** Sizes are set through the CSS object model, because the content security policy allows no style attributes. */
  override updated(): void {
    const style = this.querySelector<HTMLElement>('.work')?.style;
    const { inspectorWidth } = this.recording.playground.state.view;
    if (inspectorWidth === undefined) style?.removeProperty('--pp-inspector');
    else style?.setProperty('--pp-inspector', `${inspectorWidth}px`);
  }

  #renderPage(snapshot: RecordingSnapshot): TemplateResult {
    const { recording } = this;
    const { rows } = recording.state;
    const counts = countRows(rows);
    const bar = html`${renderBar(recording, snapshot)} ${renderProblem(snapshot)}`;
    if (rows.length === 0)
      return html`${bar}
      ${snapshot.state === 'waiting' ? renderWaiting(recording, snapshot) : renderIdle(recording, snapshot)}`;
    const row = findRow(recording.state, recording.state.selected);
    return html`${bar} ${renderLine(recording, snapshot, counts)}
      <div class="work is-recording">
        <section class="stage" aria-label=${t('Requests')}>
          <h2 class="sr">${t('Requests')}</h2>
          <div class="page">${this.#renderFilters(counts)} ${this.#renderTable(row?.session)}</div>
        </section>
        <pg-request-inspector
          .playground=${recording.playground}
          .recording=${recording}
          .row=${row}
          .read=${recording.state.read}
          .canRepair=${snapshot.state === 'recording' && !snapshot.isRepairing}
        ></pg-request-inspector>
      </div>`;
  }

  #renderFilters(counts: RecordingCounts): TemplateResult {
    const { recording } = this;
    const { filter, text, session } = recording.state;
    return html`<div class="filters">
      <div class="chips" role="group" aria-label=${t('Requests shown')}>
        ${chipsOf(recording.state, counts).map(
          ({ kind, count }) =>
            html`<button
              class="chip"
              type="button"
              aria-pressed=${kind === filter ? 'true' : 'false'}
              @click=${() => recording.set({ filter: kind })}
            >
              ${chipWord(kind)} <span class="muted num">${formatCount(count)}</span>
            </button>`,
        )}
        ${
          session !== undefined || counts.conversations < 2
            ? nothing
            : html`<pg-menu-button
                .label=${t('Conversations')}
                .icon=${'rows'}
                .hasText=${true}
                .groups=${() => toConversations(recording)}
              ></pg-menu-button>`
        }
        ${
          session === undefined
            ? nothing
            : html`<button
                class="chip is-part"
                type="button"
                aria-pressed="true"
                title=${t('Show the other conversations, too')}
                @click=${() => recording.set({ session: undefined })}
              >
                ${t('Conversation {0}', session)} ${icon('close')}
              </button>`
        }
      </div>
      <span class="find combo"
        ><input
          type="search"
          maxlength=${MAX_FILTER}
          aria-label=${t('Filter requests')}
          placeholder=${t('Filter by program, model or path')}
          .value=${text}
          @input=${({ target }: Event) => recording.set({ text: (target as HTMLInputElement).value })}
      /></span>
    </div>`;
  }

  #renderTable(session: number | undefined): TemplateResult {
    const { recording } = this;
    const { shown } = recording.state;
    if (shown.length === 0) {
      const clear = (): void => recording.set({ filter: 'all', text: '', session: undefined });
      return html`<p class="muted none-shown">
        ${t('No request is like this.')}
        <button class="link" type="button" @click=${clear}>${t('Show all')}</button>
      </p>`;
    }
    return html`<pg-request-table
      .rows=${shown}
      .selected=${recording.state.selected}
      .session=${session}
      .now=${recording.state.now}
      @pg-select=${({ detail }: CustomEvent<number>) => recording.set({ selected: detail })}
    ></pg-request-table>`;
  }

  readonly #leaving = (): void => this.recording.flush();
}

/** Conversations that a menu has room for, the latest ones. */
const MAX_LISTED = 50;

const toConversations = (recording: Recording): MenuGroup[] =>
  [...conversationsOf(recording.state.rows)].map(([program, conversations]) => ({
    heading: cut(programOf({ program }), MAX_NAME),
    items: conversations.slice(-MAX_LISTED).map(({ number, startedAt, requests }) => ({
      label: [
        t('Conversation {0}', number),
        timeOf(startedAt, false),
        countOf(requests, t('{0} request'), t('{0} requests')),
      ].join(' · '),
      onSelect: () => recording.set({ session: number, filter: 'all', text: '' }),
    })),
  }));
