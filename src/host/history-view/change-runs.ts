// Pins, renames and deletes stored runs.
import { t } from '@vscode/l10n';
import { deleteRuns as deleteStored, MAX_RUN_NAME, nameRun as appendName, pinRun } from '../../session';
import { askForText, showMessage } from '../dialogs';
import { readHistoryLimits } from '../playground/settings/history-limits';
import { withJournal } from '../with-journal';
import type { ActionServices, RunNode } from './action-services';
import { countRuns, titleOfRun } from './run-words';
import { bySession } from './read-whole';

export async function pinRuns(
  services: ActionServices,
  nodes: readonly RunNode[],
  isPinned: boolean,
): Promise<void> {
  const { pool, history, refresh } = services;
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
  await refresh();
}

export async function nameRun({ pool, refresh }: ActionServices, node: RunNode): Promise<void> {
  const given = await askForText({
    title: t('Name Run: {0}', titleOfRun(node.run)),
    prompt: t('The name in the history. Empty: the message is shown.'),
    value: node.run.name ?? '',
    validate: (value) =>
      value.length > MAX_RUN_NAME ? t('At most {0} characters.', MAX_RUN_NAME) : undefined,
  });
  if (given === undefined) return;
  await withJournal(pool, node.sessionId, (journal) => appendName(journal, node.run.runId, given));
  await refresh();
}

/** Names a single run, because the selected item need not be the focused one. */
function describeMany(nodes: readonly RunNode[]): string {
  const [only, ...more] = nodes;
  return only && more.length === 0 ? `“${titleOfRun(only.run)}”` : countRuns(nodes.length);
}

export async function deleteRuns(
  { pool, refresh }: ActionServices,
  nodes: readonly RunNode[],
): Promise<void> {
  const confirm = t('Delete');
  const answer = await showMessage(
    'warning',
    t('Delete {0} from the history?', describeMany(nodes)),
    {
      modal: true,
      detail: t(
        'The requests and replies are deleted from disk. Playgrounds stay, but their conversations lose the reply. This cannot be undone.',
      ),
    },
    confirm,
  );
  if (answer !== confirm) return;
  for (const [sessionId, runIds] of bySession(nodes)) {
    await withJournal(pool, sessionId, (journal) => deleteStored(journal, runIds));
  }
  await refresh();
}
