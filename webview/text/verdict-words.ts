// The word for how a reply came out: one for every part of the face that says it.
import { t } from '@vscode/l10n';
import type { Verdict } from '../../src/protocol';

/** Asked for when it is shown, since the language of the editor is not known when the module is read. */
export const VERDICT_WORDS: Readonly<Record<Verdict['kind'], () => string>> = {
  native: () => t('native'),
  rescued: () => t('rescued'),
  malformed: () => t('malformed'),
  none: () => t('none'),
  answer: () => t('answer'),
  failed: () => t('failed'),
  stopped: () => t('stopped'),
  interrupted: () => t('interrupted'),
};
