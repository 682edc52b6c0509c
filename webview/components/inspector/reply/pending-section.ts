// The tab *Reply* before the reply is complete: what has arrived so far. Text nodes only.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { LiveReplyView } from '../../../../src/protocol';
import { liveReply } from '../../../lanes/lane-queries';
import { countBegunAttempts, countOf, formatCount, toCharacterStart, toOneLine } from '../../../text/format';
import { jsonValue } from '../../controls/json-text';
import { renderMarked } from '../../controls/marked-text';
import { renderOmitted } from '../../controls/omitted';
import { renderCut } from '../../controls/prose';
import type { Inspected } from '../inspected';
import { sentence } from '../../../text/sentence';

/** In characters. The lane shows the whole text; the end is enough here. */
const END_LENGTH = 600;

export function renderPending({ lane, run }: Pick<Inspected, 'lane' | 'run'>): TemplateResult {
  const reply = liveReply(lane, run.id);
  const progress = lane.progress?.runId === run.id ? lane.progress : undefined;
  const isReading = progress?.phase === 'reading';
  return html`<section class="sec">
    <h3>${isReading ? t('Reading the reply') : t('No reply yet')}</h3>
    <dl class="kv">
      <dt>content</dt>
      <dd>${renderEnd(reply?.content ?? '', reply?.omitted.content ?? 0)}</dd>
      <dt>toolCalls</dt>
      <dd>${renderCalls(reply)}</dd>
      ${
        reply?.reasoning
          ? html`<dt>reasoning</dt>
              <dd class="muted">
                ${countOf(reply.reasoning.length + reply.omitted.reasoning, t('{0} character so far'), t('{0} characters so far'))}
              </dd>`
          : nothing
      }
      <dt>usage</dt>
      <dd class="muted">${t('sent by the server at the end')}</dd>
      <dt>attempts</dt>
      <dd class="mono">${jsonValue(countBegunAttempts(progress))}</dd>
    </dl>
  </section>`;
}

function renderEnd(text: string, omitted: number): TemplateResult {
  if (text === '') return html`<span class="muted">${t('none yet')}</span>`;
  const start = toCharacterStart(text, Math.max(0, text.length - END_LENGTH));
  return html`${renderOmitted(omitted + start)}<span class="mono"
      >${renderMarked(toOneLine(text.slice(start)))}</span
    >`;
}

function renderCalls(reply: LiveReplyView | undefined): TemplateResult {
  if (!reply || reply.toolCalls.length === 0) return html`<span class="muted">${t('none yet')}</span>`;
  const count = reply.toolCalls.length + reply.omitted.toolCalls;
  const names = reply.toolCalls.map(({ name }) => name || t('(no name yet)')).join(', ');
  const text = count === 1 ? t('{0} native call so far: {1}') : t('{0} native calls so far: {1}');
  return html`${sentence(text, formatCount(count), html`<code>${renderCut(names)}</code>`)}`;
}
