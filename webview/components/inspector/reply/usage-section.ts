// Token counts as a bar with the numbers in words, and the cost. A count that the server did not send is absent,
// never 0.
import { t } from '@vscode/l10n';
import { html, nothing, svg } from 'lit';
import type { TemplateResult } from 'lit';
import type { ReplyView } from '../../../../src/protocol';
import type { Billing, TokenRates } from '../../../../src/types';
import { formatCost, formatCount, formatDuration } from '../../../text/format';

interface TokenShare {
  id: 'cached' | 'prompt' | 'completion';
  tokens: number;
  label: string;
}

export function renderUsage(usage: ReplyView['usage'], billing: Billing, rates?: TokenRates): TemplateResult {
  const parts = toParts(usage);
  return html`<section class="sec">
    <h3>${t('Tokens and cost')}</h3>
    ${parts.length > 0 ? renderBar(parts, usage) : html`<p class="muted">${t('The reply has no token counts.')}</p>`}
    <dl class="kv">
      ${
        usage.cachedTokens === 0
          ? html`<dt>${t('cached')}</dt>
              <dd>${t('0 of the prompt')}</dd>`
          : nothing
      }
      ${
        usage.reasoningTokens === undefined
          ? nothing
          : html`<dt>${t('reasoning')}</dt>
              <dd>${t('{0} of the completion', formatCount(usage.reasoningTokens))}</dd>`
      }
      ${rates ? renderRates(rates) : nothing}
      <dt>costUsd</dt>
      <dd>${usage.costUsd === undefined ? NO_COST[billing]() : formatCost(usage.costUsd)}</dd>
    </dl>
  </section>`;
}

/** Tokens per second, and whether the server measured them or the panel. */
function renderRates({ promptPerSecond, completionPerSecond, loadMs, source }: TokenRates): TemplateResult {
  const whose = source === 'server' ? t('by the clock of the server') : t('measured from arrival times');
  return html`${
    promptPerSecond === undefined
      ? nothing
      : html`<dt>${t('prompt speed')}</dt>
          <dd class="num">
            ${t('{0} tokens per second', formatRate(promptPerSecond))} <span class="muted">${whose}</span>
          </dd>`
  }
  ${
    completionPerSecond === undefined
      ? nothing
      : html`<dt>${t('reply speed')}</dt>
          <dd class="num">
            ${t('{0} tokens per second', formatRate(completionPerSecond))} <span class="muted">${whose}</span>
          </dd>`
  }
  ${
    loadMs === undefined
      ? nothing
      : html`<dt>${t('loading')}</dt>
          <dd class="num">${t('{0} until the model was ready', formatDuration(loadMs))}</dd>`
  }`;
}

/** Rounds to whole numbers from ten on, where decimals mean nothing. */
const formatRate = (rate: number): string => (rate >= 10 ? formatCount(Math.round(rate)) : String(rate));

const NO_COST: Readonly<Record<Billing, () => string>> = {
  rates: () => t('no usage: the reply has no token counts'),
  free: () => t('none: the demo and servers of your own cost nothing, unless you give them rates'),
  quota: () => t('not told: VS Code says nothing of what its models cost'),
  unknown: () => t('not set: this connection has no rates'),
};

function toParts({ promptTokens, completionTokens, cachedTokens }: ReplyView['usage']): TokenShare[] {
  const parts: TokenShare[] = [];
  const cached = Math.min(cachedTokens ?? 0, promptTokens ?? 0);
  if (cached > 0) parts.push({ id: 'cached', tokens: cached, label: t('prompt, from the cache') });
  if (promptTokens !== undefined)
    parts.push({
      id: 'prompt',
      tokens: promptTokens - cached,
      label: cached > 0 ? t('prompt, not from the cache') : t('prompt'),
    });
  if (completionTokens !== undefined)
    parts.push({ id: 'completion', tokens: completionTokens, label: t('completion') });
  return parts;
}

function renderBar(
  parts: TokenShare[],
  { promptTokens, completionTokens }: ReplyView['usage'],
): TemplateResult {
  const total = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  const isWhole = promptTokens !== undefined && completionTokens !== undefined;
  let start = 0;
  const bars = parts.map(({ id, tokens }) => {
    const x = start;
    start += tokens;
    return svg`<rect class="t-${id}" x="${share(x, total)}%" width="${share(tokens, total)}%" height="8"></rect>`;
  });
  return html`<div class="tokens">
    <svg class="track" width="100%" height="8" aria-hidden="true">${HATCH}${bars}</svg>
    <p class="legend num">
      ${parts.map(({ id, tokens, label }) => html`<span>${swatch(id)}${formatCount(tokens)} ${label}</span>`)}
      ${isWhole ? html`<span class="muted">${t('{0} in all', formatCount(total))}</span>` : nothing}
    </p>
  </div>`;
}

/** The cached part is hatched, so that it differs from the prompt by more than its colour. */
const HATCH = svg`<defs><pattern id="hatch-cached" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
  <line class="hatch-cached" x1="1" y1="0" x2="1" y2="4" stroke-width="2"></line></pattern></defs>`;

function swatch(id: TokenShare['id']): TemplateResult {
  return html`<svg class="swatch" width="8" height="8" aria-hidden="true">
    <rect class="t-${id}" width="8" height="8"></rect>
  </svg>`;
}

function share(part: number, total: number): string {
  return ((total > 0 ? part / total : 0) * 100).toFixed(2);
}
