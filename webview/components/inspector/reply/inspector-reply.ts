// The tab *Reply*: findings, the reply as the server sent it, tokens and cost.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { ReplyView, RunEntry, RunOutcome } from '../../../../src/protocol';
import { billingOfRun, countAt } from '../../../lanes/lane-queries';
import { formatCount } from '../../../text/format';
import { iconButton, linkButton } from '../../controls/controls';
import { jsonValue } from '../../controls/json-text';
import { copyOutcomeJson, readOutcomeText } from '../../controls/outcome-text';
import { prose, renderCut } from '../../controls/prose';
import { renderPartialReply } from '../../transcript/partial-reply';
import { renderCauses } from './causes-section';
import type { Inspected } from '../inspected';
import { renderPending } from './pending-section';
import { showTab } from '../show-tab';
import { renderSteps } from './steps-section';
import { renderUsage } from './usage-section';
import { sentence } from '../../../text/sentence';

export function renderReplyTab(inspected: Inspected): TemplateResult {
  const { playground, lane, run } = inspected;
  const { outcome } = run;
  const reply = outcome?.reply;
  return html`<pg-doctor .playground=${playground} .laneId=${lane.id} .run=${run}></pg-doctor>
    ${outcome && !reply ? renderNoReply(inspected) : nothing} ${renderSteps(inspected)}
    ${reply ? html`${renderRaw(inspected, reply)} ${renderUsage(reply.usage, billingOfRun(playground.state.session, run), outcome?.rates)}` : nothing}
    ${outcome ? nothing : renderPending(inspected)}`;
}

/** The error itself is described in the lane. */
function renderNoReply({ playground, lane, run }: Inspected): TemplateResult {
  const { outcome } = run;
  const partial = outcome && renderPartialReply(outcome);
  const hasPartial = outcome?.partial !== undefined;
  return html`<section class="sec">
      <h3>${outcome?.error ? prose(outcome.error.title) : t('No reply')}</h3>
      <p class="muted">
        ${describeMissing(outcome)}
        ${
          outcome?.ledger.length
            ? linkButton(t('Show attempts'), () => showTab(playground, lane.id, run, 'attempts'))
            : nothing
        }
      </p>
    </section>
    ${
      hasPartial
        ? html`<section class="sec">
            <h3>${t('What was received')}</h3>
            ${partial}
          </section>`
        : nothing
    }
    ${renderCauses(outcome?.error?.causes ?? [])}`;
}

function describeMissing(outcome: RunOutcome | undefined): string {
  switch (outcome?.error?.code) {
    case 'http':
      return t('The server answered with an error; the tab Wire shows its answer.');
    case 'response-format':
      return t('The answer of the server cannot be read as a reply; the tab Wire shows it.');
    default:
      return outcome?.partial ? t('The reply is not complete.') : t('No reply was received.');
  }
}

function renderRaw(inspected: Inspected, reply: ReplyView): TemplateResult {
  const { playground, lane, run } = inspected;
  const { raw } = reply;
  const copy = async (): Promise<void> => {
    const isCopied = await copyOutcomeJson(
      playground,
      { laneId: lane.id, run },
      { path: 'reply.raw', value: raw },
    );
    if (isCopied === undefined) return;
    playground.notify(isCopied ? t('RawAssistant copied as JSON.') : t('RawAssistant could not be copied.'));
  };
  return html`<section class="sec">
    <h3>
      RawAssistant
      <span class="push">${iconButton(t('Copy RawAssistant as JSON'), 'copy', () => void copy())}</span>
    </h3>
    <dl class="kv">
      <dt>content</dt>
      <dd>${renderContent(inspected, raw.content, 'reply.raw.content')}</dd>
      <dt>toolCalls</dt>
      <dd>${describeCalls(run, reply)} ${renderRescueLink(inspected, reply)}</dd>
      ${
        raw.reasoning === undefined
          ? nothing
          : html`<dt>reasoning</dt>
              <dd>${renderContent(inspected, raw.reasoning, 'reply.raw.reasoning')}</dd>`
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

function renderContent({ playground, lane, run }: Inspected, text: string, path: string): TemplateResult {
  const { length, read } = readOutcomeText(playground, { laneId: lane.id, run }, path);
  return html`<pg-content-value .text=${text} .length=${length} .read=${read}></pg-content-value>`;
}

function describeCalls(run: RunEntry, { raw, toolCalls, rescue }: ReplyView): TemplateResult {
  const native = countAt(run, 'reply.raw.toolCalls', raw.toolCalls);
  if (native > 0) {
    const text = native === 1 ? t('{0} native call: {1}') : t('{0} native calls: {1}');
    const names = html`<code
      >${renderCut(native > raw.toolCalls.length ? listNames(raw.toolCalls) : countNames(raw.toolCalls))}</code
    >`;
    return html`${sentence(text, formatCount(native), names)}`;
  }
  const rescued = countAt(run, 'reply.toolCalls', toolCalls);
  const possible = countAt(run, 'reply.rescue.calls', rescue?.calls);
  const left = countAt(run, 'reply.rescue.rejected', rescue?.rejected);
  const parts = [
    t('no native call'),
    ...(rescued > 0 ? [t('{0} rescued from content', rescued)] : []),
    ...(rescued === 0 && possible > 0 ? [t('{0} would be rescued', possible)] : []),
    ...(left > 0 ? [t('{0} left as text', left)] : []),
  ];
  return html`<code>[]</code>, ${parts.join('; ')}`;
}

/** Such as `get_weather, search_flights`. */
const listNames = (calls: ReplyView['toolCalls']): string =>
  [...new Set(calls.map(({ name }) => name))].join(', ');

/** Such as `get_weather, search_flights ×12`. */
function countNames(calls: ReplyView['toolCalls']): string {
  const counts = new Map<string, number>();
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count > 1 ? `${name} ×${count}` : name)).join(', ');
}

function renderRescueLink({ playground, lane, run }: Inspected, { rescue }: ReplyView): unknown {
  if (!rescue || rescue.calls.length + rescue.rejected.length === 0) return nothing;
  return linkButton(t('Show in text'), () => showTab(playground, lane.id, run, 'rescue'));
}

function renderOptional(value: string | undefined): TemplateResult {
  return value === undefined
    ? html`<span class="muted">${t('not in the reply')}</span>`
    : html`<span class="mono">${jsonValue(value)}</span>`;
}
