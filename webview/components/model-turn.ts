// One reply of the model, or what became of the run that should have brought it.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { copyText } from '../copy-text';
import { formatClock, toJson } from '../format';
import type { Playground } from '../playground';
import type { RunEntry, ToolResult } from '../state';
import { callsOf, currentConnection, liveReply } from '../state';
import { renderAlert, renderRunAgain, renderStopped } from './alert-card';
import { nameResult, renderCallCard } from './call-card';
import { iconButton } from './controls';
import { renderLiveReply } from './live-reply';
import { renderReasoning } from './reasoning-fold';
import { renderRejectedCard } from './rejected-card';
import { renderRunEnd } from './run-end';

const MAX_CARDS = 50;

export function renderModelTurn(playground: Playground, entry: RunEntry, isLast: boolean): TemplateResult {
  return html`${renderTurn(playground, entry, isLast)}${isLast ? renderRunEnd(playground, entry) : nothing}`;
}

function renderTurn(playground: Playground, entry: RunEntry, isLast: boolean): TemplateResult {
  const { outcome, problem } = entry;
  const error = problem ?? outcome?.error;
  if (outcome?.turn) return html`${renderReply(playground, entry, isLast)}${renderToolRows(entry)}`;
  // a stopped run is no failure, even where the stop is told as an error
  if (outcome?.verdict.kind === 'stopped') {
    return renderRow(playground, entry, renderStopped(playground, error, isLast));
  }
  if (error)
    return html`<div class="turn">
      <div class="all">${renderAlert(playground, { entry, error, isLast })}</div>
    </div>`;
  const live = liveReply(playground.state, entry);
  return renderRow(
    playground,
    entry,
    live ? renderLiveReply(live) : html`<p class="muted">${describeWait(playground)}</p>`,
  );
}

function renderRow(playground: Playground, entry: RunEntry, content: TemplateResult): TemplateResult {
  const { selection } = playground.state;
  const isSelected =
    selection?.runId === entry.runId && (selection.callIndex ?? selection.spanNumber) === undefined;
  const select = (): void => playground.set({ selection: { runId: entry.runId }, tab: 'reply' });
  return html`<div
    class="turn ${isSelected ? 'is-selected' : ''}"
    aria-current=${isSelected ? 'true' : nothing}
  >
    <button class="who" type="button" data-row title="Show in the inspector" @click=${select}>model</button>
    <div class="what">${content}</div>
  </div>`;
}

function renderReply(playground: Playground, entry: RunEntry, isLast: boolean): TemplateResult {
  const turn = entry.outcome?.turn;
  if (!turn) return html``;
  const { content } = turn.assistant;
  const reasoning = turn.assistant.reasoning ?? turn.raw.reasoning ?? turn.rescue?.reasoning;
  const calls = callsOf(entry);
  const rejected = turn.rescue?.rejected ?? [];
  const isEmpty = content === '' && calls.length === 0;
  return renderRow(
    playground,
    entry,
    html`${reasoning ? renderReasoning(reasoning) : nothing}
    ${content ? html`<p class="text"><pg-long-text .text=${content}></pg-long-text></p>` : nothing}
    ${isEmpty ? html`<p class="muted">The reply is empty.</p>` : nothing}
    ${calls.slice(0, MAX_CARDS).map((call, index) => renderCallCard(playground, { entry, index, call }))}
    ${rejected.slice(0, MAX_CARDS).map((rejection) => renderRejectedCard(playground, entry, rejection))}
    ${renderMore(calls.length + rejected.length - Math.min(calls.length, MAX_CARDS) - Math.min(rejected.length, MAX_CARDS))}
    ${renderActions(playground, entry, isLast)}`,
  );
}

function renderMore(missing: number): unknown {
  return missing > 0 ? html`<p class="muted">… ${missing} more; the inspector lists them.</p>` : nothing;
}

function renderActions(playground: Playground, entry: RunEntry, isLast: boolean): TemplateResult {
  const turn = entry.outcome?.turn;
  const copy = (what: string, text: string): void =>
    void copyText(text).then((isCopied) =>
      playground.notify(isCopied ? `${what} copied.` : `${what} could not be copied.`),
    );
  return html`<div class="turn-foot">
    ${iconButton('Copy reply', 'copy', () => copy('The reply', turn?.raw.content ?? ''))}
    ${
      callsOf(entry).length > 0
        ? iconButton('Copy calls as JSON', 'malformed', () => copy('The calls', toJson(callsOf(entry))))
        : nothing
    }
    ${isLast && !playground.state.pendingRunId ? renderRunAgain(playground) : nothing}
  </div>`;
}

/** The results as the next request sends them, each at its place in the conversation. */
function renderToolRows(entry: RunEntry): unknown {
  return callsOf(entry)
    .slice(0, MAX_CARDS)
    .map((call, index) => {
      const result = entry.results[index];
      if (!result) return nothing;
      return html`<div class="turn">
        <div class="who">tool</div>
        <div class="what">
          <p class="mono muted">${call.name}${describeResult(result)}</p>
          <p class="text mono"><pg-long-text .text=${result.content || '(empty)'}></pg-long-text></p>
        </div>
      </div>`;
    });
}

function describeResult(result: ToolResult): string {
  const name = nameResult(result);
  if (name === 'result') return '';
  return name === 'error' ? ', an error' : `, ${name}`;
}

function describeWait({ state }: Playground): string {
  const { progress } = state;
  const { limits } = currentConnection(state) ?? {};
  const limit = limits?.timeoutMs
    ? `A try may take ${formatClock(limits.timeoutMs)}; Stop ends it.`
    : 'There is no time limit; Stop ends it.';
  if (progress?.phase === 'reading') return 'The server answers; its reply is being read.';
  if (progress?.phase === 'waiting-to-retry') {
    const last = progress.ledger.at(-1);
    return last ? last.reason : 'The last try failed; the next one follows.';
  }
  return `The server has the request and has not answered yet. A first run loads the model, which can take minutes. ${limit}`;
}
