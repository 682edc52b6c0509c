// The tab *Tool calls*: every call of the reply with its arguments, its origin, and its result.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { ProviderToolCall, RescuedCall, RescueRejection } from '../../../src/types';
import { callsOf, countAt, countCalls, lastSent } from '../../lanes/lane-queries';
import { icon } from '../../icons';
import { countOf, formatCount, toJson } from '../../text/format';
import { spellMarks } from '../../text/text-marks';
import { spanOf, toSelection } from '../../text/trace-spans';
import { focusSoon, inspectorPane } from '../../focus/focus';
import { iconButton, linkButton } from '../controls/controls';
import type { ReadText } from '../controls/long-text';
import { copyOutcomeJson, isPartial, readOutcomeText } from '../controls/outcome-text';
import { cut, prose, renderCut } from '../controls/prose';
import {
  describeResult,
  parseErrorOf,
  renderErrorWord,
  renderSource,
  rescuedCall,
  schemaIssuesOf,
} from '../transcript/call-card';
import { renderNearest } from '../transcript/rejected-card';
import type { Inspected } from './inspected';
import { renderIssues } from './schema-issues';
import { describeRepairs, describeSpan } from './rescue/span-words';

const MAX_SHOWN = 200;
const MAX_OPEN = 20;

/** Draws a link to the place of a call or rejection in the text of the reply. */
type LinkOf = (found: RescuedCall | RescueRejection) => unknown;

export function renderCallsTab(inspected: Inspected): TemplateResult {
  const { run } = inspected;
  const reply = run.outcome?.reply;
  const calls = callsOf(run);
  const rejected = reply?.rescue?.rejected ?? [];
  const possible = calls.length === 0 ? (reply?.rescue?.calls ?? []) : [];
  const linkOf: LinkOf = (found) => renderTextLink(inspected, found);
  return html`${shownCalls(inspected).map(({ call, index }) => renderCall(inspected, call, index))}
  ${calls.length > MAX_OPEN ? renderMore(inspected) : nothing}
  ${
    possible.length > 0
      ? html`<section class="sec">
          <h3>${t('Would have been rescued')} <small>${t('left as text')}</small></h3>
        </section>`
      : nothing
  }
  ${possible.slice(0, MAX_SHOWN).map((call) => renderPossible(call, linkOf(call)))}
  ${possible.length === 0 ? nothing : renderOthers(countAt(run, 'reply.rescue.calls', possible))}
  ${rejected.length > 0 ? renderRejected(rejected, linkOf) : nothing}
  ${renderOthers(countAt(run, 'reply.rescue.rejected', rejected))}
  ${
    calls.length + rejected.length + possible.length === 0
      ? html`<p class="muted">
          ${reply ? t('The reply asks for no tool.') : t('No reply, so no tool call.')}
        </p>`
      : nothing
  }`;
}

/** Of many calls, only those around the selected one; the lane lists them all. */
function shownCalls({ playground, run }: Inspected): { call: ProviderToolCall; index: number }[] {
  const calls = callsOf(run).map((call, index) => ({ call, index }));
  const { selection } = playground.state.view;
  const selected = selection?.runId === run.id ? (selection.callIndex ?? 0) : 0;
  const start = Math.max(0, Math.min(selected - MAX_OPEN / 2, calls.length - MAX_OPEN));
  return calls.slice(start, start + MAX_OPEN);
}

function renderMore(inspected: Inspected): TemplateResult {
  const shown = shownCalls(inspected);
  const first = (shown[0]?.index ?? 0) + 1;
  return html`<p class="muted">
    ${t('Calls {0} to {1} of {2}; one that is selected in the lane is shown here.', first, first + shown.length - 1, formatCount(countCalls(inspected.run)))}
  </p>`;
}

/** @param all Number of elements of a list whose first ones are drawn. */
const renderOthers = (all: number): unknown =>
  all > MAX_SHOWN
    ? html`<p class="muted">${countOf(all - MAX_SHOWN, t('… {0} more'), t('… {0} more'))}</p>`
    : nothing;

function renderCall(inspected: Inspected, call: ProviderToolCall, index: number): TemplateResult {
  const { playground, lane, run } = inspected;
  const { selection } = playground.state.view;
  const isSelected = selection?.runId === run.id && selection.callIndex === index;
  const rescued = rescuedCall(run, call);
  const result = run.results[index];
  const read = async (): Promise<string | undefined> => {
    const path = `results.${index}.content`;
    return (await playground.ask('text/read', { laneId: lane.id, entryId: run.id, path }))?.text;
  };
  return html`<section
    class="sec call-detail ${isSelected ? 'is-selected' : ''}"
    aria-current=${isSelected ? 'true' : nothing}
  >
    ${renderHead(inspected, call, { index, rescued })} ${renderArguments(call, restOf(inspected, index))}
    <dl class="kv">
      ${renderFacts(call, rescued, {
        parseError: parseErrorOf(run, index),
        issues: schemaIssuesOf(run, index),
        link: rescued && renderTextLink(inspected, rescued),
      })}
      <dt>${t('result')}</dt>
      <dd>
        ${
          result
            ? html`${result.isError ? html`<span class="s-error">${icon('error')}</span> ` : nothing}<span
                  class="muted"
                  >${describeResult(result, lastSent(inspected.lane) === run ? [t('not sent yet')] : [])}</span
                >
                <span class="mono"
                  >${renderErrorWord(result.isError)}<pg-long-text
                    .text=${result.content || t('(empty)')}
                    .length=${result.length}
                    .read=${read}
                  ></pg-long-text
                ></span>`
            : html`<span class="muted">${t('none yet')}</span>`
        }
      </dd>
    </dl>
  </section>`;
}

