// Reads a text that is JSON, with or without a code fence around it.
import { t } from '@vscode/l10n';
import type { ParseError } from 'jsonc-parser';
import { parse } from 'jsonc-parser';

/** The mark of a code fence, as in CommonMark. */
const FENCE = /(?:`{3,}|~{3,})/y;

/** @returns the value, or why the text is not JSON: the end of a sentence */
export function readFencedJson(text: string): { value: unknown } | { reason: string } {
  const { start, end } = insideFence(text);
  const inner = text.slice(start, end);
  try {
    return { value: JSON.parse(inner) as unknown };
  } catch {
    return { reason: explain(text, start, inner) };
  }
}

/** The part of the text between the marks of one code fence that surrounds it; all of it without one. */
function insideFence(text: string): { start: number; end: number } {
  const start = text.length - text.trimStart().length;
  const end = text.trimEnd().length;
  const line = text.indexOf('\n', start);
  FENCE.lastIndex = start;
  const [mark] = FENCE.exec(text) ?? [];
  const isFenced = mark !== undefined && line !== -1 && line < end - mark.length && text.endsWith(mark, end);
  return isFenced ? { start: line + 1, end: end - mark.length } : { start, end };
}

/** Says where it ends to be JSON. The parser of the engine does not tell in each of its messages. */
function explain(text: string, start: number, inner: string): string {
  if (inner.trim() === '') return t('it is empty');
  const errors: ParseError[] = [];
  try {
    parse(inner, errors, { disallowComments: true });
  } catch {
    return t('it is nested too deeply');
  }
  const at = start + (errors[0]?.offset ?? 0);
  const character = text.slice(at).match(/^\s*([^\s])/u)?.[1];
  if (character === undefined || at >= start + inner.length) return t('it ends too early');
  return t('unexpected {0} at character {1}', JSON.stringify(character), at + 1);
}
