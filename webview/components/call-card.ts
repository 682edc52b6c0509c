// One tool call in a lane: its name, where it came from, its arguments, what is wrong with them, its result.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { ProviderToolCall, RescuedCall } from '../../src/types';
import { icon } from '../icons';
import type { Playground } from '../playground';
import type { RunEntry, ToolResult } from '../state';
import { withRunEntry } from '../state';
import { button } from './controls';
import { jsonValue } from './json-text';
import { cut, prose } from './prose';
import type { CallPlace } from './result-editor';
import { renderResultEditor, resultEditorId } from './result-editor';

const MAX_ARGUMENTS = 40;

export function renderCallCard(playground: Playground, place: CallPlace): TemplateResult {
  const { entry, index, call } = place;
  const { selection } = playground.state;
  const isSelected = selection?.runId === entry.runId && selection.callIndex === index;
  // its place in the text is shown where the text is shown
  const isInText = call.source === 'rescued' && playground.state.tab === 'rescue';
  const select = (): void =>
    playground.set({
      selection: { runId: entry.runId, callIndex: index },
      tab: isInText ? 'rescue' : 'tool-calls',
    });
  return html`<article
    class="call ${isSelected ? 'is-selected' : ''}"
    aria-current=${isSelected ? 'true' : nothing}
  >
    <button class="head" type="button" data-row @click=${select}>
      ${icon('tool')}<span class="name clip">${call.name || '(no name)'}</span>${renderSource(call)}
    </button>
    ${renderArguments(call.arguments)} ${renderProblems(place)} ${renderFoot(playground, place)}
  </article>`;
}

export function renderSource({ source }: ProviderToolCall, format?: string): TemplateResult {
  return html`<span class="src"
    ><span class="o-${source} o-icon">${icon(source)}</span>${format ? `${source}, ${format}` : source}</span
  >`;
}

/** What rescue knows of a call beyond its shape. */
export function rescuedCall(entry: RunEntry, call: ProviderToolCall): RescuedCall | undefined {
  if (call.source !== 'rescued') return undefined;
  return entry.outcome?.turn?.rescue?.calls.find(({ id }) => id === call.id);
}

/** Why the arguments of a native call stayed text. */
export function parseErrorOf(entry: RunEntry, index: number, call: ProviderToolCall): string | undefined {
  return call.source === 'native' ? entry.outcome?.turn?.exchange.toolCalls[index]?.parseError : undefined;
}

export function openResult(playground: Playground, { entry, index, call }: CallPlace): void {
  const sample = playground.state.snapshot?.tools.find(({ name }) => name === call.name);
  const draft = entry.drafts[index] ?? { content: sample?.mock ?? '', isError: false, isOpen: true };
  playground.update((state) =>
    withRunEntry(state, entry.runId, (before) => ({
      ...before,
      drafts: { ...before.drafts, [index]: { ...draft, isOpen: true } },
    })),
  );
  requestAnimationFrame(() =>
    document.getElementById(resultEditorId({ entry, index, call }))?.scrollIntoView({ block: 'nearest' }),
  );
}

/** Where it is from, or that it is an error. */
export function nameResult({ isError, source }: ToolResult): string {
  if (isError) return 'error';
  return source ?? 'result';
}

function renderArguments(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return html`<p class="args is-text">${typeof value === 'string' ? cut(value) : jsonValue(value)}</p>`;
  }
  const all = Object.entries(value);
  if (all.length === 0) return html`<p class="args is-text muted">no arguments</p>`;
  return html`<dl class="args">
    ${all.slice(0, MAX_ARGUMENTS).map(
      ([key, argument]) =>
        html`<dt>${cut(key, 200)}</dt>
          <dd>${jsonValue(argument)}</dd>`,
    )}
    ${
      all.length > MAX_ARGUMENTS
        ? html`<dt>…</dt>
            <dd>${all.length - MAX_ARGUMENTS} more</dd>`
        : nothing
    }
  </dl>`;
}

function renderProblems({ entry, index, call }: CallPlace): unknown {
  const issues = rescuedCall(entry, call)?.schemaIssues ?? [];
  const parseError = parseErrorOf(entry, index, call);
  const problems = [
    ...(parseError ? [prose(`The arguments are not JSON: ${parseError}`)] : []),
    ...issues
      .slice(0, 5)
      .map(({ path, message }) => html`<code>${cut(path || '/', 200)}</code> ${prose(message)}`),
  ];
  return problems.map(
    (problem) =>
      html`<p class="note"><span class="s-warning">${icon('warning')}</span><span>${problem}</span></p>`,
  );
}

function renderFoot(playground: Playground, place: CallPlace): TemplateResult {
  const { entry, index } = place;
  const result = entry.results[index];
  if (result) {
    return html`<div class="foot">
      <span class="muted">${nameResult(result)}</span
      ><code class="clip" title=${cut(result.content, 500)}>${cut(result.content) || '(empty)'}</code>
    </div>`;
  }
  if (entry.drafts[index]?.isOpen) return renderResultEditor(playground, place);
  const open = (): void => {
    openResult(playground, place);
    // the editor is drawn before the next task
    setTimeout(() =>
      document.getElementById(resultEditorId(place))?.querySelector<HTMLElement>('vscode-text-area')?.focus(),
    );
  };
  return html`<div class="foot">
    <span class="clip muted">No result yet</span>${button({ label: 'Give result', onClick: open })}
  </div>`;
}
