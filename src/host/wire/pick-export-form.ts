// Asks in which form runs are exported.
import { t } from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { ExportForm } from '../../protocol';
import { pickOne } from '../dialogs';

/** @param count Number of runs: a report is about one. @returns undefined when the user cancelled */
export async function pickExportForm(count: number): Promise<ExportForm | undefined> {
  const report = { label: t('Report to the makers of the server'), form: 'report' as const };
  const forms: (vscode.QuickPickItem & { form: ExportForm })[] = [
    { label: t('Markdown'), form: 'markdown' },
    {
      label: t('Save Report…'),
      description: t('HTML page without script; opens in the browser'),
      form: 'html',
    },
    { label: t('JSON'), description: t('everything, for programs'), form: 'json' },
    ...(count === 1 ? [report] : []),
  ];
  return (await pickOne(forms, { title: t('Export Runs as') }))?.form;
}
