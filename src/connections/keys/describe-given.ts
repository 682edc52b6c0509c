// Describes whether and when a key was given, and reveals nothing of it, not even its length.
import { t } from '@vscode/l10n';
import type { GivenSecret } from './api-keys';

type Given = Omit<GivenSecret, 'value'>;

export function describeGiven({ givenAt, isSessionOnly }: Given): string {
  if (isSessionOnly) return t('a key until the window is reloaded');
  return givenAt === undefined
    ? t('a key is stored')
    : t('a key was given on {0}', new Date(givenAt).toLocaleString());
}

/** The object of a sentence. @param now Milliseconds since the epoch. */
export function nameGiven({ givenAt }: Given, now = Date.now()): string {
  if (givenAt === undefined) return t('the key');
  const day = new Date(givenAt).toLocaleDateString();
  return day === new Date(now).toLocaleDateString()
    ? t('the key that was set today')
    : t('the key that was set on {0}', day);
}
