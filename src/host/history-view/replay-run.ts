// Sends the request of a stored run again, byte for byte, and opens the new run, which is stored beside it in the
// history.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { loadEngine } from '../load-engine';
import { withJournal } from '../with-journal';
import type { ActionServices, RunNode } from './action-services';
import { readWhole } from './read-whole';
import { titleOfRun } from './run-words';
import { toSignal } from '../to-signal';

/** @throws RefusalError when the sent bytes were not stored. */
export async function replayRun(view: ActionServices, node: RunNode): Promise<void> {
  const { history, pool, refresh, wire } = view;
  const { sessionId, run } = node;
  const { PROVIDER_CATALOG: catalog, replayRun: replay } = await loadEngine();
  const found = await readWhole(pool, node);
  const services = await pool.stepServices();
  const connections = await services.connections.views();
  const parts = { ...services, knownConnections: () => connections };
  const { runId, model, startedAt } = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: t('Sending again: {0}', titleOfRun(run)),
      cancellable: true,
    },
    (_progress, token) =>
      withJournal(pool, sessionId, (journal) =>
        replay(journal, parts, found, { question: run.question, signal: toSignal(token), catalog }),
      ),
  );
  await refresh();
  // As the tree opens it, so that both have the same tab.
  const stored = (await history.runs(sessionId)).find((one) => one.runId === runId);
  await (await wire.services()).openRun(sessionId, stored ?? { runId, model, at: startedAt });
}
