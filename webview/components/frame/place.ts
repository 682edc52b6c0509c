// The machine that requests leave from, and thus the one that `localhost` means.
import { t } from '@vscode/l10n';
import { html } from 'lit';
import type { TemplateResult } from 'lit';

export function renderPlace(place: string): TemplateResult {
  return html`<span>${t('Requests leave from:')} ${place}</span>`;
}
