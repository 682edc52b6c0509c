// Says why a file cannot be read. Pure.
import { t } from '@vscode/l10n';

/** By the code of the system's error: the reason for the end of a sentence. */
const REASONS: Readonly<Record<string, () => string>> = {
  EACCES: () => t('you may not read it'),
  EPERM: () => t('you may not read it'),
  EISDIR: () => t('it is a folder'),
  ENOTDIR: () => t('a part of its path is a file'),
};

/** A sentence. */
export function describeReadError(path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return t('There is no file {0}.', path);
  const why = Object.hasOwn(REASONS, code) ? REASONS[code]?.() : undefined;
  return t('{0} cannot be read: {1}.', path, why ?? messageOf(error));
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
