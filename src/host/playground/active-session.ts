// The session of the playground whose tab is active.
import type { Session } from '../../session';
import type { DocumentEditor } from './files/document-editor';
import { fileSessionId } from './files/file-backing';
import type { PlaygroundPanels } from './playground-panels';
import type { SessionPool } from './session-pool';

export interface ActivePlaygrounds {
  panels: Pick<PlaygroundPanels, 'active'>;
  editor: Pick<DocumentEditor, 'active'>;
  pool: Pick<SessionPool, 'find'>;
}

export async function activeSession(front: ActivePlaygrounds): Promise<Session | undefined> {
  const { panels, editor, pool } = front;
  const id = panels.active?.id ?? (editor.active && fileSessionId(editor.active.uri));
  return id === undefined ? undefined : pool.find(id);
}
