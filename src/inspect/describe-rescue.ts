// Says in words what rescue read in a reply, and what it left as text and why. Pure; the text is hostile and quoted bounded.
import { t } from '@vscode/l10n';
import type { RescueReport } from '../types';
import { countOf } from './count-words';
import { toLabel } from './visible-text';

/** In UTF-16 code units, of the arguments of one call. */
const MAX_ARGUMENTS = 2_000;
const MAX_SENTENCE = 400;

type Style = (style: 'bold' | 'green' | 'red', text: string) => string;

/**
 * @param text The whole reply, for the numbers of lines.
 * @param style Marks a part for a terminal. @default without marks
 * @returns lines, each with its line feed
 */
export function describeRescue(
  { calls, rejected }: Pick<RescueReport, 'calls' | 'rejected'>,
  text: string,
  style: Style = (_, words) => words,
): string {
  const lineOf = (at: number): number => text.slice(0, at).split('\n').length;
  const read =
    calls.length === 0
      ? t('No call was read.')
      : countOf(calls.length, t('{0} call was read:'), t('{0} calls were read:'));
  const lines = [style('bold', read)];
  for (const { name, arguments: values, format, start, repairs, schemaIssues = [] } of calls) {
    const shown = toLabel(JSON.stringify(values) ?? '', MAX_ARGUMENTS);
    const kinds = [...new Set(repairs.map(({ kind }) => kind))];
    const repaired = kinds.length > 0 ? [t('repaired: {0}', kinds.join(', '))] : [];
    lines.push(`  ${style('green', '✓')} ${toLabel(name)} ${shown}`);
    lines.push(`      ${[format, t('line {0}', lineOf(start)), ...repaired].join('; ')}`);
    for (const { path, message } of schemaIssues) lines.push(`      ${toLabel(`${path} ${message}`)}`);
  }
  if (rejected.length > 0) {
    const one = t('{0} thing looks like a call and was left as text:');
    const many = t('{0} things look like calls and were left as text:');
    lines.push(style('bold', countOf(rejected.length, one, many)));
  }
  for (const { format, start, reason, detail, hint } of rejected) {
    lines.push(`  ${style('red', '✗')} ${toLabel(detail, MAX_SENTENCE)}`);
    lines.push(`      ${[format, t('line {0}', lineOf(start)), reason].join('; ')}`);
    if (hint !== undefined) lines.push(`      → ${toLabel(hint, MAX_SENTENCE)}`);
  }
  return lines.map((line) => `${line}\n`).join('');
}
