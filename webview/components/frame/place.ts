// Which machine requests leave from, and so which one `localhost` is.
import { t } from '@vscode/l10n';
import { html } from 'lit';
import type { TemplateResult } from 'lit';

export function renderPlace(place: string): TemplateResult {
  return html`<span>${t('Requests leave from:')} ${place}</span>`;
}
