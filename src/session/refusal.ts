// The error of a command that cannot be done, in words for a person.
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
  new RefusalError({ title: t('This is not possible now'), what, why, next });
