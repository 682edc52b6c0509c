// The title of a lane: its model and its actions, and below them its connection.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { boxText } from '../../actions/typed-fields';
import { scrollToStart } from '../../focus/follow-end';
import { findButton, focusOnceDone, focusSoon, laneElement, messageBox } from '../../focus/focus';
import { icon } from '../../icons';
import {
  canEdit,
  connectionOf,
  currentLaneId,
  laneNumber,
  laneSettings,
  lastSent,
  modelOf,
} from '../../lanes/lane-queries';
import type { Proposal } from '../../lanes/proposals';
import { compareProposals } from '../../lanes/proposals';
import { laneBlocker, runBlocker } from '../../lanes/run-blocker';
import type { PanelState } from '../../state/panel-state';
import type { Playground } from '../../playground';
import { laneOf } from '../../state/session-state';
import { iconButton } from '../controls/controls';
import { renderMarked } from '../controls/marked-text';
import type { MenuGroup } from '../controls/menu-button';
import { setKey } from '../transcript/alert-card';

export const MAX_LANES = 8;

export function renderLaneTitle(playground: Playground, laneId: string): TemplateResult {
  const { state } = playground;
  const { session } = state;
  const connection = connectionOf(session, laneId);
  const lane = laneOf(session, laneId);
  const label = connection?.label ?? (laneSettings(session, laneId)?.connection || t('No connection'));
  const blocker = runLaneBlocker(state, laneId)?.replaceAll('`', '');
  const isCurrent = currentLaneId(state) === laneId;
  return html`<div class="lane-title">
    <button
      class="tool expand"
      type="button"
      aria-label=${t('Conversation of lane {0}', laneNumber(session, laneId))}
      aria-expanded=${isCurrent ? 'true' : 'false'}
      @click=${() => playground.setView({ laneId })}
    >
      ${icon(isCurrent ? 'down' : 'right')}
    </button>
    <h2>
      <span class="clip">${renderMarked(modelOf(session, laneId) || t('no model'))}</span>
      <span class="conn clamp">${renderMarked(label)}</span>
    </h2>
    ${
      connection?.needsKey && connection.hasKey
        ? iconButton(t('Set API key'), 'key', () => void setKey(playground, connection.id))
        : nothing
    }
    ${
      lane.run
        ? iconButton(t('Stop lane'), 'stop', () => void playground.stop([laneId]))
        : iconButton(
            t('Run lane'),
            'play',
            () => void runLane(playground, laneId),
            blocker !== undefined,
            blocker,
          )
    }
    ${iconButton(t('Lane settings'), 'settings', () => toggleSettings(playground, laneId))}
    ${iconButton(
      t('Clear conversation'),
      'clear',
      () => void clearLane(playground, laneId),
      lane.order.length === 0 || !canEdit(session),
    )}
    <pg-menu-button
      .label=${t('More actions')}
      .groups=${() => toActions(playground, laneId)}
    ></pg-menu-button>
  </div>`;
}

/** Why *Run lane* is disabled, if it is. A step that was sent can always be repeated. */
export function runLaneBlocker(state: PanelState, laneId: string): string | undefined {
  const { session } = state;
  const lane = laneOf(session, laneId);
  const blocker = laneBlocker(state, laneId);
  if (blocker !== undefined || lane.run || lastSent(lane)) return blocker;
  return runBlocker(state, [laneId], boxText(state));
}

/** Runs the message box and what is pending; if there is neither, repeats the last step. */
async function runLane(playground: Playground, laneId: string): Promise<void> {
  playground.setView({ laneId });
  const { state } = playground;
  const hasSent = lastSent(laneOf(state.session, laneId)) !== undefined;
  const isAnew = hasSent && runBlocker(state, [laneId], boxText(state)) !== undefined;
  await (isAnew ? playground.runAgain(laneId) : playground.run([laneId]));
}

export function toggleSettings(playground: Playground, laneId: string): void {
  const { openSettings } = playground.state.view;
  if (openSettings.includes(laneId)) closeSettings(playground, laneId);
  else openLaneSettings(playground, laneId);
}

/** @param field The field to focus. */
export function openLaneSettings(playground: Playground, laneId: string, field?: 'model'): void {
  const { openSettings } = playground.state.view;
  playground.setView({ laneId, openSettings: [...openSettings.filter((id) => id !== laneId), laneId] });
  void playground.readModels(connectionOf(playground.state.session, laneId)?.id ?? '');
  focusSoon(() => {
    const settings = laneElement(laneId)?.querySelector<HTMLElement>('.settings');
    if (settings) scrollToStart(settings);
    // Opens the list of models, ready for another choice.
    const model = settings?.querySelector<HTMLElement>('pg-combo-box input');
    if (field !== 'model') return settings?.querySelector('vscode-dropdown');
    model?.click();
    return model;
  });
}

