// Opens a connection in a new playground, or adds it as a lane to the active one.
import { t } from '@vscode/l10n';
import type { Session } from '../../session';
import { showMessage } from '../dialogs';
import { loadEngine } from '../load-engine';
import type { DocumentEditor } from '../playground/files/document-editor';
import { fileSessionId } from '../playground/files/file-backing';
import type { PlaygroundPanels } from '../playground/playground-panels';
import type { Scratches } from '../playground/scratches/scratches';
import type { SessionPool } from '../playground/session-pool';

export interface ActivePlaygrounds {
  panels: Pick<PlaygroundPanels, 'active' | 'openScratch'>;
  editor: Pick<DocumentEditor, 'active'>;
  scratches: Pick<Scratches, 'create'>;
  pool: Pick<SessionPool, 'find'>;
}

export interface LaneTarget {
  connection: string;
  /** If absent, the connection's own model is used. */
  model: string | undefined;
}

/** Opens a new playground with the default message and tools. */
export async function openInPlayground(
  { panels, scratches }: ActivePlaygrounds,
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
export async function addAsLane(front: ActivePlaygrounds, target: LaneTarget): Promise<void> {
  const session = await activeSession(front);
  if (!session) {
    void showMessage('information', t('No playground is active. Open one first.'));
    return;
  }
  await session.command(() => session.addLane(session.laneIds.at(-1), target));
}

async function activeSession({ panels, editor, pool }: ActivePlaygrounds): Promise<Session | undefined> {
  const id = panels.active?.id ?? (editor.active && fileSessionId(editor.active.uri));
  return id === undefined ? undefined : pool.find(id);
}
