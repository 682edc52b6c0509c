// The inline editor of a tool call's result. What was typed stays when it is closed.
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { ProviderToolCall } from '../../src/types';
import type { Playground } from '../playground';
import type { ResultDraft, RunEntry } from '../state';
import { withRunEntry } from '../state';
import { button, checkbox, textArea } from './controls';

export interface CallPlace {
  entry: RunEntry;
  index: number;
  call: ProviderToolCall;
}

export function resultEditorId({ entry, index }: CallPlace): string {
  return `result-${entry.runId}-${index}`;
}

export function renderResultEditor(playground: Playground, place: CallPlace): TemplateResult {
  const { entry, index, call } = place;
  const draft = entry.drafts[index] ?? { content: '', isError: false, isOpen: true };
  const change = (part: Partial<ResultDraft>): void =>
    playground.update((state) =>
      withRunEntry(state, entry.runId, (before) => ({
        ...before,
        drafts: { ...before.drafts, [index]: { ...draft, ...before.drafts[index], ...part } },
      })),
    );
  const send = (): void => {
    const { content, isError } = draft;
    void playground.giveResult(entry.runId, index, { content, isError });
  };
  const pressed = (event: KeyboardEvent): void => {
    const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if ((!isSend && event.key !== 'Escape') || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    if (isSend) send();
    else change({ isOpen: false });
  };
  return html`<div class="result-editor" id=${resultEditorId(place)} @keydown=${pressed}>
    ${textArea({
      label: `Result of ${call.name}`,
      value: draft.content,
      className: 'is-data',
      rows: Math.min(Math.max(draft.content.split('\n').length, 3), 12),
      onInput: (content) => change({ content }),
    })}
    ${checkbox('This is an error result', draft.isError, (isError) => change({ isError }))}
    <div class="actions">
      ${button({ label: 'Send result', appearance: 'primary', onClick: send })}
      ${button({ label: 'Close', onClick: () => change({ isOpen: false }) })}
    </div>
  </div>`;
}
