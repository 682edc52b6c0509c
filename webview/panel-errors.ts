// Describes errors of the panel itself in the same form as those of the host.
import { t } from '@vscode/l10n';
import type { ErrorInfo } from '../src/protocol';
import { RequestError } from '../src/protocol';

/** Keeps the host's description if the error came from there. */
export function toErrorInfo(error: unknown): ErrorInfo {
  if (error instanceof RequestError) return error.info;
  return {
    code: 'panel',
    title: t('The panel failed'),
    what: error instanceof Error ? error.message : String(error),
    why: '',
    next: t('Try again; if it happens again, reload the window.'),
  };
}
