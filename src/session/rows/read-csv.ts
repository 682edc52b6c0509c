// Reads the rows of a CSV text, as RFC 4180 describes it. Knows of the columns only how their cells become values.
import { t } from '@vscode/l10n';
import Papa from 'papaparse';
import { readJson } from '../document/text/json-text';
import type { WrittenRow } from './data-row';
import { isReserved, showName, unknownColumn } from './data-row';
import type { ProblemList } from './problem-list';
import { valueOf } from './read-json-rows';

/** A column whose header ends so has JSON in its cells. */
const JSON_MARK = ':json';
const MAX_COLUMNS = 1_000;

interface Header {
  name: string;
  isJson: boolean;
}

interface CsvRecord {
  cells: readonly string[];
  line: number;
}

/**
 * Line ends are read as \n, so that a checkout with other ones has the same rows. A quoted cell may have several lines; blank
 * lines between the rows are skipped. White space around a header is dropped, that of a cell is kept.
 *
 * In reserved columns, an empty cell means that the row does not have the column. `$tags` is split at commas and white space,
 * `$repeat` is a number, and `$expect` is JSON, with and without `:json`.
 * @param most Number of rows after which reading ends.
 * @param problems Gets what is wrong with the text.
 */
export function readCsv(text: string, most: number, problems: ProblemList): WrittenRow[] {
  const plain = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const [first, ...records] = readRecords(plain, most + 1, problems);
  if (!first) return [];
  const headers = readHeaders(first, problems);
  // A misread header or quote would only repeat itself in each row.
  return problems.size > 0 ? [] : records.flatMap((record) => toRow(record, headers, problems) ?? []);
}

/** Reads row by row, so that a text of millions of line ends takes no memory. */
function readRecords(text: string, most: number, problems: ProblemList): CsvRecord[] {
  const records: CsvRecord[] = [];
  let [line, start] = [1, 0];
  Papa.parse<string[]>(text, {
    delimiter: ',',
    newline: '\n',
    step: ({ data: cells, errors: [error], meta: { cursor } }, parser) => {
      const isBlank = cells.length === 1 && text.slice(start, cursor).trim() === '';
      if (!isBlank) records.push({ cells, line });
      if (error) problems.add({ line, message: quoteProblem(error.code) });
      line += 1 + cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
      start = cursor;
      if (records.length >= most) parser.abort();
    },
  });
  return records;
}

const quoteProblem = (code: string): string =>
  code === 'MissingQuotes'
    ? t('A cell of the row begins with a quote and has no closing one.')
    : t('A cell of the row goes on after its closing quote: a quote inside a quoted cell is written twice.');

function readHeaders({ cells, line }: CsvRecord, problems: ProblemList): Header[] {
  if (cells.length > MAX_COLUMNS) {
    problems.add({ line, message: t('There are more than {0} columns.', MAX_COLUMNS) });
    return [];
  }
  const [only = ''] = cells;
  if (cells.length === 1 && /[;\t]/.test(only)) {
    problems.add({
      line,
      message: t('The header has no comma: the cells of a row are separated by commas.'),
    });
    return [];
  }
  const names = new Set<string>();
  return cells.map((cell, index) => {
    const label = cell.trim();
    const isJson = label.endsWith(JSON_MARK);
    const name = isJson ? label.slice(0, -JSON_MARK.length).trim() : label;
    const problem = headerProblem(name, index, names);
    if (problem !== undefined) problems.add({ line, message: problem });
    names.add(name);
    return { name, isJson: isJson || name === '$expect' };
  });
}

function headerProblem(name: string, index: number, names: ReadonlySet<string>): string | undefined {
  if (name === '') return t('Column {0} has no name in the header.', index + 1);
  if (names.has(name)) return t('The header has the column {0} twice.', showName(name));
  return name.startsWith('$') && !isReserved(name) ? unknownColumn(name) : undefined;
}

function toRow(
  { cells, line }: CsvRecord,
  headers: readonly Header[],
  problems: ProblemList,
): WrittenRow | undefined {
  if (cells.length !== headers.length) {
    problems.add({ line, message: cellCountProblem(cells.length, headers.length) });
    return undefined;
  }
  const columns = headers.flatMap((header, index) => {
    const cell = cells[index] ?? '';
    if (cell === '' && header.name.startsWith('$')) return [];
    const read = readCell(cell, header);
    if ('value' in read) return [{ name: header.name, value: read.value, line }];
    problems.add({ line, message: read.problem });
    return [];
  });
  return { line, columns };
}

const cellCountProblem = (cells: number, headers: number): string =>
  t(
    'The number of cells is {0}, that of the header {1}. A cell that contains a comma is put in quotes.',
    cells,
    headers,
  );

function readCell(cell: string, { name, isJson }: Header): { value: unknown } | { problem: string } {
  if (isJson) {
    const read = readJson(cell);
    if ('root' in read) return { value: valueOf(read.root) };
    return { problem: `${showName(name)}: ${read.message}` };
  }
  if (name === '$tags') return { value: cell.split(/[\s,]+/).filter((tag) => tag !== '') };
  if (name === '$repeat' && /^\d+$/.test(cell)) return { value: Number(cell) };
  return { value: cell };
}
