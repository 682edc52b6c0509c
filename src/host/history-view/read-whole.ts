// Reads complete stored runs.
import { t } from '@vscode/l10n';
import type { ReadRun } from '../../session';
import { loadEngine } from '../load-engine';
import type { StoredRuns } from '../with-journal';
import { withJournal } from '../with-journal';
import type { RunNode } from './action-services';

/** @throws RefusalError when the run is no longer stored. */
export async function readWhole(pool: StoredRuns, { sessionId, run }: RunNode): Promise<ReadRun> {
  const { readRun, RefusalError } = await loadEngine();
  const found = await withJournal(pool, sessionId, (journal) => readRun(journal, run.runId));
  if (found) return found;
  throw new RefusalError({
    title: t('No longer in the history'),
    what: t('The run is no longer stored.'),
    why: t('The history is limited by `history.maxRuns` and `history.maxBytes`, or the run was deleted.'),
    next: t('Refresh the view.'),
  });
}

/** Run ids by session id, so that each journal is opened only once. */
export function bySession(nodes: readonly RunNode[]): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const { sessionId, run } of nodes) ids.set(sessionId, [...(ids.get(sessionId) ?? []), run.runId]);
  return ids;
}
