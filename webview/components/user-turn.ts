// A message that was sent; it can be changed and sent again, which replaces what followed.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { Playground } from '../playground';
import { settingsBlocker } from '../run-request';
import type { UserEntry } from '../state';
import { button, iconButton, textArea } from './controls';

export function renderUserTurn(playground: Playground, entry: UserEntry): TemplateResult {
  const { edit, pendingRunId } = playground.state;
  const isEdited = edit?.id === entry.id;
  const begin = (): void => {
    playground.set({ edit: { id: entry.id, text: entry.content } });
    setTimeout(() =>
      document.getElementById(`edit-${entry.id}`)?.querySelector<HTMLElement>('vscode-text-area')?.focus(),
    );
  };
  return html`<div class="turn is-user">
    <div class="who">user</div>
    <div class="what">
      ${isEdited ? renderEditor(playground, entry) : html`<p class="text"><pg-long-text .text=${entry.content}></pg-long-text></p>`}
    </div>
    ${
      isEdited || pendingRunId
        ? nothing
        : html`<div class="turn-actions">${iconButton('Edit and send again', 'edit', begin)}</div>`
    }
  </div>`;
}

function renderEditor(playground: Playground, { id }: UserEntry): TemplateResult {
  const text = playground.state.edit?.text ?? '';
  const blocker =
    settingsBlocker(playground.state) ?? (text.trim() === '' ? 'There is nothing to send.' : undefined);
  const pressed = (event: KeyboardEvent): void => {
    const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if ((!isSend && event.key !== 'Escape') || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    if (isSend) void playground.sendEdited();
    else playground.set({ edit: undefined });
  };
  return html`<div class="edit" id=${`edit-${id}`} @keydown=${pressed}>
    ${textArea({
      label: 'Sent text',
      value: text,
      className: 'no-label',
      rows: Math.min(Math.max(text.split('\n').length, 2), 12),
      hint: blocker?.replaceAll('`', '') ?? 'What follows it is replaced.',
      onInput: (value) => playground.set({ edit: { id, text: value } }),
    })}
    <div class="actions">
      ${button({
        label: 'Send again',
        appearance: 'primary',
        isDisabled: blocker !== undefined,
        onClick: () => void playground.sendEdited(),
      })}
      ${button({ label: 'Cancel', onClick: () => playground.set({ edit: undefined }) })}
    </div>
  </div>`;
}
