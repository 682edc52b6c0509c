// Describes any failure of a run or request for the user: what happened, why, and what to do next.
import { t } from '@vscode/l10n';
import type { ErrorInfo } from '../protocol';
import { RefusalError } from '../session';
import type { Connection } from './connection';
import type { ConnectionProblem } from './connection-problem';
import { isConnectionProblem } from './connection-problem';
import type { Face } from './face';
import { asSentence } from './face';
import type { Circumstances } from './provider-error-info';
import { describeProviderError } from './provider-error-info';

const MAX_CAUSES = 8;

/** @param connection The connection concerned, for the title. @param circumstances What its requests are sent with. */
export function toErrorInfo(
  thrown: unknown,
  face: Face,
  connection?: Connection,
  circumstances?: Circumstances,
): ErrorInfo {
  if (isConnectionProblem(thrown)) return ofConnection(thrown, face);
  if (thrown instanceof RefusalError) return thrown.info;
  const info = describeProviderError(thrown, face, connection, circumstances);
  if (info) return info;
  return {
    code: 'internal',
    title: t('Something in Provider Playground failed'),
    what: t('Provider Playground could not do this.'),
    why: textOf(thrown, 'message'),
    next: asSentence(face.afterFailure),
  };
}

/** Stack traces down the chain of causes; longer chains are truncated. */
export function stacksOf(error: unknown, depth = 0): string {
  const stack = textOf(error, 'stack');
  const cause = error instanceof Error && depth < MAX_CAUSES ? error.cause : undefined;
  return cause === undefined ? stack : `${stack}\ncaused by ${stacksOf(cause, depth + 1)}`;
}

/** Reads a part of a thrown value; third-party code may throw values whose getters throw again. */
function textOf(thrown: unknown, part: 'message' | 'stack'): string {
  try {
    return String(thrown instanceof Error ? thrown[part] : thrown);
  } catch {
    return t('The thrown value cannot be read.');
  }
}

function ofConnection({ kind, message, next: given }: ConnectionProblem, face: Face): ErrorInfo {
  const next = {
    unknown: t('Choose another connection.'),
    setting: asSentence(face.correctSettings),
    key: asSentence(face.giveKey),
  };
  const title = {
    unknown: t('The connection is gone'),
    setting: t('The connection cannot be used'),
    key: t('An API key is missing'),
  };
  return {
    code: `connection-${kind}`,
    ...(kind === 'key' && { isKeyWanted: true }),
    title: title[kind],
    what: message,
    why: t('Nothing was sent.'),
    next: given ?? next[kind],
  };
}
