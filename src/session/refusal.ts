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

/** @param code For a front end that does something about it. */
export const refuse = (what: string, next: string, why = '', code = 'refused'): RefusalError =>
  new RefusalError({ code, title: t('This is not possible now'), what, why, next });
