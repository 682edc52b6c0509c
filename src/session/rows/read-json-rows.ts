// Reads data rows that are written as JSON: a list of objects, or an object on each line. Does not know what the columns mean.
import { t } from '@vscode/l10n';
import { readJson } from '../document/text/json-text';
import type { JsonNode } from '../document/text/json-text';
import { lineFinder } from '../document/place';
import type { WrittenRow } from './data-row';
import type { ProblemList } from './problem-list';

/**
 * @param most Number of rows after which reading ends.
 * @param problems Gets what is wrong with the text.
 */
export function readJsonFile(text: string, most: number, problems: ProblemList): WrittenRow[] {
  const read = readJson(text);
  const lineOf = lineFinder(text);
  if ('root' in read) return readJsonList(read.root, lineOf, most, problems);
  problems.add({ line: lineOf(read.offset), message: read.message });
  return [];
}

/** @param lineOf Line of an offset of the text that contains the list. */
export function readJsonList(
  { kind, start, entries }: JsonNode,
  lineOf: (offset: number) => number,
  most: number,
  problems: ProblemList,
): WrittenRow[] {
  if (kind === 'list')
    return entries.slice(0, most).flatMap(({ node }) => toRow(node, lineOf, problems) ?? []);
  problems.add({ line: lineOf(start), message: t('The rows must be a list of objects.') });
  return [];
}

/** Blank lines are skipped. */
export function readJsonLines(text: string, most: number, problems: ProblemList): WrittenRow[] {
  const rows: WrittenRow[] = [];
  let line = 0;
  for (const [content] of text.matchAll(/[^\r\n]*(?:\r\n|[\r\n]|$)/g)) {
    line += 1;
    // Trimming removes a byte order mark, too.
    if (content.trim() === '') continue;
    if (rows.length + problems.size >= most) break;
    const read = readJson(content);
    const row = 'root' in read ? toRow(read.root, atLine(line), problems) : undefined;
    if ('message' in read) problems.add({ line, message: read.message });
    if (row) rows.push(row);
  }
  return rows;
}

const atLine = (line: number) => (): number => line;

function toRow(
  { kind, start, entries }: JsonNode,
  lineOf: (offset: number) => number,
  problems: ProblemList,
): WrittenRow | undefined {
  const line = lineOf(start);
  if (kind !== 'object') {
    problems.add({ line, message: t('A row must be an object whose keys are names of variables.') });
    return undefined;
  }
  const columns = entries.map(({ key = '', start: keyStart, node }) => ({
    name: key,
    value: valueOf(node),
    line: lineOf(keyStart),
  }));
  return { line, columns };
}

/** Unlike the node's own value, it has every key of the text: `__proto__` is an own key like any other. */
export function valueOf({ kind, entries, value }: JsonNode): unknown {
  if (kind === 'list') return entries.map(({ node }) => valueOf(node));
  if (kind === 'object') return Object.fromEntries(entries.map(({ key = '', node }) => [key, valueOf(node)]));
  return value;
}
