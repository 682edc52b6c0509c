// Result of an embedding: summary line, warnings, how similar the texts are, and the dimension and length of each
// vector.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { billingOf } from '../../../src/protocol';
import type { EmbeddingOutcome, ErrorInfo, VectorView } from '../../../src/protocol';
import type { Billing } from '../../../src/types';
import { icon } from '../../icons';
import type { Playground } from '../../playground';
import { countOf, formatClock, formatCost, formatDuration, formatTokens, whyNoCost } from '../../text/format';
import { spellMarks } from '../../text/text-marks';
import { button } from '../controls/controls';
import { renderMarked } from '../controls/marked-text';
import { prose, renderCut } from '../controls/prose';
import { describeQueue } from '../../lanes/band';
import { renderFindings } from '../inspector/reply/findings-section';
import { renderSimilarity } from './similarity-table';
import { sentence } from '../../text/sentence';

export function renderEmbeddingResult(playground: Playground): TemplateResult {
  const { session, now } = playground.state;
  const { labels = [], since, queue, outcome } = session.embedding ?? {};
  if (since !== undefined) {
    return html`<p class="outcome o-busy">
      <span class="o-icon">${icon('busy', 'spin')}</span
      ><span class="num"
        ><b>${queue ? t('Waiting for its turn') : t('Embedding')}</b> ·
        ${countOf(labels.length, t('{0} text'), t('{0} texts'))}${describeQueue(queue)} ·
        ${formatClock(now - since)}</span
      >
    </p>`;
  }
  if (!outcome) return renderEmpty();
  if (outcome.error) return renderError(playground, outcome.error);
  if (!outcome.result) return renderEmpty();
  const { connections = [] } = session.environment ?? {};
  const billing = billingOf(connections.find(({ id }) => id === outcome.connectionId));
  return renderVectors({ labels, billing }, outcome, outcome.result);
}

function renderEmpty(): TemplateResult {
  return html`<div class="empty">
    ${icon('tool')}
    <p>
      ${t('Embed turns each text into a vector, and shows here how similar they are. The demo has an embedding model that needs no network.')}
    </p>
  </div>`;
}

function renderError(playground: Playground, error: ErrorInfo): TemplateResult {
  if (error.code === 'aborted')
    return html`<p class="muted">${t('Stopped. The texts were kept, the vectors were not.')}</p>`;
  const { title, what, why, next } = error;
  const lines = { what, why, next };
  return html`<div class="alert" role="alert">
    <h3><span class="s-error">${icon('error')}</span><span>${prose(title)}</span></h3>
    <dl>
      ${Object.entries(lines).map(([term, text]) =>
        text
          ? html`<dt>${term}</dt>
              <dd>${prose(text)}</dd>`
          : nothing,
      )}
    </dl>
    <div class="actions">
      ${button({ label: t('Show log'), onClick: () => void playground.send('log/show', {}) })}
    </div>
  </div>`;
}

function renderVectors(
  { labels, billing }: { labels: readonly string[]; billing: Billing },
  { connectionLabel, model, durationMs, attempts, usage }: EmbeddingOutcome,
  { vectors, similarity, findings }: NonNullable<EmbeddingOutcome['result']>,
): TemplateResult {
  const facts = [
    connectionLabel,
    formatDuration(durationMs),
    ...(attempts > 1 ? [countOf(attempts, t('{0} attempt'), t('{0} attempts'))] : []),
    formatTokens(usage),
    usage?.costUsd === undefined ? whyNoCost(billing) : formatCost(usage.costUsd),
  ];
  return html`<p class="num">
      ${sentence(t('{0} of {1}'), html`<b>${countOf(vectors.length, t('{0} vector'), t('{0} vectors'))}</b>`, html`<b>${renderCut(model, 200)}</b>`)}
      <span class="muted">· ${renderMarked(facts.join(' · '))}</span>
    </p>
    ${renderFindings(findings)} ${renderSimilarity(labels, similarity)}
    <section class="sec">
      <h2>${t('Vectors')}</h2>
      <div class="scroll" tabindex="0">
        <table class="num">
          <thead>
            <tr>
              <th>${t('Text')}</th>
              <th class="r">${t('Dimension')}</th>
              <th class="r">${t('Norm')}</th>
              <th>${t('First components')}</th>
            </tr>
          </thead>
          <tbody>
            ${vectors.map((vector, index) => renderVector(vector, index, labels[index] ?? ''))}
          </tbody>
        </table>
      </div>
    </section>`;
}

function renderVector({ dimension, norm, head }: VectorView, index: number, label: string): TemplateResult {
  const more = dimension > head.length ? ', …' : '';
  return html`<tr>
    <td>
      <span class="clip label" title=${spellMarks(label)}><b>${index + 1}</b> ${renderMarked(label)}</span>
    </td>
    <td class="r">${dimension}</td>
    <td class="r">${norm === null ? t('no number') : Number(norm.toPrecision(6))}</td>
    <td class="mono">${head.map((value) => value.toFixed(4)).join(', ')}${more}</td>
  </tr>`;
}
