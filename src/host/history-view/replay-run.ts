// Sends the request of a stored run again, byte for byte, and opens the new run, which is stored beside it in the
// history.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { loadEngine } from '../load-engine';
import { withJournal } from '../with-journal';
import type { ActionServices, RunNode } from './actions';
import { readWhole } from './read-whole';
import { titleOfRun } from './run-words';

/** @throws RefusalError when the sent bytes were not stored. */
export async function replayRun(view: ActionServices, node: RunNode): Promise<void> {
  const { pool, refresh, wire } = view;
  const { sessionId, run } = node;
  const { replayRun: replay } = await loadEngine();
  const found = await readWhole(pool, node);
  const services = await pool.stepServices();
  const connections = await services.connections.views();
  const parts = { ...services, knownConnections: () => connections };
  const { runId } = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: t('Sending again: {0}', titleOfRun(run)),
      cancellable: true,
    },
    (_progress, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort(new Error('stopped')));
      return withJournal(pool, sessionId, (journal) =>
        replay(journal, parts, found, { question: run.question, signal: stop.signal }),
      );
    },
  );
  await refresh();
  await (await wire.services()).openRun(sessionId, runId);
}
