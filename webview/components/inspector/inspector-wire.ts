// The tab *Wire*: what was sent and received, attempt by attempt, and the prompt that the server makes of it.
import { t } from '@vscode/l10n';
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { Playground } from '../../playground';
import type { Inspected } from './inspected';

export function renderWireTab({ playground, lane, run, isLive }: Inspected): TemplateResult {
  if (isLive || !run.outcome) {
    return html`<p class="muted">${t('Requests and answers are shown here when the run has ended.')}</p>
      ${renderPrompt(playground, lane.id)}`;
  }
  return html`<pg-wire-files
    .playground=${playground}
    .laneId=${lane.id}
    .runId=${run.id}
    .ledger=${run.outcome.ledger}
    .prompt=${renderPrompt(playground, lane.id, run.id)}
  ></pg-wire-files>`;
}

/** @param runId The run whose request can be shown. @default only what would be sent now */
export const renderPrompt = (playground: Playground, laneId: string, runId?: string): TemplateResult =>
  html`<pg-rendered-prompt .playground=${playground} .laneId=${laneId} .runId=${runId}></pg-rendered-prompt>`;
