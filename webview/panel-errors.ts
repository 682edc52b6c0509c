// Failures on the panel's own side of the line, in the words of every other failure.
import { t } from '@vscode/l10n';
import type { ErrorInfo } from '../src/protocol';
import { RequestError } from '../src/protocol';

/** The host's own words where it spoke. */
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
