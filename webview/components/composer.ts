// The message box, what stands in the way of a run, and the limits that apply to it.
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { ConnectionView } from '../../src/protocol';
import { formatDuration } from '../format';
import type { Playground } from '../playground';
import { awaitsReply, runBlocker, unansweredCalls } from '../run-request';
import { currentConnection } from '../state';
import { textArea } from './controls';
import { prose } from './prose';
import { renderPlace } from './place';

export function renderComposer(playground: Playground): TemplateResult {
  const { state } = playground;
  const connection = currentConnection(state);
  return html`<div class="composer">
    ${textArea({
      label: 'Message',
      value: state.draft,
      placeholder: 'Message to the model',
      className: 'no-label',
      onInput: (draft) => playground.set({ draft }),
    })}
    <div class="foot">
      <span class="state">${renderState(playground)}</span>
      <span class="limits">${connection ? describeLimits(connection.limits) : ''}</span>
      <span class="where-narrow">${state.snapshot ? renderPlace(state.snapshot.requestsLeaveFrom) : ''}</span>
    </div>
  </div>`;
}

/** Such as `No time limit per try · connect within 10 s · up to 3 tries`. */
export function describeLimits({
  timeoutMs,
  connectTimeoutMs,
  maxAttempts,
}: ConnectionView['limits']): string {
  const perTry = timeoutMs ? `${formatDuration(timeoutMs)} per try` : 'No time limit per try';
  const tries = maxAttempts === 1 ? 'one try' : `up to ${maxAttempts} tries`;
  return `${perTry} · connect within ${formatDuration(connectTimeoutMs)} · ${tries}`;
}

function renderState({ state }: Playground): TemplateResult {
  if (state.notice) return html`${state.notice}`;
  const blocker = runBlocker(state);
  if (blocker) return html`${state.pendingRunId ? html`<kbd>Esc</kbd> stops` : prose(blocker)}`;
  const isRepeat = state.draft.trim() === '' && awaitsReply(state.entries);
  const [open] = unansweredCalls(state.entries.slice(-1));
  return html`<kbd>${isMac() ? '⌘' : 'Ctrl'}</kbd> <kbd>Enter</kbd> ${isRepeat ? 'runs again' : 'runs'}${
      open ? html`; the call of <code>${open}</code> has no result and is left out` : ''
    }`;
}

function isMac(): boolean {
  return navigator.userAgent.includes('Mac');
}
