// Pins, renames and deletes stored runs, and deletes evaluations with them.
import { t } from '@vscode/l10n';
import { deleteRuns as deleteStored, MAX_RUN_NAME, nameRun as appendName, pinRun } from '../../session';
import { askForText, showMessage } from '../dialogs';
import { readHistoryLimits } from '../playground/settings/history-limits';
import { readRecordingId } from '../recording/recording-id';
import { withJournal } from '../with-journal';
import type { ActionServices, RunNode, StoredNodes } from './action-services';
import { removeEvaluations } from './change-evaluations';
import { countEvaluations, titleOfEvaluation } from './evaluation-words';
import { countRuns, titleOfRun } from './run-words';
import { bySession } from './read-whole';

export async function pinRuns(
  services: ActionServices,
  nodes: readonly RunNode[],
  isPinned: boolean,
): Promise<void> {
  const { pool, history } = services;
  const most = Math.floor(readHistoryLimits().maxRuns / 2);
  for (const [sessionId, runIds] of bySession(nodes)) {
    const pinned = (await history.runs(sessionId)).filter((run) => run.isPinned).map(({ runId }) => runId);
    if (isPinned && new Set([...pinned, ...runIds]).size > most) {
      void showMessage(
        'warning',
        t(
          'At most {0} can be pinned in one playground, half of `history.maxRuns`. Unpin others first, or raise the setting.',
          countRuns(most),
        ),
      );
      // Runs of other playgrounds may be pinned already.
      break;
    }
    await withJournal(pool, sessionId, (journal) => {
      for (const runId of runIds) pinRun(journal, runId, isPinned);
    });
  }
}

export async function nameRun({ pool }: ActionServices, node: RunNode): Promise<void> {
  const given = await askForText({
    title: t('Name Run: {0}', titleOfRun(node.run)),
    prompt: t('The name in the history. Empty: the message is shown.'),
    value: node.run.name ?? '',
    validate: (value) =>
      value.length > MAX_RUN_NAME ? t('At most {0} characters.', MAX_RUN_NAME) : undefined,
  });
  if (given === undefined) return;
  await withJournal(pool, node.sessionId, (journal) => appendName(journal, node.run.runId, given));
}

/** Names a single one, because the selected item need not be the focused one. */
function describeMany({ runs, evaluations }: StoredNodes): string {
  const [only, ...more] = [
    ...runs.map(({ run }) => titleOfRun(run)),
    ...evaluations.map(({ evaluation }) => titleOfEvaluation(evaluation)),
  ];
  if (only !== undefined && more.length === 0) return `“${only}”`;
  const counts = [
    runs.length > 0 ? countRuns(runs.length) : '',
    evaluations.length > 0 ? countEvaluations(evaluations.length) : '',
  ];
  return counts.filter(Boolean).join(', ');
}

export async function deleteStoredNodes(services: ActionServices, nodes: StoredNodes): Promise<void> {
  const confirm = t('Delete');
  const answer = await showMessage(
    'warning',
    t('Delete {0} from the history?', describeMany(nodes)),
    {
      modal: true,
      detail:
        nodes.runs.length > 0
          ? t(
              'The requests and replies are deleted from disk. Playgrounds stay, but their conversations lose the reply. This cannot be undone.',
            )
          : t(
              'The samples are deleted from disk with their requests and replies, also those that a later evaluation has taken over. This cannot be undone.',
            ),
    },
    confirm,
  );
  if (answer !== confirm) return;
  for (const [sessionId, runIds] of bySession(nodes.runs)) {
    const stored = readRecordingId(sessionId) ? await services.history.runs(sessionId) : [];
    // Of a recording, requests that are no runs would stay, and be seen nowhere.
    if (stored.length > 0 && stored.every(({ runId }) => runIds.includes(runId)))
      await services.recordings.remove(sessionId);
    else await withJournal(services.pool, sessionId, (journal) => deleteStored(journal, runIds));
  }
  await removeEvaluations(services, nodes.evaluations);
}
