// Saves recorded requests as a file: one that *Open Recording…* and the command line read, or one for the tools of browsers.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RecordingForm } from '../../protocol';
import { showMessage } from '../dialogs';
import { loadEngine } from '../load-engine';
import type { LiveRecording } from './live-recording';

const ENDS: Readonly<Record<RecordingForm, string>> = { jsonl: 'recording.jsonl', har: 'har' };

export async function exportRecording(
  { madeBy }: { madeBy: string },
  live: LiveRecording,
  { form, numbers }: { form: RecordingForm; numbers?: readonly number[] | undefined },
): Promise<void> {
  const { toExchangeLine, toHar, toHeadLine } = await loadEngine();
  const book = await live.book();
  const wanted = numbers ?? book.numbers();
  const exchanges = await book.exchanges(wanted);
  const lost = wanted.length - exchanges.length;
  const { target, since: startedAt } = live.snapshot();
  const text =
    form === 'har'
      ? toHar(exchanges, madeBy)
      : [toHeadLine({ target, startedAt, madeBy }), ...exchanges.map(toExchangeLine)].join('');
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    title: t('Export Recording'),
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, `requests.${ENDS[form]}`) }),
    filters: { [form === 'har' ? 'HAR' : t('Recording')]: [form === 'har' ? 'har' : 'jsonl'] },
  });
  if (!uri) return;
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  const saved =
    exchanges.length === 1
      ? t('1 request was saved as {0}.', uri.path)
      : t('{0} requests were saved as {1}.', exchanges.length, uri.path);
  const missing = lost > 0 ? ` ${t('{0} are no longer in the history.', lost)}` : '';
  void showMessage('information', saved + missing);
}
