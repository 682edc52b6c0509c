// The tab *Reply* before there is a reply: what has come so far, on the way to a RawAssistant. Text nodes only.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { countBegunTries, countOf, toOneLine } from '../format';
import type { LiveReply, PlaygroundState, RunEntry } from '../state';
import { liveReply } from '../state';
import { jsonValue } from './json-text';
import { renderOmitted } from './omitted';
import { cut } from './prose';

/** The lane has all of it; here its end is enough. */
const END_LENGTH = 600;

export function renderPending(state: PlaygroundState, run: RunEntry): TemplateResult {
  const isReading = state.progress?.phase === 'reading';
  const reply = liveReply(state, run);
  return html`<section class="sec">
    <h3>${isReading ? 'Reading the reply' : 'No reply yet'}</h3>
    <dl class="kv">
      <dt>content</dt>
      <dd>${renderEnd(reply?.content ?? '', reply?.omitted.content ?? 0)}</dd>
      <dt>toolCalls</dt>
      <dd>${renderCalls(reply)}</dd>
      ${
        reply?.reasoning
          ? html`<dt>reasoning</dt>
              <dd class="muted">
                ${countOf(reply.reasoning.length + reply.omitted.reasoning, 'character')} so far
              </dd>`
          : nothing
      }
      <dt>usage</dt>
      <dd class="muted">sent by the server at the end</dd>
      <dt>attempts</dt>
      <dd class="mono">${jsonValue(countBegunTries(state.progress))}</dd>
    </dl>
  </section>`;
}

function renderEnd(text: string, omitted: number): TemplateResult {
  if (text === '') return html`<span class="muted">none yet</span>`;
  const start = Math.max(0, text.length - END_LENGTH);
  return html`${renderOmitted(omitted + start)}<span class="mono">${toOneLine(text.slice(start))}</span>`;
}

function renderCalls(reply: LiveReply | undefined): TemplateResult {
  if (!reply || reply.toolCalls.length === 0) return html`<span class="muted">none yet</span>`;
  const count = reply.toolCalls.length + reply.omitted.toolCalls;
  const names = reply.toolCalls.map(({ name }) => name || '(no name yet)').join(', ');
  return html`${countOf(count, 'native call')} so far: <code>${cut(names)}</code>`;
}
