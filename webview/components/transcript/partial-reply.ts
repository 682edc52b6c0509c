// What had arrived of a reply that was never completed: not a reply, but evidence. Text nodes only.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { LiveReplyView, RunOutcome } from '../../../src/protocol';
import { countOf } from '../../text/format';
import { renderMarked } from '../controls/marked-text';
import { renderOmitted } from '../controls/omitted';
import { renderReasoning } from './reasoning-fold';

export const renderPartialReply = ({ partial }: RunOutcome): unknown =>
  partial ? renderPieces(partial) : nothing;

function renderPieces({ content, reasoning, toolCalls, omitted }: LiveReplyView): TemplateResult {
  return html`<div class="partial">
    ${reasoning === '' ? nothing : renderReasoning(reasoning, { omitted: omitted.reasoning })}
    ${renderOmitted(omitted.content)} ${content === '' ? nothing : renderText(content)}
    ${toolCalls.map(
      ({ name, arguments: text }) =>
        html`<p class="text mono">
          <b>${renderMarked(name) || t('(no name yet)')}</b> <pg-long-text .text=${text}></pg-long-text>
        </p>`,
    )}
    ${omitted.toolCalls > 0 ? html`<p class="muted">… ${countOf(omitted.toolCalls, t('{0} more call'), t('{0} more calls'))}</p>` : nothing}
  </div>`;
}

const renderText = (text: string): TemplateResult =>
  html`<p class="text"><pg-long-text .text=${text}></pg-long-text></p>`;
