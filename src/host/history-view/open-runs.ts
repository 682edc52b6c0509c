// Opens stored runs as a document with all details, in their playground, or as a new playground. Sends nothing.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { playgroundOfRun } from '../../session';
import { EDITOR_VIEW_TYPE } from '../contributions';
import { showMessage } from '../dialogs';
import { uriOfSession } from '../playground/file-backing';
import type { ActionServices, RunNode } from './action-services';
import type { HistoryNode } from './history-tree';
import { readWhole } from './read-whole';

export async function openRun({ wire }: ActionServices, { sessionId, run }: RunNode): Promise<void> {
  await (await wire.services()).openRun(sessionId, run);
}

/** @param node A playground node, or one below it; of a run, the playground shows that run. */
export async function openPlayground(
  { panels, pool, scratches }: ActionServices,
  node: HistoryNode,
): Promise<void> {
  const { sessionId } = node;
  if (node.kind === 'run') pool.wanted.ask(sessionId, node.run.runId);
  const uri = uriOfSession(sessionId);
  if (!uri) {
    if (sessionId.startsWith('scratch:')) {
      panels.openScratch(await scratches.open(sessionId.slice('scratch:'.length)));
    }
    return;
  }
  const isThere = await Promise.resolve(vscode.workspace.fs.stat(uri)).then(
    () => true,
    () => false,
  );
  if (isThere) {
    await vscode.commands.executeCommand('vscode.openWith', uri, EDITOR_VIEW_TYPE);
    return;
  }
  void showMessage(
    'information',
    t(
      'The file of this playground is gone. Its runs can still be opened, compared and sent from a new playground.',
    ),
  );
}

export async function openInNewPlayground(
  { panels, pool, scratches }: ActionServices,
  node: RunNode,
): Promise<void> {
  const found = await readWhole(pool, node);
  panels.openScratch(scratches.create(playgroundOfRun(found)));
  const isMasked = found.wire?.requests.some(({ isBodyMasked }) => isBodyMasked === true);
  if (!isMasked) return;
  void showMessage(
    'warning',
    t('A secret in the request is masked with `*`. Enter it again where it is needed, then run.'),
  );
}
