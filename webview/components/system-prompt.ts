// The row of the system prompt: one line until it is opened.
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { icon } from '../icons';
import type { Playground } from '../playground';
import { textArea } from './controls';

const OPEN_ROWS = 6;

export function renderSystemPrompt(playground: Playground): TemplateResult {
  const { systemPrompt, isPromptOpen } = playground.state;
  return html`<div class="system ${isPromptOpen ? 'is-open' : ''}">
    <button
      class="ghost"
      type="button"
      aria-expanded=${isPromptOpen ? 'true' : 'false'}
      @click=${() => playground.set({ isPromptOpen: !isPromptOpen })}
    >
      ${icon(isPromptOpen ? 'down' : 'right')}<span class="muted">System prompt</span>
    </button>
    ${textArea({
      label: 'System prompt',
      value: systemPrompt,
      placeholder: 'Optional; goes before the message',
      className: 'is-bare',
      rows: isPromptOpen ? OPEN_ROWS : 1,
      onInput: (value) => playground.set({ systemPrompt: value }),
    })}
  </div>`;
}
