// Opens a connection in a new playground, or adds it as a lane to the active one.
import { t } from '@vscode/l10n';
import { showMessage } from '../dialogs';
import { loadEngine } from '../load-engine';
import type { ActivePlaygrounds } from '../playground/active-session';
import { activeSession } from '../playground/active-session';
import type { PlaygroundPanels } from '../playground/playground-panels';
import type { Scratches } from '../playground/scratches/scratches';

export interface PlaygroundFront extends ActivePlaygrounds {
  panels: Pick<PlaygroundPanels, 'active' | 'openScratch'>;
  scratches: Pick<Scratches, 'create'>;
}

export interface LaneTarget {
  connection: string;
  /** If absent, the connection's own model is used. */
  model: string | undefined;
}

/** Opens a new playground with the default message and tools. */
export async function openInPlayground(
  { panels, scratches }: PlaygroundFront,
  { connection, model }: LaneTarget,
): Promise<void> {
  const { NEW_PLAYGROUND_TEXT } = await loadEngine();
  const lane = { id: 'a', connection, ...(model !== undefined && { model }) };
  const document = { ...(JSON.parse(NEW_PLAYGROUND_TEXT) as object), lanes: [lane] };
  panels.openScratch(scratches.create(`${JSON.stringify(document, null, 2)}\n`));
}

/**
 * Adds a lane with the settings of the last one. @throws RefusalError when the playground has the maximum number
 * of lanes.
 */
export async function addAsLane(front: PlaygroundFront, target: LaneTarget): Promise<void> {
  const session = await activeSession(front);
  if (!session) {
    void showMessage('information', t('No playground is active. Open one first.'));
    return;
  }
  await session.command(() => session.addLane(session.laneIds.at(-1), target));
}
