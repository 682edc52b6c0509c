// Parses the data rows of an evaluation: those of a file, or those that a document contains itself. Reads no file.
import { t } from '@vscode/l10n';
import { DOCUMENT_LIMIT } from '../../protocol';
import { lineFinder } from '../document/place';
import type { DocumentTree } from '../document/parse-document';
import { findNode } from '../document/text/json-text';
import type { DataRow, WrittenRow } from './data-row';
import { readRow } from './data-row';
import { nameRows } from './name-rows';
import type { LineProblem } from './problem-list';
import { ProblemList } from './problem-list';
import { readCsv } from './read-csv';
import { readJsonFile, readJsonLines, readJsonList } from './read-json-rows';
import type { RowsFormat } from './rows-path';

export interface ParsedRows {
  /** In the order of the text. Empty when there is a problem: an id depends on all rows. */
  rows: DataRow[];
  /** Ten at most, in the order of their lines. */
  problems: readonly LineProblem[];
  /** Number of problems that are not listed. */
  more: number;
}

/** Of a data file, in bytes. A reader refuses a larger one before it reads it. */
export const MAX_ROWS_BYTES = 8_000_000;

type RowReader = (text: string, most: number, problems: ProblemList) => WrittenRow[];

const READERS: Record<RowsFormat, RowReader> = { json: readJsonFile, jsonl: readJsonLines, csv: readCsv };

/** Parses the text of a data file. Never throws, whatever the text is. */
export function parseRows(text: string, format: RowsFormat): ParsedRows {
  // A text has at most as many characters as bytes.
  if (text.length > MAX_ROWS_BYTES) return refuseAll(tooLargeMessage());
  // What a reader puts in the place of bytes that are not UTF-8: a model would be asked about another text than was written.
  const lost = text.indexOf('\uFFFD');
  if (lost !== -1) return refuseAll(notUtf8Message(), lineFinder(text)(lost));
  return toParsed(1, (most, problems) => READERS[format](text, most, problems));
}

/** Parses the list in `evaluate.rows` of a document; the lines of its rows are those of the document. Never throws. */
export function parseInlineRows({ root, text }: DocumentTree): ParsedRows {
  const list = findNode(root, ['evaluate', 'rows']) ?? root;
  const lineOf = lineFinder(text);
  return toParsed(lineOf(list.start), (most, problems) => readJsonList(list, lineOf, most, problems));
}

const tooLargeMessage = (): string =>
  t('The data file is larger than {0} MB; use a smaller one.', MAX_ROWS_BYTES / 1_000_000);

const notUtf8Message = (): string =>
  t(
    'The data file is not UTF-8: save it as UTF-8. If U+FFFD itself is meant, it is written as {0} in JSON.',
    '\\ufffd',
  );

/** @param start Line for problems that no single row has. */
function toParsed(
  start: number,
  read: (most: number, problems: ProblemList) => readonly WrittenRow[],
): ParsedRows {
  const problems = new ProblemList();
  // One more shows that there are too many.
  const written = read(DOCUMENT_LIMIT.rows + 1, problems);
  if (written.length > DOCUMENT_LIMIT.rows)
    return refuseAll(t('There are more than {0} rows; use fewer.', DOCUMENT_LIMIT.rows), start);
  if (written.length + problems.size === 0) return refuseAll(t('There are no rows.'), start);
  const unnamed = written.map((row) => readRow(row, problems));
  const rows = problems.size === 0 ? nameRows(unnamed, problems) : [];
  // Problems of the text are found before those of columns.
  const listed = problems.listed.toSorted((one, other) => one.line - other.line);
  return { rows: problems.size === 0 ? rows : [], problems: listed, more: problems.more };
}

const refuseAll = (message: string, line = 1): ParsedRows => ({
  rows: [],
  problems: [{ line, message }],
  more: 0,
});
