// The message box, the lanes it sends to, what prevents a run, and the limits that apply to it.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { RunLimits } from '../../../src/protocol';
import { boxText } from '../../actions/typed-fields';
import {
  canEdit,
  connectionOf,
  currentLaneId,
  describeLanes,
  isBusy,
  targetLaneIds,
} from '../../lanes/lane-queries';
import { concerned, leftOut, runBlocker, runnable } from '../../lanes/run-blocker';
import type { PanelState } from '../../state/panel-state';
import { laneOf } from '../../state/session-state';
import { formatDuration } from '../../text/format';
import { isRequest } from '../../text/is-request';
import { MESSAGE_KEY } from '../../state/view-state';
import { linkButton, textArea } from '../controls/controls';
import { renderMarked } from '../controls/marked-text';
import { prose } from '../controls/prose';
import { StoreElement } from '../controls/store-element';
import { hasBest } from '../lane/lane-strip';
import { renderPlace } from './place';

const MAX_UNFILLED = 5;

export class Composer extends StoreElement {
  /**
   * A request that was pasted, and what the box would have with it. It may have a key, so it is neither typed into the document
   * nor kept with the view.
   */
  #pasted: { text: string; box: string } | undefined;

  override render(): TemplateResult {
    const { playground } = this;
    const { state } = playground;
    const { session } = state;
    const connection = connectionOf(session, currentLaneId(state));
    return html`<div
      class="composer"
      @paste=${this.#takePaste}
      @dragover=${this.#allowDrop}
      @drop=${(event: DragEvent) => void this.#takeDrop(event)}
    >
      <div class="box">
        ${this.#renderBox()} ${this.#renderRow()}
        ${session.laneIds.length > 1 ? this.#renderTarget() : nothing}
      </div>
      <div class="foot">
        <span class="state">${this.#renderState()} ${this.#renderUndo()}</span>
        ${hasBest(session) ? html`<span><b>${t('Bold')}</b>: ${t('best of the compared lanes')}</span>` : nothing}
        <span class="limits">${connection ? describeLimits(connection.limits) : ''}</span>
        <span class="where-narrow">${renderPlace(session) ?? ''}</span>
      </div>
    </div>`;
  }

  protected override watched(state: PanelState): readonly unknown[] {
    const { session, view } = state;
    return [
      session.document,
      session.environment,
      session.laneIds,
      view.draft,
      view.target,
      currentLaneId(state),
      hasBest(session),
      state.notice,
      toHint(state).words,
      leftOut(state, targetLaneIds(state)).join('\n'),
      session.evaluation?.rows,
      session.evaluation?.chosenRowId,
    ];
  }

  #renderBox(): TemplateResult {
    const { playground } = this;
    const { state } = playground;
    const { session } = state;
    return textArea({
      label: t('Message'),
      value: boxText(state),
      placeholder: session.laneIds.length > 1 ? t('Message to every lane') : t('Message to the model'),
      className: 'no-label grow',
      isDisabled: session.document !== undefined && !canEdit(session),
      onInput: (text) => playground.fields.type(MESSAGE_KEY, text),
      onLeave: () => playground.fields.leave(MESSAGE_KEY),
    });
  }

  #renderTarget(): TemplateResult {
    const { playground } = this;
    const { session, view } = playground.state;
    const choices = [
      { id: '', label: t('All lanes') },
      ...session.laneIds.map((id, index) => ({ id, label: t('Lane {0} only', index + 1) })),
    ];
    return html`<pg-select-box
      class="target field"
      .label=${t('Send to')}
      .value=${session.laneIds.includes(view.target) ? view.target : ''}
      .choices=${choices}
      @pg-change=${({ detail }: CustomEvent<string>) => playground.setView({ target: detail })}
    ></pg-select-box>`;
  }

  /** The row whose variables fill the placeholders of an ordinary run. */
  #renderRow(): unknown {
    const { playground } = this;
    const { document, evaluation } = playground.state.session;
    const { rows = [], chosenRowId } = evaluation ?? {};
    // A playground without rows is evaluated as one row that has no variables.
    if (rows.length === 0 || document?.document.evaluate.rows === undefined) return nothing;
    const names = rows.map(({ name }) => name);
    const choose = ({ detail }: CustomEvent<string>): void => {
      const row = rows[names.indexOf(detail)];
      const isCleared = detail === '' && chosenRowId !== undefined;
      if (row ?? isCleared) void playground.send('evaluation/choose-row', row ? { rowId: row.id } : {});
    };
    // Its element is registered with the parts that are loaded later.
    return html`<pg-combo-box
      class="target field is-row"
      .label=${t('Row')}
      .value=${rows.find(({ id }) => id === chosenRowId)?.name ?? ''}
      .options=${names}
      .placeholder=${t('Row: none')}
      @pg-change=${choose}
    ></pg-combo-box>`;
  }

  #renderUndo(): unknown {
    const { playground } = this;
    const restorable = playground.state.session.document?.restorable;
    if (!restorable) return nothing;
    const label = restorable === 'cleared' ? t('Undo clear') : t('Undo replacing replies');
    return linkButton(label, () => void playground.send('conversation/restore', {}));
  }

  /**
   * In a playground that has no messages yet but the one in the box, which the first playground begins with. Anywhere else, and in
   * a second try, the text is pasted.
   */
  readonly #takePaste = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const { state } = this.playground;
    const box = boxText(state);
    const [first, ...others] = state.session.document?.document.messages ?? [];
    const isEmpty = others.length === 0 && (first === undefined || first.content === box);
    const isOffered = isEmpty && this.#pasted?.text !== text && isRequest(text);
    if (isOffered) event.preventDefault();
    this.#offer(isOffered ? { text, box: pastedInto(event, box, text) } : undefined);
  };

  readonly #allowDrop = (event: DragEvent): void => {
    const { items = [] } = event.dataTransfer ?? {};
    if ([...items].some(({ kind }) => kind === 'file')) event.preventDefault();
  };

  async #takeDrop(event: DragEvent): Promise<void> {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    this.#open(await file.text());
  }

  #offer(pasted: { text: string; box: string } | undefined): void {
    this.#pasted = pasted;
    this.requestUpdate();
  }

  #open(text: string): void {
    this.#offer(undefined);
    void this.playground.send('request/open', { text });
  }

  #renderOffer({ text, box }: { text: string; box: string }): TemplateResult {
    const { playground } = this;
    const paste = (): void => {
      this.#offer(undefined);
      playground.fields.type(MESSAGE_KEY, box);
    };
    return html`<span role="status">${t('The pasted text looks like a request to a model.')}</span>
      ${linkButton(t('Open request'), () => this.#open(text))} ${linkButton(t('Paste as text'), paste)}`;
  }

  #renderState(): unknown {
    const { state } = this.playground;
    if (this.#pasted !== undefined) return this.#renderOffer(this.#pasted);
    // The app announces it.
    if (state.notice) return html`<span>${renderMarked(state.notice)}</span>`;
    const { words, isKey } = toHint(state);
    const left = [
      ...leftOut(state, targetLaneIds(state)).filter((sentence) => sentence !== words),
      ...unfilled(state),
    ];
    return html`${
      isKey
        ? html`<kbd>${commandKey()}</kbd> <kbd>Enter</kbd> ${prose(words)}`
        : html`<span class="blocker">${prose(words)}</span>`
    }${left.map((sentence) => html` · <span class="blocker">${prose(sentence)}</span>`)}`;
  }
}

