// The model's reasoning before its reply: folded, with its length. Text nodes only.
import { t } from '@vscode/l10n';
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { countOf } from '../../text/format';
import { icon } from '../../icons';
import type { ReadText } from '../controls/long-text';
import { renderOmitted } from '../controls/omitted';

interface ReasoningRest {
  /** Number of characters that came before `reasoning`. */
  omitted?: number;
  /** Length of the whole text where the panel has only its beginning, and how to read it. */
  length?: number | undefined;
  read?: ReadText;
}

export function renderReasoning(
  reasoning: string,
  { omitted = 0, length = 0, read }: ReasoningRest = {},
): TemplateResult {
  const count = omitted + Math.max(length, reasoning.length);
  return html`<details class="fold">
    <summary>
      ${icon('right')}${countOf(count, t('Reasoning, {0} character'), t('Reasoning, {0} characters'))}
    </summary>
    <p class="text muted">
      ${renderOmitted(omitted)}<pg-long-text
        .text=${reasoning}
        .length=${length}
        .read=${read}
      ></pg-long-text>
    </p>
  </details>`;
}
