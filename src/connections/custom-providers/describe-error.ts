// Describes what third-party code threw or returned. Independent of vscode.
import { t } from '@vscode/l10n';

/** Describes an error as a sentence; never throws. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return t('{0} instead of an error.', describeType(error));
  try {
    return `${error.name}: ${error.message}`.replace(/[^.!?]$/, '$&.');
  } catch {
    return t('an error without a readable message.'); // Its fields may be getters that throw.
  }
}

export const describeType = (value: unknown): string =>
  value === null || value === undefined
    ? String(value)
    : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
