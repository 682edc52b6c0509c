// The conversation of a lane: the latest turns at once, earlier ones afterwards in slices. Each turn is an element
// of its own, so a change in one draws no other.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { LaneEntry } from '../../../src/protocol';
import { findButton, focusSoon, laneElement, turnElement } from '../../focus/focus';
import { FollowEnd } from '../../focus/follow-end';
import { canEdit, entriesOf, isLive, lastRun, lastSent } from '../../lanes/lane-queries';
import { primaryAction } from '../../lanes/primary-action';
import { laneBlocker } from '../../lanes/run-blocker';
import { boxText } from '../../actions/typed-fields';
import type { PanelState } from '../../state/panel-state';
import type { LaneState } from '../../state/session-state';
import { laneOf } from '../../state/session-state';
import { StoreElement } from '../controls/store-element';
import { openResult, resultEditorId } from './result-editor';
import { renderStepBar } from './run-end';
import { StoredTurns } from './stored-turns';

/** Number of turns drawn at a time. */
const SLICE = 30;

const blockerOf = (state: PanelState, laneId: string): string | undefined =>
  laneBlocker(state, laneId)?.replaceAll('`', '');

export class Transcript extends StoreElement {
  static override properties = {
    ...StoreElement.properties,
    laneId: { attribute: false as const },
  };
  declare laneId: string;
  /** Number of turns drawn so far, counted from the end. */
  #shown = SLICE;
  #slice: ReturnType<typeof setTimeout> | undefined;
  /** Calls whose result was already asked for, by run id and call index. */
  readonly #asked = new Set<string>();
  /** The run and step whose pause was already shown to the person. */
  #paused: string | undefined;
  readonly #stored = new StoredTurns((ids) => this.playground.entries.need(this.laneId, ids));
  readonly #follow = new FollowEnd(this);
  /** Id of the selected run, and whether it is still to be scrolled to. */
  #selected: { runId: string; isUnseen: boolean } | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#follow.connect();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#slice);
    this.#slice = undefined;
    this.#stored.disconnect();
    this.#follow.disconnect();
  }

  override render(): TemplateResult {
    const { state } = this.playground;
    const lane = laneOf(state.session, this.laneId);
    const entries = entriesOf(lane);
    const first = Math.max(0, entries.length - this.#shown);
    const last = lastSent(lane);
    const { run } = lane;
    const isLocked = run !== null || !canEdit(state.session);
    const primary = primaryAction(state, boxText(state));
    const isNext = primary.kind === 'next-step' && primary.laneId === this.laneId;
    return html`<div class="turns ${isLocked ? 'is-locked' : ''}" @keydown=${moveBetweenRows}>
      ${first > 0 ? html`<p class="muted earlier" role="status">${t('Showing earlier turns…')}</p>` : nothing}
      ${repeat(
        entries.slice(first),
        ({ id }) => id,
        (entry) =>
          this.#renderTurn(entry, lane, { isLast: entry === last || entry === entries.at(-1), isLocked }),
      )}
      ${run?.phase === 'paused' ? renderStepBar(this.playground, this.laneId, run, isNext) : nothing}
      <div class="turns-end"></div>
    </div>`;
  }

  override updated(): void {
    const lane = laneOf(this.playground.state.session, this.laneId);
    if (lane.order.length > this.#shown) this.#slice ??= setTimeout(this.#drawEarlier);
    this.#stored.watch(this.querySelectorAll<HTMLElement>('pg-turn'));
    this.#follow.changed(lane);
    this.#reveal();
    this.#ask(lane);
    this.#pause(lane);
  }

  protected override watched(state: PanelState): readonly unknown[] {
    const { session, view } = state;
    const lane = session.lanes.get(this.laneId);
    return [
      lane?.order,
      lane?.entries,
      lane?.run,
      view.selection,
      view.edit,
      view.results,
      view.isRendered,
      view.stepTexts.get(this.laneId),
      toolNamesOf(state),
      canEdit(session),
      session.environment,
      blockerOf(state, this.laneId),
      JSON.stringify(primaryAction(state, boxText(state))),
    ];
  }

  #renderTurn(
    entry: LaneEntry,
    lane: LaneState,
    { isLast, isLocked }: { isLast: boolean; isLocked: boolean },
  ): TemplateResult {
    const { state } = this.playground;
    const { selection, edit, results } = state.view;
    const isRun = entry.kind === 'run';
    const isPending = !isRun && entry.isPending === true;
    const isPaused = lane.run?.phase === 'paused';
    const primary = primaryAction(state, boxText(state));
    const isPrimary =
      primary.kind === 'give-result' && primary.laneId === this.laneId && primary.runId === entry.id;
    const isEdited = edit?.entryId === entry.id && edit.laneId === this.laneId;
    return html`<pg-turn
      .playground=${this.playground}
      .laneId=${this.laneId}
      .entry=${entry}
      .selected=${selection?.runId === entry.id ? selection : undefined}
      .edit=${isEdited ? edit : undefined}
      .drafts=${results.get(entry.id)}
      .isRendered=${isRun && state.view.isRendered}
      .isLast=${isLast}
      .isLive=${isRun && isLive(lane, entry)}
      .isLocked=${isPending ? lane.run !== null : isLast && isLocked}
      .isPaused=${isPaused && isLast && results.has(entry.id)}
      .blocker=${isLast || isEdited ? blockerOf(state, this.laneId) : undefined}
      .primaryCall=${isPrimary ? primary.index : undefined}
      .toolNames=${isRun && entry.outcome?.reply?.toolCalls.length ? toolNamesOf(state) : ''}
    ></pg-turn>`;
  }

  /** Scrolls to a run that was selected elsewhere, such as in the history, once it is drawn. */
  #reveal(): void {
    const { selection } = this.playground.state.view;
    const runId = selection?.laneId === this.laneId ? selection.runId : '';
    // What is selected when the lane is drawn first was selected before.
    const isNew = this.#selected !== undefined && this.#selected.runId !== runId && runId !== '';
    if (this.#selected?.runId !== runId) this.#selected = { runId, isUnseen: isNew };
    const turn = this.#selected.isUnseen ? turnElement(this.laneId, runId) : undefined;
    if (!turn) return;
    this.#selected.isUnseen = false;
    // It was selected where it stands.
    if (turn.contains(document.activeElement)) return;
    // After the conversation has been scrolled to its end.
    setTimeout(() => (turn.firstElementChild ?? turn).scrollIntoView?.({ block: 'nearest' }));
  }

  readonly #drawEarlier = (): void => {
    this.#slice = undefined;
    this.#shown += SLICE;
    this.requestUpdate();
  };

  /** Opens the result editors that an agent run waits for. Takes the focus only from this lane or from nowhere. */
  #ask(lane: LaneState): void {
    const entry = lastRun(lane);
    const unseen = (entry?.asked ?? []).filter((index) => !this.#asked.has(`${entry?.id ?? ''} ${index}`));
    if (!entry || unseen.length === 0) return;
    for (const index of unseen) {
      this.#asked.add(`${entry.id} ${index}`);
      const call = entry.outcome?.reply?.toolCalls[index];
      if (call) void openResult({ playground: this.playground, laneId: this.laneId, entry, index, call });
    }
    const [index = 0] = unseen;
    if (!this.#canTakeFocus()) return;
    focusSoon(() =>
      document.getElementById(resultEditorId({ entry, index }))?.querySelector('vscode-text-area'),
    );
  }

  /** Focuses *Next step* when an agent run pauses between two steps, under the same condition. */
  #pause({ run }: LaneState): void {
    const paused = run?.phase === 'paused' ? `${run.runId} ${run.step ?? 1}` : undefined;
    const isNew = paused !== undefined && paused !== this.#paused;
    this.#paused = paused;
    if (isNew && this.#canTakeFocus()) {
      focusSoon(() => findButton(this.querySelector('.step-bar') ?? undefined, t('Next step')));
    }
  }

  /** False while the person works in another lane or in the message box. */
  #canTakeFocus(): boolean {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) return true;
    return laneElement(this.laneId)?.contains(activeElement) === true;
  }
}

/** One name a line, so that equal names are an equal string. */
const toolNamesOf = ({ session }: PanelState): string =>
  (session.document?.tools ?? []).map(({ name }) => name).join('\n');

/** Arrow keys move between calls and replies; Enter shows the focused one, as on every button. */
function moveBetweenRows(event: KeyboardEvent): void {
  const from = event.target as HTMLElement;
  if (!from.matches('[data-row]') || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
  const rows = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[data-row]')];
  const next = rows[rows.indexOf(from) + (event.key === 'ArrowDown' ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
