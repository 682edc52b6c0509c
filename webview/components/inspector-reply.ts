// The tab *Reply*: findings, the reply as the server sent it, tokens and cost.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { ErrorInfo, Finding, InspectorTab } from '../../src/protocol';
import type { ChatTurn } from '../../src/types';
import { copyText } from '../copy-text';
import { countOf, toJson } from '../format';
import type { Playground } from '../playground';
import type { RunEntry } from '../state';
import { renderCauses } from './causes-section';
import { iconButton, linkButton } from './controls';
import { renderFindings } from './findings-section';
import { jsonValue } from './json-text';
import { cut, prose } from './prose';
import { renderPending } from './pending-section';
import { renderSteps } from './steps-section';
import { renderUsage } from './usage-section';

const TAB_LINKS: Record<InspectorTab, string> = {
  reply: 'Show reply',
  'tool-calls': 'Show tool calls',
  rescue: 'Show in text',
  attempts: 'Show attempts',
};

export function renderReplyTab(playground: Playground, run: RunEntry): TemplateResult {
  const { outcome, problem } = run;
  const error = problem ?? outcome?.error;
  const turn = outcome?.turn;
  const findings = outcome?.findings ?? [];
  return html`${renderFindings(findings, (finding) => renderTabLink(playground, finding))}
  ${error ? renderError(error) : nothing} ${renderSteps(playground, run)}
  ${turn ? html`${renderRaw(playground, turn)} ${renderUsage(turn.usage)}` : nothing}
  ${!outcome && !problem ? renderPending(playground.state, run) : nothing}
  ${
    outcome && !turn && !error && outcome.findings.length === 0
      ? html`<p class="muted">No reply came: the run was stopped.</p>`
      : nothing
  }`;
}

/** To the tab that shows it. */
function renderTabLink(playground: Playground, { tab }: Finding): unknown {
  if (!tab || tab === 'reply') return nothing;
  return linkButton(TAB_LINKS[tab], () => playground.set({ tab }));
}

function renderError({ title, what, why, next, causes = [] }: ErrorInfo): TemplateResult {
  return html`<section class="sec">
      <h3>${prose(title)}</h3>
      <p>${prose(what)} ${prose(why)}</p>
      <p class="muted">${prose(next)}</p>
    </section>
    ${renderCauses(causes)}`;
}

function renderRaw(playground: Playground, turn: ChatTurn): TemplateResult {
  const { raw } = turn;
  const copy = (): void =>
    void copyText(toJson(raw)).then((isCopied) =>
      playground.notify(isCopied ? 'RawAssistant copied as JSON.' : 'RawAssistant could not be copied.'),
    );
  return html`<section class="sec">
    <h3>RawAssistant <span class="push">${iconButton('Copy RawAssistant as JSON', 'copy', copy)}</span></h3>
    <dl class="kv">
      <dt>content</dt>
      <dd><pg-content-value .text=${raw.content}></pg-content-value></dd>
      <dt>toolCalls</dt>
      <dd>${describeCalls(turn)} ${renderRescueLink(playground, turn)}</dd>
      ${
        raw.reasoning === undefined
          ? nothing
          : html`<dt>reasoning</dt>
              <dd><pg-content-value .text=${raw.reasoning}></pg-content-value></dd>`
      }
      <dt>finishReason</dt>
      <dd>${renderOptional(raw.finishReason)}</dd>
      <dt>model</dt>
      <dd>${renderOptional(raw.model)}</dd>
      <dt>attempts</dt>
      <dd class="mono">${jsonValue(raw.attempts)}</dd>
    </dl>
  </section>`;
}

function describeCalls({ raw, toolCalls, rescue }: ChatTurn): TemplateResult {
  const native = raw.toolCalls.length;
  if (native > 0) {
    const names = raw.toolCalls.map(({ name }) => name).join(', ');
    return html`${countOf(native, 'native call')}: <code>${cut(names)}</code>`;
  }
  const rescued = toolCalls.length;
  const possible = rescue?.calls.length ?? 0;
  const left = rescue?.rejected.length ?? 0;
  const parts = [
    'none native',
    ...(rescued > 0 ? [`${rescued} rescued from content`] : []),
    ...(rescued === 0 && possible > 0 ? [`${possible} stayed text, since rescue is off`] : []),
    ...(left > 0 ? [`${left} left as text`] : []),
  ];
  return html`<code>[]</code>, ${parts.join('; ')}`;
}

function renderRescueLink(playground: Playground, { rescue }: ChatTurn): unknown {
  if (!rescue || rescue.calls.length + rescue.rejected.length === 0) return nothing;
  return linkButton('Show in text', () => playground.set({ tab: 'rescue' }));
}

function renderOptional(value: string | undefined): TemplateResult {
  return value === undefined
    ? html`<span class="muted">not sent by the server</span>`
    : html`<span class="mono">${jsonValue(value)}</span>`;
}
