// A message of the conversation: sent, pinned by the document, or pending. A sent user message can be edited and
// sent again, which replaces everything after it.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { MessageEntry } from '../../../src/protocol';
import { findButton, focusOnceDone, focusSoon, turnElement } from '../../focus/focus';
import { isBusy } from '../../lanes/lane-queries';
import { textBlocker } from '../../lanes/run-blocker';
import type { MessageEdit } from '../../state/view-state';
import { button, iconButton, rowsOf, textArea } from '../controls/controls';
import { jsonValue } from '../controls/json-text';
import { renderCut } from '../controls/prose';
import { renderErrorWord } from './call-card';
import type { TurnElement } from './turn-element';

const editLabel = (): string => t('Edit and send again');

export function renderMessageTurn(turn: TurnElement, entry: MessageEntry): TemplateResult {
  const { edit } = turn;
  const canBeEdited = entry.role === 'user' && !entry.isPending && !edit;
  return html`<div class="turn is-${entry.role} ${entry.isPending ? 'is-pending' : ''}">
    <div class="who">${describeRole(entry.role)}</div>
    <div class="what">
      ${edit ? renderEditor(turn, edit) : renderContent(turn, entry)}
      ${entry.isPending ? renderPending(turn) : nothing}
    </div>
    ${
      canBeEdited
        ? html`<div class="turn-actions">
            ${iconButton(editLabel(), 'edit', () => void beginEdit(turn, entry))}
          </div>`
        : nothing
    }
  </div>`;
}

function describeRole(role: MessageEntry['role']): string {
  return { system: t('system'), user: t('user'), assistant: t('model'), tool: t('tool') }[role];
}

/** A run of the lane sends all its pending messages, so only the last one offers it. */
function renderPending({ playground, laneId, isLast }: TurnElement): TemplateResult {
  if (isBusy(playground.state.session, laneId)) {
    return html`<p class="muted aside">${t('waits for the answer above')}</p>`;
  }
  return html`<p class="muted aside">
    ${t('not sent to this lane yet')}
    ${isLast ? button({ label: t('Run lane'), onClick: () => void playground.run([laneId]) }) : nothing}
  </p>`;
}

function renderContent(turn: TurnElement, entry: MessageEntry): TemplateResult {
  const { content, length, toolName, toolCalls = [] } = entry;
  const read = () => readWhole(turn, entry);
  return html`${toolName === undefined ? nothing : html`<p class="mono muted">${renderCut(toolName)}${entry.isError ? `, ${t('an error')}` : ''}</p>`}
  ${
    content === '' && toolCalls.length > 0
      ? nothing
      : html`<p class="text ${entry.role === 'tool' ? 'mono' : ''}">
          ${renderErrorWord(entry.role === 'tool' && entry.isError)}<pg-long-text
            .text=${content}
            .length=${length}
            .read=${read}
          ></pg-long-text>
        </p>`
  }
  ${toolCalls.map(({ name, arguments: value }) => html`<p class="mono">${renderCut(name)} ${jsonValue(value)}</p>`)}`;
}

async function readWhole(turn: TurnElement, { id }: MessageEntry): Promise<string | undefined> {
  const read = await turn.playground.ask('text/read', { laneId: turn.laneId, entryId: id, path: 'content' });
  return read?.text;
}

/** Reads the whole text first if the panel has only a part of it, because all of it is sent again. */
async function beginEdit(turn: TurnElement, entry: MessageEntry): Promise<void> {
  const { laneId, playground } = turn;
  const goTo = focusOnceDone();
  const text = entry.content.length < entry.length ? await readWhole(turn, entry) : entry.content;
  if (text === undefined) return;
  playground.setView({ edit: { laneId, entryId: entry.id, text } });
  goTo(() => turnElement(laneId, entry.id)?.querySelector('.edit vscode-text-area'));
}

function renderEditor(turn: TurnElement, edit: MessageEdit): TemplateResult {
  const { playground, laneId } = turn;
  const { text } = edit;
  const blocker =
    turn.blocker ?? textBlocker(text) ?? (text.trim() === '' ? t('There is nothing to send.') : undefined);
  const close = (): void => {
    playground.setView({ edit: undefined });
    focusSoon(() => findButton(turnElement(laneId, edit.entryId), editLabel()));
  };
  const pressed = (event: KeyboardEvent): void => {
    const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if ((!isSend && event.key !== 'Escape') || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    if (isSend) void playground.resend();
    else close();
  };
  return html`<div class="edit" @keydown=${pressed}>
    ${textArea({
      label: t('Sent text'),
      value: text,
      className: 'no-label',
      rows: rowsOf(text, 2, 12),
      hint: blocker ?? t('The turns after this message are replaced, in every lane that has it.'),
      onInput: (value) => playground.setView({ edit: { ...edit, text: value } }),
    })}
    <div class="actions">
      ${button({
        label: t('Send again'),
        appearance: 'primary',
        isDisabled: blocker !== undefined,
        onClick: () => void playground.resend(),
      })}
      ${button({ label: t('Cancel'), onClick: close })}
    </div>
  </div>`;
}
