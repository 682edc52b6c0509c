// Edits of the rows of a parameter table: adding, moving, changing types, and the texts of their fields. Pure.
import { t } from '@vscode/l10n';
import type { ParameterRow, ParameterType } from '../../src/protocol';
import { DOCUMENT_LIMIT } from '../../src/protocol';
import type { TypedJson } from './json-field';
import { lengthProblem } from './json-field';

export const ROW_PARTS = ['name', 'description', 'options'] as const;
export type RowPart = (typeof ROW_PARTS)[number];

/** The words of JSON Schema, which findings use as well. */
export const TYPE_LABELS: Readonly<Record<ParameterType, string>> = {
  string: 'string',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
  enum: 'enum',
  list: 'array',
};

export function newRow(rows: readonly ParameterRow[]): ParameterRow {
  const name = freeName(
    'parameter',
    rows.map((row) => row.name),
  );
  return { name, type: 'string', description: '', isRequired: false };
}

export function withType(row: ParameterRow, type: ParameterType): ParameterRow {
  const { options, ...rest } = row;
  return type === 'enum' ? { ...rest, type, options: options ?? [] } : { ...rest, type };
}

/** The list with the element at `from` moved to `to`. */
export function moved<Item>(list: readonly Item[], from: number, to: number): Item[] {
  const item = list.slice(from, from + 1);
  return list.toSpliced(from, 1).toSpliced(to, 0, ...item);
}

/** Returns a free name: `get_weather_2` beside `get_weather`; a number at the end is counted up. */
export function freeName(name: string, taken: readonly string[]): string {
  const names = new Set(taken);
  if (!names.has(name)) return name;
  const stem = name.replace(/_\d{1,6}$/, '').slice(0, DOCUMENT_LIMIT.name - 8);
  let number = 2;
  while (names.has(`${stem}_${number}`)) number++;
  return `${stem}_${number}`;
}

/** @returns undefined for a part that the row does not have. */
export function showRowPart(row: ParameterRow, part: RowPart): string | undefined {
  return part === 'options' ? row.options?.join('\n') : row[part];
}

/** Whether the options cannot be written one a line, so that they can only be edited as JSON. */
export const areOddOptions = (options: readonly string[]): boolean =>
  options.some((option) => option.trim() === '' || /[\r\n]/.test(option)) ||
  new Set(options).size < options.length;

/** @param others Names of the other rows. */
export function parseRowPart(part: RowPart, text: string, others: readonly string[]): TypedJson {
  if (part === 'name') return parseRowName(text, others);
  const problem = lengthProblem(text);
  if (problem !== undefined) return { problem };
  return part === 'description' ? { value: text } : parseOptions(text);
}

function parseRowName(text: string, others: readonly string[]): TypedJson {
  if (text.trim() === '') return { problem: t('A parameter needs a name.') };
  if (text.length > DOCUMENT_LIMIT.name) return { problem: t('This name is longer than 200 characters.') };
  if (text === '__proto__') return { problem: t('A parameter cannot be named `__proto__`.') };
  return others.includes(text) ? { problem: t('Another parameter has this name.') } : { value: text };
}

function parseOptions(text: string): TypedJson {
  const options = text.split(/\r?\n/).filter((option) => option.trim() !== '');
  const twice = options.find((option, at) => options.indexOf(option) < at);
  return twice === undefined ? { value: options } : { problem: t('`{0}` appears here twice.', twice) };
}