/** The placeholders of the message that would be sent as they are, because no row is chosen to fill them. */
function unfilled({ session, view }: PanelState): string[] {
  const { variables = [], chosenRowId } = session.evaluation ?? {};
  if (chosenRowId !== undefined || variables.length === 0) return [];
  const text = view.draft ?? session.document?.draft ?? '';
  const named = variables.filter((name) => text.includes(`{{${name}}}`)).slice(0, MAX_UNFILLED);
  if (named.length === 0) return [];
  return [
    t(
      '{0} is sent as it stands: choose a row to fill it.',
      named.map((name) => `\`{{${name}}}\``).join(', '),
    ),
  ];
}

interface Hint {
  words: string;
  /** Whether the words are shown after the keyboard shortcut that starts the run. */
  isKey: boolean;
}

function toHint(state: PanelState): Hint {
  const laneIds = targetLaneIds(state);
  const blocker = runBlocker(state, laneIds, boxText(state));
  const isAllBusy = laneIds.length > 0 && laneIds.every((id) => isBusy(state.session, id));
  if (isAllBusy) return { words: t('Esc stops'), isKey: false };
  return { words: blocker ?? describeRun(state, laneIds), isKey: blocker === undefined };
}

/** Names the lanes in which Run starts something, without those that run already or cannot run. */
function describeRun(state: PanelState, laneIds: readonly string[]): string {
  const { session } = state;
  const startable = runnable(state, laneIds);
  const isOne = session.laneIds.length < 2;
  if (boxText(state).trim() !== '')
    return isOne ? t('runs') : t('runs {0}', describeTargets(state, startable));
  const waiting = concerned(state, laneIds, 'chat');
  const isAgain = waiting.every((id) => !['send', 'reply'].includes(laneOf(session, id).next ?? ''));
  if (isAgain) return isOne ? t('asks again') : t('asks again in {0}', describeTargets(state, waiting));
  return isOne ? t('continues in the lane') : t('continues in {0}', describeTargets(state, waiting));
}

/** Such as `every lane` or `lanes 2 and 3`. */
const describeTargets = (state: PanelState, laneIds: readonly string[]): string =>
  laneIds.length > 1 && laneIds.length === targetLaneIds(state).length
    ? t('every lane')
    : describeLanes(state.session, laneIds);

/** Such as `No time limit per attempt · connect within 10 s · up to 3 attempts`. */
export function describeLimits({ timeoutMs, connectTimeoutMs, maxAttempts }: RunLimits): string {
  const perAttempt = timeoutMs
    ? t('{0} per attempt', formatDuration(timeoutMs))
    : t('No time limit per attempt');
  const attempts = maxAttempts === 1 ? t('one attempt') : t('up to {0} attempts', maxAttempts);
  return connectTimeoutMs === undefined
    ? `${perAttempt} · ${attempts}`
    : t('{0} · connect within {1} · {2}', perAttempt, formatDuration(connectTimeoutMs), attempts);
}

/** The key of commands, as it is written on the keyboard. */
export const commandKey = (): string => (navigator.userAgent.includes('Mac') ? '⌘' : 'Ctrl');

/** What the box has once the text replaces what is selected in it. */
function pastedInto(event: Event, value: string, text: string): string {
  const [field] = event.composedPath();
  if (!(field instanceof HTMLTextAreaElement)) return value + text;
  return value.slice(0, field.selectionStart) + text + value.slice(field.selectionEnd);
}
