// A command that cannot be done, in the words that a person reads.
import { t } from '@vscode/l10n';
import type { ErrorInfo } from '../protocol';

export class RefusalError extends Error {
  readonly info: ErrorInfo;

  constructor(info: Omit<ErrorInfo, 'code'> & { code?: string }) {
    super(info.what);
    this.name = 'RefusalError';
    this.info = { code: 'refused', ...info };
  }
}

export const refuse = (what: string, next: string, why = ''): RefusalError =>
  new RefusalError({ title: t('This cannot be done now'), what, why, next });
