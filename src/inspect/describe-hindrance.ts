// Why the calls of a reply could not be repaired for the program that asked. Pure.
import { t } from '@vscode/l10n';
import type { RepairHindrance } from '../types';

/** As the end of a sentence. */
export const describeHindrance = (hindrance: RepairHindrance): string =>
  ({
    'request-unread': t('the request is too long to be read, or is no JSON, so its tools are not known'),
    compressed: t('the server compressed the reply although it was asked not to'),
    'too-long': t('too much of the reply would have had to be held back'),
  })[hindrance];
