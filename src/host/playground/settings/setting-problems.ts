// Finds settings that count as something else than what they say, and names them.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { CONFIGURATION, SETTINGS } from '../../contributions';
import { showMessage } from '../../dialogs';
import { isHistoryEnabled, maxRequests, readHistoryLimits } from './history-limits';

export interface SettingProblem {
  /** As in the settings: `providerPlayground.history.maxRuns`. */
  id: string;
  message: string;
}

export function findSettingProblems(): SettingProblem[] {
  const { maxRuns, maxBytes } = readHistoryLimits();
  const used: Record<string, unknown> = {
    [SETTINGS.historyEnabled]: isHistoryEnabled(),
    [SETTINGS.historyMaxRuns]: maxRuns,
    [SETTINGS.historyMaxBytes]: maxBytes,
    [SETTINGS.maxConcurrentRequests]: maxRequests(),
  };
  const configuration = vscode.workspace.getConfiguration(CONFIGURATION);
  return Object.entries(used).flatMap(([name, value]) => {
    const given: unknown = configuration.get(name);
    if (given === undefined || given === value) return [];
    const id = `${CONFIGURATION}.${name}`;
    const message =
      name === SETTINGS.historyEnabled
        ? t('{0} must be true or false. Until it is, runs are not stored on disk.', id)
        : t('{0} must be a number in its range. Until it is, {1} is used.', id, String(value));
    return [{ id, message }];
  });
}

export async function showSettingProblem({ id, message }: SettingProblem): Promise<void> {
  const open = t('Open Settings');
  if ((await showMessage('warning', message, {}, open)) === open)
    await vscode.commands.executeCommand('workbench.action.openSettings', id);
}
