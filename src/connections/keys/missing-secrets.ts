// Why a key or a secret header is not sent, in the words that a person reads.
import { t } from '@vscode/l10n';
import type { Connection, KeyTarget } from '../connection';
import { ConnectionProblem } from '../connection-problem';

interface Circumstances {
  /** The key was given in another window, and this one has not read it. */
  isElsewhere: boolean;
  /** Origins that other keys of the connection were given for. */
  others: readonly string[];
}

export function explainMissingKey(
  { label }: Connection,
  { recipient, wider }: KeyTarget,
  { isElsewhere, others }: Circumstances,
): ConnectionProblem {
  const what = t('{0} needs an API key for {1}.', label, recipient);
  if (isElsewhere) {
    const why = t('It was given in another window, and this one has not read it.');
    return new ConnectionProblem('key', `${what} ${why}`, adviseReload(t('press Set API key')));
  }
  if (wider) {
    const why = t(
      'The workspace settings change {0}: a key that was given without this change is not sent.',
      wider.changes,
    );
    return new ConnectionProblem('key', `${what} ${why}`);
  }
  if (others.length === 0) return new ConnectionProblem('key', what);
  const moved = t('The stored key was given for {0}: it is not sent elsewhere.', others.join(', '));
  return new ConnectionProblem('key', `${what} ${moved}`);
}

/** @param names Headers that were given before the workspace changed the requests. */
export function explainMissingHeaders(
  { label }: Connection,
  { wider }: KeyTarget,
  names: readonly string[],
): ConnectionProblem {
  const what = t('{0} has secret headers ({1}) that are not sent.', label, names.join(', '));
  const why = t(
    'The workspace settings change {0}: the headers were given without this change.',
    wider?.changes ?? '',
  );
  const next = t('Run Set Secret Header, or correct the settings of the workspace.');
  return new ConnectionProblem('setting', `${what} ${why}`, next);
}

export function explainStaleHeader({ label }: Connection, header: string): ConnectionProblem {
  const what = t('The secret header {0} of {1} was replaced in another window.', header, label);
  const why = t('This window has not read the new one, and no longer sends the old one.');
  return new ConnectionProblem('setting', `${what} ${why}`, adviseReload(t('run Set Secret Header')));
}

export function explainNewHeader({ label }: Connection): ConnectionProblem {
  const what = t('A secret header of {0} was given in another window.', label);
  const why = t('This window has not read it, and sends no request without it.');
  return new ConnectionProblem('setting', `${what} ${why}`, adviseReload(t('run Set Secret Header')));
}

/** @param orElse What helps where yet another window has written over what the first one stored. */
const adviseReload = (orElse: string): string =>
  t('Run Developer: Reload Window. If it is still missing, {0}.', orElse);