function renderPossible(call: RescuedCall, link: unknown): TemplateResult {
  return html`<section class="sec call-detail">
    <h3>
      ${icon('tool')}<span class="mono">${renderCut(call.name, 200)}</span
      ><small class="push">${call.format}</small>
    </h3>
    ${renderArguments(call)}
    <dl class="kv">${renderFacts(call, call, { issues: call.schemaIssues ?? [], link })}</dl>
  </section>`;
}

function renderHead(
  { playground, lane, run }: Inspected,
  call: ProviderToolCall,
  { index, rescued }: { index: number; rescued: RescuedCall | undefined },
): TemplateResult {
  const name = spellMarks(cut(call.name, 200));
  const copy = async (): Promise<void> => {
    const part = { path: `reply.toolCalls.${index}`, value: call };
    const isCopied = await copyOutcomeJson(playground, { laneId: lane.id, run }, part);
    if (isCopied === undefined) return;
    playground.notify(
      isCopied ? t('The call of {0} copied as JSON.', name) : t('The call could not be copied.'),
    );
  };
  return html`<h3>
    ${icon('tool')}<span class="mono clip">${renderCut(call.name, 200) || t('(no name)')}</span
    ><span class="push">${renderSource(call, rescued?.format)}</span>
    ${iconButton(t('Copy call of {0}', name), 'copy', () => void copy())}
  </h3>`;
}

/** Arguments of which the panel has only a part. */
interface ArgumentsRest {
  isPart: boolean;
  read: ReadText;
}

function restOf({ playground, lane, run }: Inspected, index: number): ArgumentsRest {
  const path = `reply.toolCalls.${index}.arguments`;
  const { read } = readOutcomeText(playground, { laneId: lane.id, run }, path);
  return { isPart: isPartial(run, path), read };
}

function renderArguments({ arguments: value }: ProviderToolCall, rest?: ArgumentsRest): TemplateResult {
  const isText = typeof value === 'string';
  return html`<pre
    class="raw"
  ><pg-long-text .text=${isText ? value : toJson(value)} .isJson=${!isText} .isPart=${rest?.isPart ?? false} .read=${rest?.read}></pg-long-text></pre>`;
}

function renderFacts(
  call: ProviderToolCall,
  rescued: RescuedCall | undefined,
  {
    parseError,
    issues,
    link,
  }: {
    parseError?: string | undefined;
    issues: readonly { path: string; message: string }[];
    link?: unknown;
  },
): unknown {
  return html`<dt>${t('id')}</dt>
    <dd><code>${renderCut(call.id, 200)}</code></dd>
    ${
      rescued
        ? html`<dt>${t('span')}</dt>
            <dd>${describeSpan(rescued)} ${link}</dd>
            <dt>${t('repairs')}</dt>
            <dd>${describeRepairs(rescued)}</dd>`
        : nothing
    }
    ${
      rescued && rescued.rawName !== call.name
        ? html`<dt>${t('written')}</dt>
            <dd><code>${renderCut(rescued.rawName, 200)}</code></dd>`
        : nothing
    }
    ${
      parseError
        ? html`<dt>${t('arguments')}</dt>
            <dd>${t('not JSON, so they stay text:')} ${prose(parseError)}</dd>`
        : nothing
    }
    ${
      issues.length > 0
        ? html`<dt>${t('schema')}</dt>
            <dd>${renderIssues(issues)}</dd>`
        : nothing
    }`;
}

function renderTextLink({ playground, lane, run }: Inspected, found: RescuedCall | RescueRejection): unknown {
  const reply = run.outcome?.reply;
  const span = spanOf(reply?.rescue, found);
  if (!reply || !span) return nothing;
  const show = (): void => {
    const selection = toSelection({ laneId: lane.id, runId: run.id }, reply, span);
    playground.setView({ selection, tab: 'rescue' });
    focusSoon(inspectorPane);
  };
  return linkButton(t('Show in text'), show);
}

function renderRejected(rejected: readonly RescueRejection[], linkOf: LinkOf): TemplateResult {
  return html`<section class="sec">
    <h3>${t('Left as text')}</h3>
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

/** The tool name as the model wrote it, unless the sentence already says it. */
function renderWritten({ name, format, detail }: RescueRejection): unknown {
  return name !== undefined && detail.includes(name)
    ? nothing
    : html`<code>${renderCut(name ?? format, 200)}</code>`;
}
