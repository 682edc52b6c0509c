// The tab *Tool calls*: every call of the reply with its arguments, where it came from, and its result.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { ProviderToolCall, RescuedCall, RescueRejection } from '../../src/types';
import { copyText } from '../copy-text';
import { toJson } from '../format';
import { icon } from '../icons';
import type { Playground } from '../playground';
import type { RunEntry } from '../state';
import { callsOf } from '../state';
import { spanOf, toSelection } from '../trace-spans';
import { nameResult, parseErrorOf, renderSource, rescuedCall } from './call-card';
import { iconButton, linkButton } from './controls';
import { cut, prose } from './prose';
import { renderNearest } from './rejected-card';
import { renderIssues } from './schema-issues';
import { describeRepairs, describeSpan } from './span-words';

const MAX_SHOWN = 200;

/** To where it stands in the text of the reply. */
type LinkOf = (found: RescuedCall | RescueRejection) => unknown;

export function renderCallsTab(playground: Playground, run: RunEntry): TemplateResult {
  const turn = run.outcome?.turn;
  const calls = callsOf(run);
  const rejected = turn?.rescue?.rejected ?? [];
  const possible = calls.length === 0 ? (turn?.rescue?.calls ?? []) : [];
  const linkOf: LinkOf = (found) => renderTextLink(playground, run, found);
  return html`${calls.slice(0, MAX_SHOWN).map((call, index) => renderCall(playground, run, call, index))}
  ${
    possible.length > 0
      ? html`<section class="sec">
          <h3>Would have been rescued <small>rescue is off</small></h3>
        </section>`
      : nothing
  }
  ${possible.slice(0, MAX_SHOWN).map((call) => renderPossible(call, linkOf(call)))}
  ${rejected.length > 0 ? renderRejected(rejected, linkOf) : nothing}
  ${
    calls.length + rejected.length + possible.length === 0
      ? html`<p class="muted">${turn ? 'The reply asks for no tool.' : 'No reply, so no tool call.'}</p>`
      : nothing
  }`;
}

function renderCall(
  playground: Playground,
  run: RunEntry,
  call: ProviderToolCall,
  index: number,
): TemplateResult {
  const { selection } = playground.state;
  const isSelected = selection?.runId === run.runId && selection.callIndex === index;
  const rescued = rescuedCall(run, call);
  const result = run.results[index];
  return html`<section
    class="sec call-detail ${isSelected ? 'is-selected' : ''}"
    aria-current=${isSelected ? 'true' : nothing}
  >
    ${renderHead(playground, call, rescued)} ${renderArguments(call)}
    <dl class="kv">
      ${renderFacts(call, rescued, {
        parseError: parseErrorOf(run, index, call),
        link: rescued && renderTextLink(playground, run, rescued),
      })}
      <dt>result</dt>
      <dd>
        ${
          result
            ? html`${result.isError ? html`<span class="s-error">${icon('error')}</span> ` : nothing}<span
                  class="muted"
                  >${nameResult(result)}</span
                >
                <span class="mono"><pg-long-text .text=${result.content || '(empty)'}></pg-long-text></span>`
            : html`<span class="muted">none yet</span>`
        }
      </dd>
    </dl>
  </section>`;
}

function renderPossible(call: RescuedCall, link: unknown): TemplateResult {
  return html`<section class="sec call-detail">
    <h3>
      ${icon('tool')}<span class="mono">${cut(call.name, 200)}</span
      ><small class="push">${call.format}</small>
    </h3>
    ${renderArguments(call)}
    <dl class="kv">${renderFacts(call, call, { link })}</dl>
  </section>`;
}

function renderHead(
  playground: Playground,
  call: ProviderToolCall,
  rescued: RescuedCall | undefined,
): TemplateResult {
  const copy = (): void =>
    void copyText(toJson(call)).then((isCopied) =>
      playground.notify(
        isCopied ? `The call of ${call.name} copied as JSON.` : 'The call could not be copied.',
      ),
    );
  return html`<h3>
    ${icon('tool')}<span class="mono clip">${cut(call.name, 200) || '(no name)'}</span
    ><span class="push">${renderSource(call, rescued?.format)}</span>
    ${iconButton(`Copy call of ${call.name}`, 'copy', copy)}
  </h3>`;
}

function renderArguments({ arguments: value }: ProviderToolCall): TemplateResult {
  const isText = typeof value === 'string';
  return html`<pre
    class="raw"
  ><pg-long-text .text=${isText ? value : toJson(value)} .isJson=${!isText}></pg-long-text></pre>`;
}

function renderFacts(
  call: ProviderToolCall,
  rescued: RescuedCall | undefined,
  { parseError, link }: { parseError?: string | undefined; link?: unknown },
): unknown {
  const issues = rescued?.schemaIssues;
  return html`<dt>id</dt>
    <dd><code>${cut(call.id, 200)}</code></dd>
    ${
      rescued
        ? html`<dt>span</dt>
            <dd>${describeSpan(rescued)} ${link}</dd>
            <dt>repairs</dt>
            <dd>${describeRepairs(rescued)}</dd>`
        : nothing
    }
    ${
      rescued && rescued.rawName !== call.name
        ? html`<dt>written</dt>
            <dd><code>${cut(rescued.rawName, 200)}</code></dd>`
        : nothing
    }
    ${
      parseError
        ? html`<dt>arguments</dt>
            <dd>not JSON, so they stay text: ${prose(parseError)}</dd>`
        : nothing
    }
    ${
      issues
        ? html`<dt>schema</dt>
            <dd>${issues.length === 0 ? renderFit() : renderIssues(issues)}</dd>`
        : nothing
    }`;
}

function renderTextLink(
  playground: Playground,
  { runId, outcome }: RunEntry,
  found: RescuedCall | RescueRejection,
): unknown {
  const turn = outcome?.turn;
  const span = spanOf(turn?.rescue, found);
  if (!turn || !span) return nothing;
  const show = (): void => playground.set({ selection: toSelection(runId, turn, span), tab: 'rescue' });
  return linkButton('Show in text', show);
}

const renderFit = (): TemplateResult =>
  html`<span class="has-icon"><span class="o-native o-icon">${icon('check')}</span>fits</span>`;

function renderRejected(rejected: readonly RescueRejection[], linkOf: LinkOf): TemplateResult {
  return html`<section class="sec">
    <h3>Left as text</h3>
    <ul class="findings">
      ${rejected.slice(0, MAX_SHOWN).map(
        (rejection) =>
          html`<li>
            <span class="o-none o-icon">${icon('none')}</span>
            <div>
              ${renderWritten(rejection)} ${prose(rejection.detail)}
              ${renderNearest(rejection.detail, rejection.nearest ?? [])}
              ${rejection.hint ? html`<span class="next">${prose(rejection.hint)}</span>` : nothing}
              <span class="next">${describeSpan(rejection)}, ${rejection.format} ${linkOf(rejection)}</span>
            </div>
          </li>`,
      )}
    </ul>
  </section>`;
}

/** The name that was written, unless the sentence says it. */
function renderWritten({ name, format, detail }: RescueRejection): unknown {
  return name !== undefined && detail.includes(name)
    ? nothing
    : html`<code>${cut(name ?? format, 200)}</code>`;
}
