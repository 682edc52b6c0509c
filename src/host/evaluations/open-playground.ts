// Opens the session of a playground file for as long as it is evaluated.
import * as vscode from 'vscode';
import type { EvaluationPlaces, Session } from '../../session';
import { loadEngine } from '../load-engine';
import { FileBacking } from '../playground/files/file-backing';
import type { SessionPool } from '../playground/session-pool';

/** An open playground, and where the parts of its evaluation stand in its text. */
export interface OpenPlayground {
  session: Session;
  /** Undefined when it expects nothing by now, or is not JSON. */
  places: EvaluationPlaces | undefined;
  release: () => void;
}
export type OpenFile = (uri: vscode.Uri) => Promise<OpenPlayground>;

export async function openPlayground(
  pool: Pick<SessionPool, 'acquire'>,
  uri: vscode.Uri,
): Promise<OpenPlayground> {
  const { findEvaluationPlaces } = await loadEngine();
  const document = await vscode.workspace.openTextDocument(uri);
  const lease = await pool.acquire(new FileBacking(document));
  await hasConnections(lease.session);
  return { ...lease, places: findEvaluationPlaces(document.getText()) };
}

/** Until the connections are known, no lane can be evaluated. */
async function hasConnections(session: Session): Promise<void> {
  if (session.environment) return;
  await new Promise<void>((resolve) => {
    const stop = session.onDidChange(() => {
      if (!session.environment) return;
      stop();
      resolve();
    });
  });
}
