// The view *Tools*: the tools that the lanes offer, and the mocks that answer their calls. It runs the same runs
// as the chat.
import { t } from '@vscode/l10n';
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { boxText } from '../actions/typed-fields';
import { button } from '../components/controls/controls';
import { busyLaneIds, targetLaneIds } from '../lanes/lane-queries';
import { primaryAction } from '../lanes/primary-action';
import { runBlocker } from '../lanes/run-blocker';
import { renderLater } from '../later';
import type { PanelState } from '../state/panel-state';
import type { Playground } from '../playground';
import { CHAT_VIEW } from './chat-view';
import type { View } from './view';

export const TOOLS_VIEW: View = {
  id: 'tools',
  get label() {
    return t('Tools');
  },
  renderActions,
  watchedActions: (state) => [blockerOf(state), isRunPrimary(state), busyLaneIds(state.session).length],
  render: (playground) =>
    renderLater(() => html`<pg-tools-panel .playground=${playground}></pg-tools-panel>`),
  watched: ({ hasLaterParts }) => [hasLaterParts],
  run: CHAT_VIEW.run,
  stop: CHAT_VIEW.stop,
  // Activity is shown at the tab of the chat.
  isBusy: () => false,
  announce: CHAT_VIEW.announce,
};

const blockerOf = (state: PanelState): string | undefined =>
  runBlocker(state, targetLaneIds(state), boxText(state));

/** Without a tool, adding one is the primary action. */
const isRunPrimary = (state: PanelState): boolean =>
  (state.session.document?.tools.length ?? 0) > 0 && primaryAction(state, boxText(state)).kind === 'run';

function renderActions(playground: Playground): TemplateResult {
  const { state } = playground;
  const blocker = blockerOf(state);
  return html`<span class="run"
      >${button({
        label: t('Run'),
        icon: 'play',
        appearance: isRunPrimary(state) ? 'primary' : 'secondary',
        isDisabled: blocker !== undefined,
        title: blocker?.replaceAll('`', ''),
        onClick: () => void playground.run(),
      })}</span
    >
    <span class="stop"
      >${button({
        label: t('Stop'),
        icon: 'stop',
        isDisabled: busyLaneIds(state.session).length === 0,
        onClick: () => void playground.stop(),
      })}</span
    >`;
}
