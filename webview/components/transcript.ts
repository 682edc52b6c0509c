// The conversation of a lane: what was said, what was called, what came of it.
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Playground } from '../playground';
import type { Entry } from '../state';
import { renderModelTurn } from './model-turn';
import { renderUserTurn } from './user-turn';

export function renderTranscript(playground: Playground): TemplateResult {
  const { entries } = playground.state;
  return html`<div class="turns" @keydown=${moveBetweenRows}>
    ${repeat(entries, keyOf, (entry, index) =>
      entry.kind === 'user'
        ? renderUserTurn(playground, entry)
        : renderModelTurn(playground, entry, index === entries.length - 1),
    )}
  </div>`;
}

function keyOf(entry: Entry): string {
  return entry.kind === 'user' ? entry.id : entry.runId;
}

/** Arrow keys move over calls and replies; Enter shows the focused one, as on every button. */
function moveBetweenRows(event: KeyboardEvent): void {
  const from = event.target as HTMLElement;
  if (!from.matches('[data-row]') || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
  const rows = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[data-row]')];
  const next = rows[rows.indexOf(from) + (event.key === 'ArrowDown' ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
