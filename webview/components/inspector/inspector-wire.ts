// The tab *Wire*: what was sent and received, attempt by attempt; each part can be opened in an editor.
import { t } from '@vscode/l10n';
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { Inspected } from './inspected';

export function renderWireTab({ playground, lane, run, isLive }: Inspected): TemplateResult {
  if (isLive || !run.outcome) {
    return html`<p class="muted">${t('Requests and answers are shown here when the run has ended.')}</p>`;
  }
  return html`<pg-wire-files
    .playground=${playground}
    .laneId=${lane.id}
    .runId=${run.id}
    .ledger=${run.outcome.ledger}
  ></pg-wire-files>`;
}
