// The limits of the history from the settings.
import * as vscode from 'vscode';
import { CONFIGURATION, SETTINGS } from '../contributions';

export function readHistoryLimits(): { maxRuns: number; maxBytes: number } {
  return {
    maxRuns: positive(SETTINGS.historyMaxRuns, 2_000),
    maxBytes: positive(SETTINGS.historyMaxBytes, 256 * 1024 * 1024),
  };
}

/** Settings are written by hand, so anything but a positive number counts as the default. */
export function positive(name: string, byDefault: number): number {
  const value = vscode.workspace.getConfiguration(CONFIGURATION).get(name);
  return typeof value === 'number' && value > 0 ? value : byDefault;
}
