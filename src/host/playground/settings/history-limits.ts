// The settings of the history and of requests, as they count.
import * as vscode from 'vscode';
import { CONFIGURATION, SETTINGS } from '../../contributions';

/** In the manifest as well, where the settings editor marks less. */
const MIN_BYTES = 1_000_000;

export function readHistoryLimits(): { maxRuns: number; maxBytes: number } {
  return {
    maxRuns: positive(SETTINGS.historyMaxRuns, 2_000),
    maxBytes: positive(SETTINGS.historyMaxBytes, 256 * 1024 * 1024, MIN_BYTES),
  };
}

/** Anything but `true`, such as the text "false", stores nothing on disk. */
export const isHistoryEnabled = (): boolean =>
  vscode.workspace.getConfiguration(CONFIGURATION).get<unknown>(SETTINGS.historyEnabled, true) === true;

/** Requests to one server at once. */
export const maxRequests = (): number => positive(SETTINGS.maxConcurrentRequests, 4);

/**
 * Settings are written by hand: anything but a positive number counts as the default, and less than the least as that. A
 * size in megabytes would otherwise delete the whole history.
 */
function positive(name: string, byDefault: number, least = 1): number {
  const value = vscode.workspace.getConfiguration(CONFIGURATION).get(name);
  return typeof value === 'number' && value > 0 ? Math.max(least, value) : byDefault;
}
