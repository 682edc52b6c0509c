// The model's reasoning before its reply: folded, with its length. Text nodes only.
import { t } from '@vscode/l10n';
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { countOf } from '../../text/format';
import { icon } from '../../icons';
import { renderOmitted } from '../controls/omitted';

/** @param omitted Number of characters that came before `reasoning`. */
export function renderReasoning(reasoning: string, omitted = 0): TemplateResult {
  return html`<details class="fold">
    <summary>
      ${icon('right')}${countOf(omitted + reasoning.length, t('Reasoning, {0} character'), t('Reasoning, {0} characters'))}
    </summary>
    <p class="text muted">${renderOmitted(omitted)}<pg-long-text .text=${reasoning}></pg-long-text></p>
  </details>`;
}
