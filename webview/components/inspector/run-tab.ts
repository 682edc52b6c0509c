// One tab of a run in the inspector, of a conversation or a sample; what the history no longer has is said in every tab.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { InspectorTab } from '../../../src/types';
import { isNotKept } from '../../lanes/lane-queries';
import { linkButton } from '../controls/controls';
import { prose } from '../controls/prose';
import type { Inspected } from './inspected';
import { renderAttemptsTab } from './inspector-attempts';
import { renderCallsTab } from './inspector-calls';
import { renderWireTab } from './inspector-wire';
import { renderReplyTab } from './reply/inspector-reply';
import { renderRescueTab } from './rescue/inspector-rescue';

const RENDERERS: Readonly<Record<InspectorTab, (inspected: Inspected) => unknown>> = {
  reply: renderReplyTab,
  'tool-calls': renderCallsTab,
  rescue: renderRescueTab,
  attempts: renderAttemptsTab,
  wire: renderWireTab,
};

export const renderRunTab = (tab: InspectorTab, inspected: Inspected): unknown =>
  isNotKept(inspected.run) ? renderNotKept(inspected) : RENDERERS[tab](inspected);

export function renderNotKept({ playground, run }: Pick<Inspected, 'playground' | 'run'>): unknown {
  const { error } = run.outcome ?? {};
  if (!error) return nothing;
  const { title, what, why, next } = error;
  return html`<section class="sec">
    <h3>${prose(title)}</h3>
    <p>${prose(what)}</p>
    <p class="muted">
      ${prose([why, next].filter(Boolean).join(' '))}
      ${linkButton(t('Open settings'), () => void playground.send('settings/open', {}))}
    </p>
  </section>`;
}
