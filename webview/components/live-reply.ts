// A reply while it is being written, with a caret at its end. Nothing is judged yet: a call is the text it comes as.
// Text nodes only.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { findCallOpener } from '../call-opener';
import { countOf } from '../format';
import type { LiveReply } from '../state';
import { renderOmitted } from './omitted';
import { renderReasoning } from './reasoning-fold';

const CARET = html`<span class="caret" aria-hidden="true"></span>`;

interface Part {
  /** Set in bold before the text. */
  name?: string;
  text: string;
  isCode: boolean;
}

export function renderLiveReply(reply: LiveReply): TemplateResult {
  const { content, reasoning, toolCalls, omitted } = reply;
  const calls = toolCalls.map((call) => ({ name: call.name, text: call.arguments, isCode: true }));
  const parts: Part[] = [...toParts(content), ...calls];
  const more = omitted.toolCalls > 0 ? `… ${countOf(omitted.toolCalls, 'more call')} ` : '';
  const hasTail = more !== '' || parts.length === 0;
  return html`${reasoning ? renderReasoning(reasoning, omitted.reasoning) : nothing}
  ${renderOmitted(omitted.content)}
  ${parts.map((part, index) => renderPart(part, hasTail || index < parts.length - 1 ? nothing : CARET))}
  ${hasTail ? html`<p class="text muted">${more}${CARET}</p>` : nothing}`;
}

/** Prose, then what looks like a call, as it is written. */
function toParts(content: string): Part[] {
  const opener = findCallOpener(content);
  if (opener < 0) return content === '' ? [] : [{ text: content, isCode: false }];
  const prose = content.slice(0, opener).trimEnd();
  const call = { text: content.slice(opener), isCode: true };
  return prose === '' ? [call] : [{ text: prose, isCode: false }, call];
}

function renderPart({ name, text, isCode }: Part, caret: unknown): TemplateResult {
  return html`<p class=${isCode ? 'text live mono' : 'text live'}>
    ${name === undefined ? nothing : html`<b>${name || '(no name yet)'}</b> `}<span class="pre">${text}</span
    >${caret}
  </p>`;
}
