// Gives each row an id by which its samples are found again: the one it has, or one made of its content. Never its index.
import { createHash } from 'node:crypto';
import { t } from '@vscode/l10n';
import { canonicalJson } from '../../inspect';
import type { DataRow, UnnamedRow } from './data-row';
import { showName, toRowId } from './data-row';
import type { ProblemList } from './problem-list';

/** Of the 64 hexadecimal digits of a SHA-256. */
const DIGITS = 12;

/**
 * The id is `$id`; else the variable `id`, if every row has one and no two are equal; else the first 12 hexadecimal digits of
 * the SHA-256 of the variables as JSON with sorted keys, with `#2`, `#3` … for further rows with equal variables. What the
 * reserved columns say, `$skip` included, does not change who the row is.
 * @returns the rows in the same order; an id that two rows have is added to `problems`
 */
export function nameRows(rows: readonly UnnamedRow[], problems: ProblemList): DataRow[] {
  const ownIds = rows.map(({ variables }) =>
    Object.hasOwn(variables, 'id') ? toRowId(variables.id) : undefined,
  );
  const areIds = !ownIds.includes(undefined) && new Set(ownIds).size === rows.length;
  const equals = new Map<string, number>();
  const lines = new Map<string, number>();
  return rows.map(({ ownId, ...row }, index) => {
    const id = ownId ?? (areIds ? ownIds[index] : undefined) ?? contentId(row, equals);
    const before = lines.get(id);
    if (before !== undefined)
      problems.add({
        line: row.line,
        message: t('The row has the id {0}, which the row in line {1} has already.', showName(id), before),
      });
    else lines.set(id, row.line);
    return { id, ...row };
  });
}

/** @param equals Number of rows so far by the hash of their variables. */
function contentId({ variables }: Pick<UnnamedRow, 'variables'>, equals: Map<string, number>): string {
  const hash = createHash('sha256').update(canonicalJson(variables)).digest('hex').slice(0, DIGITS);
  const count = (equals.get(hash) ?? 0) + 1;
  equals.set(hash, count);
  return count === 1 ? hash : `${hash}#${count}`;
}
