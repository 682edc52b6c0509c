// The row of the system prompt: one line until it is opened.
import { t } from '@vscode/l10n';
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { focusSoon } from '../../focus/focus';
import { icon } from '../../icons';
import { fieldText } from '../../lanes/lane-fields';
import { canEdit } from '../../lanes/lane-queries';
import type { PanelState } from '../../state/panel-state';
import { textArea } from '../controls/controls';
import { StoreElement } from '../controls/store-element';

const OPEN_ROWS = 6;
const KEY = 'system';

export class SystemPrompt extends StoreElement {
  override render(): TemplateResult {
    const { playground } = this;
    const { session, view } = playground.state;
    const isOpen = view.isPromptOpen;
    return html`<div class="system ${isOpen ? 'is-open' : ''}">
      <button
        class="ghost"
        type="button"
        aria-expanded=${isOpen ? 'true' : 'false'}
        @click=${() => this.#toggle()}
      >
        ${icon(isOpen ? 'down' : 'right')}<span class="muted">${t('System prompt')}</span>
      </button>
      ${textArea({
        label: t('System prompt'),
        value: fieldText(playground.state, KEY),
        placeholder: t('Optional; sent before the messages of every lane'),
        className: isOpen ? 'no-label' : 'is-bare',
        rows: isOpen ? OPEN_ROWS : 1,
        isDisabled: session.document !== undefined && !canEdit(session),
        onInput: (text) => playground.fields.type(KEY, text),
        onLeave: () => playground.fields.leave(KEY),
      })}
    </div>`;
  }

  /** To open it is to write in it. */
  #toggle(): void {
    const isPromptOpen = !this.playground.state.view.isPromptOpen;
    this.playground.setView({ isPromptOpen });
    if (isPromptOpen) focusSoon(() => this.querySelector('vscode-text-area'));
  }

  protected override watched({ session, view }: PanelState): readonly unknown[] {
    return [session.document?.document.system, canEdit(session), view.fields.get(KEY), view.isPromptOpen];
  }
}
