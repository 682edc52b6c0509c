// That a key was given, and when, in words.
import { t } from '@vscode/l10n';
import type { GivenSecret } from './api-keys';

/** Nothing of the key itself, not even its length. */
export function describeGiven({ givenAt, isSessionOnly }: Omit<GivenSecret, 'value'>): string {
  if (isSessionOnly) return t('a key until the window is reloaded');
  return givenAt === undefined
    ? t('a key is stored')
    : t('a key was given on {0}', new Date(givenAt).toLocaleString());
}
