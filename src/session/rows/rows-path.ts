// Where the data file of a document may be: a path beside it. Reads nothing; whether the file is near is for the reader to check.
import { t } from '@vscode/l10n';
import { toLabel } from '../../inspect';

/** Formats of data files, by the ending of their names. */
const FORMATS = ['json', 'jsonl', 'csv'] as const;
export type RowsFormat = (typeof FORMATS)[number];

const MAX_LENGTH = 1_000;

export interface RowsPath {
  /** From the folder of the document: names of folders, `..` at most at the beginning, and the name of the file. */
  segments: readonly string[];
  format: RowsFormat;
}

/**
 * Resolves the `rows` of a document. One that comes from someone else must not read distant files: the reader refuses a file
 * that is neither in the workspace nor below the folder of the document.
 * @returns a sentence that says what is wrong with the path
 */
export function resolveRowsPath(path: string): RowsPath | string {
  const format = FORMATS.find((each) => path.toLowerCase().endsWith(`.${each}`));
  const problem = findProblem(path);
  if (problem !== undefined || !format)
    return t(
      'The path of the rows, {0}, {1}.',
      toLabel(path, 200),
      problem ?? t('must end in {0}', FORMATS.map((each) => `.${each}`).join(', ')),
    );
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..' && ![undefined, '..'].includes(segments.at(-1))) segments.pop();
    else segments.push(segment);
  }
  return { segments, format };
}

function findProblem(path: string): string | undefined {
  if (path.length > MAX_LENGTH) return t('has more than {0} characters', MAX_LENGTH);
  if (!isRelativePath(path)) return t('must be a relative path, written with /');
  if (/[*?]/.test(path)) return t('must name one file: * and ? are not patterns here');
  return undefined;
}

/** Rejects absolute paths, URIs and paths with backslashes. */
export const isRelativePath = (path: string): boolean => !/^\/|^[A-Za-z][\w+.-]*:|\\|\0/.test(path);
