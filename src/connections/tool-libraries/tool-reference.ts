// Parses a `$ref` of a document, such as `user#/get_weather` or `./.provider-playground/tools.json#/get_weather`.
// Reads no file.
import { t } from '@vscode/l10n';
import { toLabel } from '../../inspect';
import { isRelativePath } from '../../session';

/**
 * Path in each workspace folder and in the extension's storage. The name is the same, so that the editor completes
 * both.
 */
export const LIBRARY_PATH = './.provider-playground/tools.json';
export const USER_LIBRARY = 'user';

export interface LibraryReference {
  /** A relative path, or `user`. */
  library: string;
  /** Possible keys, the most likely one first. */
  keys: readonly string[];
}

/** @returns a message in one sentence when it is not a reference to a tool of a library. */
export function parseReference(reference: string): LibraryReference | string {
  const shown = toLabel(reference, 200);
  const hash = reference.indexOf('#');
  if (hash === -1 || reference[hash + 1] !== '/') {
    return t('The reference {0} names no tool: it ends in #/ and the name.', shown);
  }
  const library = reference.slice(0, hash);
  const problem = library === USER_LIBRARY ? undefined : findPathProblem(library);
  if (problem !== undefined) return t('The reference {0} {1}.', shown, problem);
  const pointer = reference.slice(hash + 2);
  // The literal name comes first, even if it contains a % or a /.
  const keys = new Set([unescapeKey(pointer), unescapeKey(decode(pointer)), pointer]);
  return { library, keys: [...keys] };
}

export const makeReference = (library: string, key: string): string =>
  `${library}#/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Also rejects URIs and Windows paths: a playground from someone else must stay near its own folder. */
function findPathProblem(path: string): string | undefined {
  if (path === '') return t('does not name a library before the #');
  if (!isRelativePath(path)) return t('must be a relative path, written with /');
  if (!path.endsWith('.json')) return t('does not name a .json file');
  return undefined;
}

const unescapeKey = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~');

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
