// A data row: its variables and what its reserved columns, which begin with $, say of it. Does not know what it was read from.
import { t } from '@vscode/l10n';
import { toLabel } from '../../inspect';
import { DOCUMENT_LIMIT, looksLikeSecret } from '../../protocol';
import type { EvaluationRow } from '../../types';
import type { MessageRange } from './message-picks';
import { readPicks } from './message-picks';
import type { ProblemList } from './problem-list';

export interface DataRow extends EvaluationRow {
  tags: readonly string[];
  /** Own number of repeats. Default: that of the evaluation. */
  repeat?: number | undefined;
  /** Why the row is not sent. Default: it is sent. */
  skip?: string | undefined;
  /** Further expectations that hold for this row alone, as they are written: not checked. */
  expect?: readonly unknown[] | undefined;
  /** The messages of the document that are sent: the model is asked after the last of them. Default: up to the first question. */
  messages?: readonly MessageRange[] | undefined;
  /** By name of the column; of a CSV file, all are text but those whose header ends in `:json`. Any name is an own key. */
  variables: Readonly<Record<string, unknown>>;
  /** Line on which the row begins, from 1: in the data file, or in the document for rows that it contains itself. */
  line: number;
}

/** Without the id, which depends on all rows. */
export interface UnnamedRow extends Omit<DataRow, 'id'> {
  /** The `$id`. */
  ownId?: string | undefined;
}

/** A row as it was written. */
export interface WrittenRow {
  line: number;
  /** In the order of the text; each name once. */
  columns: readonly WrittenColumn[];
}

interface WrittenColumn {
  name: string;
  value: unknown;
  line: number;
}

const MAX_TAGS = 50;

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= DOCUMENT_LIMIT.name;

/** Text or a number that can identify a row. @returns undefined for any other value */
export function toRowId(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return isText(value) ? value : undefined;
}

const toText = (value: unknown): string | undefined => (isText(value) ? value : undefined);

const toTags = (value: unknown): string[] | undefined =>
  Array.isArray(value) && value.length <= MAX_TAGS && value.every(isText) ? value : undefined;

const toRepeat = (value: unknown): number | undefined =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= DOCUMENT_LIMIT.repeats
    ? Number(value)
    : undefined;

/** What each reserved column means: its key in the row, and its value, undefined when it is not valid. */
const RESERVED = {
  $id: { key: 'ownId', read: toRowId, expected: () => shortText(t('text or a number')) },
  $name: { key: 'name', read: toText, expected: () => shortText(t('text')) },
  $tags: {
    key: 'tags',
    read: toTags,
    expected: () => t('a list of at most {0} short texts', MAX_TAGS),
  },
  $repeat: {
    key: 'repeat',
    read: toRepeat,
    expected: () => t('a whole number from 1 to {0}', DOCUMENT_LIMIT.repeats),
  },
  $skip: { key: 'skip', read: toText, expected: () => shortText(t('text that says why')) },
  $expect: {
    key: 'expect',
    read: (value: unknown) => (Array.isArray(value) ? (value as unknown[]) : undefined),
    expected: () => t('a list of expectations'),
  },
  $messages: {
    key: 'messages',
    read: readPicks,
    expected: () => t('numbers of messages, such as "1-5" or "1, 6-9"'),
  },
} as const satisfies Record<
  string,
  { key: keyof UnnamedRow; read: (value: unknown) => unknown; expected: () => string }
>;

type ReservedColumn = keyof typeof RESERVED;
type Reserved = { [Column in ReservedColumn as (typeof RESERVED)[Column]['key']]?: ValueOf<Column> };
type ValueOf<Column extends ReservedColumn> = NonNullable<ReturnType<(typeof RESERVED)[Column]['read']>>;

const shortText = (what: string): string => t('{0}, at most {1} characters', what, DOCUMENT_LIMIT.name);

/** @param problems Gets what is wrong with the row. */
export function readRow({ line, columns }: WrittenRow, problems: ProblemList): UnnamedRow {
  const reserved: Reserved = {};
  const variables: [string, unknown][] = [];
  for (const { name, value, line: columnLine } of columns) {
    if (!name.startsWith('$')) {
      variables.push([name, value]);
      continue;
    }
    const problem = readReserved(name, value, reserved);
    if (problem !== undefined) problems.add({ line: columnLine, message: problem });
  }
  // Unlike an assignment, fromEntries makes an own key even of `__proto__`.
  return { tags: [], ...reserved, variables: Object.fromEntries(variables), line };
}

/** @returns what is wrong with the column */
function readReserved(name: string, value: unknown, reserved: Reserved): string | undefined {
  if (!isReserved(name)) return unknownColumn(name);
  const { key, read, expected } = RESERVED[name];
  const meaning = read(value);
  if (meaning === undefined) return t('{0} must be {1}.', name, expected());
  Object.assign(reserved, { [key]: meaning });
  return undefined;
}

export const isReserved = (name: string): name is ReservedColumn => Object.hasOwn(RESERVED, name);

export const unknownColumn = (name: string): string =>
  t(
    '{0} is not a reserved column: names that begin with $ are {1}.',
    showName(name),
    Object.keys(RESERVED).join(', '),
  );

/** A name or an id from a data file, for a message: it may have any length, and may be a secret in the wrong place. */
export const showName = (name: string): string => (looksLikeSecret(name) ? '…' : toLabel(name, 60));