export function closeSettings(playground: Playground, laneId: string): void {
  const { openSettings } = playground.state.view;
  playground.setView({ openSettings: openSettings.filter((id) => id !== laneId) });
  focusSoon(() => findButton(laneElement(laneId), t('Lane settings')));
}

async function clearLane(playground: Playground, laneId: string): Promise<void> {
  const goTo = focusOnceDone();
  await playground.send('conversation/clear', { laneIds: [laneId] });
  goTo(messageBox);
}

export async function addLane(
  playground: Playground,
  change?: Proposal['change'],
  copyOf?: string,
): Promise<void> {
  const params = { ...(copyOf === undefined ? {} : { copyOf }), ...(change ? { change } : {}) };
  const goTo = focusOnceDone();
  const laneId = await playground.addLane(params);
  if (laneId !== undefined) goTo(() => laneElement(laneId));
}

async function removeLane(playground: Playground, laneId: string): Promise<void> {
  const { laneIds } = playground.state.session;
  const place = laneIds.indexOf(laneId);
  const neighbour = laneIds[place + 1] ?? laneIds[place - 1] ?? '';
  const goTo = focusOnceDone();
  if (!(await playground.send('lane/remove', { laneId }))) return;
  playground.setView({ laneId: neighbour });
  goTo(() => laneElement(neighbour));
}

async function moveLane(playground: Playground, laneId: string, to: number): Promise<void> {
  const goTo = focusOnceDone();
  await playground.send('lane/move', { laneId, to });
  goTo(() => findButton(laneElement(laneId), t('More actions')));
}

function toActions(playground: Playground, laneId: string): MenuGroup[] {
  const { state } = playground;
  const { laneIds } = state.session;
  const place = laneIds.indexOf(laneId);
  const isFixed = !canEdit(state.session);
  const isFull = isFixed || laneIds.length >= MAX_LANES;
  return [
    { items: runActions(playground, laneId) },
    {
      items: [
        {
          label: t('Duplicate lane'),
          icon: 'copy',
          isDisabled: isFull,
          onSelect: () => void addLane(playground, undefined, laneId),
        },
        {
          label: t('Move left'),
          icon: 'leftwards',
          isDisabled: isFixed || place === 0,
          onSelect: () => void moveLane(playground, laneId, place - 1),
        },
        {
          label: t('Move right'),
          icon: 'rightwards',
          isDisabled: isFixed || place === laneIds.length - 1,
          onSelect: () => void moveLane(playground, laneId, place + 1),
        },
        ...(laneIds.length > 1
          ? [
              {
                label: t('Remove lane'),
                icon: 'remove' as const,
                isDisabled: isFixed,
                onSelect: () => void removeLane(playground, laneId),
              },
            ]
          : []),
      ],
    },
    {
      heading: t('Compare with'),
      items: isFull
        ? []
        : [
            ...compareProposals(state, laneId).map(({ label, change }) => ({
              label,
              onSelect: () => void addLane(playground, change, laneId),
            })),
            { label: t('another model…'), onSelect: () => void compareWithModel(playground, laneId) },
          ],
    },
  ];
}

async function compareWithModel(playground: Playground, laneId: string): Promise<void> {
  const added = await playground.addLane({ copyOf: laneId });
  if (added !== undefined) openLaneSettings(playground, added, 'model');
}

function runActions(playground: Playground, laneId: string): MenuGroup['items'] {
  const { state } = playground;
  const { session } = state;
  const lane = laneOf(session, laneId);
  const isOff = lane.run !== null || laneBlocker(state, laneId) !== undefined;
  const hasMessages = (session.document?.document.messages.length ?? 0) > 0;
  return [
    {
      label: t('Run agent'),
      icon: 'runAll',
      isDisabled: isOff,
      onSelect: () => void playground.run([laneId], { kind: 'agent' }),
    },
    {
      label: t('Step'),
      icon: 'step',
      isDisabled: isOff,
      onSelect: () => void playground.run([laneId], { kind: 'agent', isStepMode: true }),
    },
    {
      label: t('Run from the start'),
      icon: 'history',
      isDisabled: isOff || !hasMessages,
      onSelect: () => void playground.replay(laneId),
    },
    {
      label: t('Clear conversation'),
      icon: 'clear',
      isDisabled: lane.order.length === 0 || !canEdit(session),
      onSelect: () => void clearLane(playground, laneId),
    },
  ];
}
