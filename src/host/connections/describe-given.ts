// That a key was given, and when, in words.
import * as vscode from 'vscode';
import type { GivenSecret } from './api-keys';

/** Nothing of the key itself, not even its length. */
export function describeGiven({ givenAt, isSessionOnly }: Omit<GivenSecret, 'value'>): string {
  if (isSessionOnly) return vscode.l10n.t('a key until the window is reloaded');
  return givenAt === undefined
    ? vscode.l10n.t('a key is stored')
    : vscode.l10n.t('a key was given on {0}', new Date(givenAt).toLocaleString());
}
