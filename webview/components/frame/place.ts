// Where requests leave from: the machine, and thus the one that `localhost` means, or the editor that passes them on.
import { t } from '@vscode/l10n';
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { isAllInEditor } from '../../lanes/lane-queries';
import type { SessionState } from '../../state/session-state';

/** @returns undefined as long as the place is not known */
export function renderPlace(session: SessionState): TemplateResult | undefined {
  if (!session.environment) return undefined;
  return isAllInEditor(session)
    ? html`<span>${t('VS Code sends the requests')}</span>`
    : html`<span>${t('Requests leave from:')} ${session.environment.requestsLeaveFrom}</span>`;
}
