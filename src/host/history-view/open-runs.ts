// Opens stored runs as a document with all details, in their playground, or as a new playground; evaluations in theirs. Sends
// nothing.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { playgroundOfRun } from '../../session';
import { EDITOR_VIEW_TYPE } from '../contributions';
import { showMessage } from '../dialogs';
import { loadEngine } from '../load-engine';
import { readRecordingId } from '../recording/recording-id';
import { uriOfSession } from '../playground/files/file-backing';
import type { ActionServices, RunNode } from './action-services';
import type { HistoryNode } from './history-tree';
import { openColumnOf } from '../show-document';
import { readWhole } from './read-whole';

export async function openRun({ wire }: ActionServices, { sessionId, run }: RunNode): Promise<void> {
  await (await wire.services()).openRun(sessionId, run);
}

/**
 * @param node A playground node, or one below it; the playground shows the run or the evaluation that it is.
 * @param baselineId Another evaluation, with which that one is compared.
 */
export async function openPlayground(
  { panels, pool, recordings, scratches }: ActionServices,
  node: HistoryNode,
  baselineId?: string,
): Promise<void> {
  const { sessionId } = node;
  if (node.kind === 'run') pool.wanted.ask(sessionId, { kind: 'run', runId: node.run.runId });
  if (node.kind === 'evaluation')
    pool.wanted.ask(sessionId, { kind: 'evaluation', shown: { id: node.evaluation.id, baselineId } });
  if (readRecordingId(sessionId)) return recordings.show(sessionId);
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
    // In a second column it would be a second panel, and only one of them shows what is asked for.
    await vscode.commands.executeCommand('vscode.openWith', uri, EDITOR_VIEW_TYPE, openColumnOf(uri));
    return;
  }
  void showMessage(
    'information',
    node.kind === 'evaluation'
      ? t('The file of this playground is gone. What its samples are judged by was in it.')
      : t(
          'The file of this playground is gone. Its runs can still be opened, compared and sent from a new playground.',
        ),
  );
}

export async function openInNewPlayground(
  { panels, pool, scratches }: ActionServices,
  node: RunNode,
): Promise<void> {
  const found = await readWhole(pool, node);
  const { PROVIDER_CATALOG } = await loadEngine();
  const { text, leftOut } = playgroundOfRun(found, PROVIDER_CATALOG);
  panels.openScratch(scratches.create(text));
  const isMasked = found.wire?.requests.some(({ isBodyMasked }) => isBodyMasked === true);
  const warnings = [
    ...(isMasked
      ? [t('A secret in the request is masked with `*`. Enter it again where it is needed, then run.')]
      : []),
    ...(leftOut.length > 0 ? [t('The new playground leaves out {0}.', leftOut.join('; '))] : []),
  ];
  if (warnings.length > 0) void showMessage('warning', warnings.join(' '));
}
