// Says why a file cannot be written, and what to do about it. Pure.
import { t } from '@vscode/l10n';
import { messageOf } from './read-errors';

/** By the code of the system's error: the reason for the end of a sentence, and the next step. */
const REASONS: Readonly<Record<string, () => readonly [why: string, next: string]>> = {
  ENOSPC: () => [t('the disk is full'), t('Free space on it')],
  EDQUOT: () => [t('your quota of the disk is used up'), t('Free space on it')],
  EROFS: () => [t('its disk is read-only'), t('Name a file on another disk')],
  EACCES: () => [t('you may not write there'), t('Name a file in another folder, or change its permissions')],
  EPERM: () => [t('you may not write there'), t('Name a file in another folder, or change its permissions')],
  EISDIR: () => [t('it is a folder'), t('Name a file')],
  ENOENT: () => [t('its folder does not exist'), t('Create the folder, or name another one')],
  ENOTDIR: () => [t('a part of its path is a file'), t('Name a file in a folder')],
};

/** `next` has no full stop, because more may be to do; '' where only the path can be corrected. */
export function describeWriteError(path: string, error: unknown): { what: string; next: string } {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const [why, next] = (Object.hasOwn(REASONS, code) ? REASONS[code]?.() : undefined) ?? [
    messageOf(error),
    '',
  ];
  return { what: t('{0} cannot be written: {1}.', path, why), next };
}
