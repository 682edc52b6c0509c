// Describes whether and when a key was given.
import { t } from '@vscode/l10n';
import type { GivenSecret } from './api-keys';

/** Reveals nothing of the key, not even its length. */
export function describeGiven({ givenAt, isSessionOnly }: Omit<GivenSecret, 'value'>): string {
  if (isSessionOnly) return t('a key until the window is reloaded');
  return givenAt === undefined
    ? t('a key is stored')
    : t('a key was given on {0}', new Date(givenAt).toLocaleString());
}
