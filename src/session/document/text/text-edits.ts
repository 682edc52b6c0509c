// Applies edits to a text, and finds the edit that leads from one text to another.
import type { TextEdit } from '../../ports';

/** @param edits In ascending order, not overlapping. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let done = 0;
  for (const { offset, length, text: inserted } of edits) {
    result += text.slice(done, offset) + inserted;
    done = offset + length;
  }
  return result + text.slice(done);
}

/** Returns one edit for the part that differs, or none. The edit never splits a surrogate pair or a \r\n. */
export function toTextEdits(before: string, after: string): TextEdit[] {
  if (before === after) return [];
  const shorter = Math.min(before.length, after.length);
  let prefix = 0;
  while (prefix < shorter && before[prefix] === after[prefix]) prefix++;
  if (isCut(before, prefix) || isCut(after, prefix)) prefix--;
  let suffix = 0;
  while (suffix < shorter - prefix && before.at(-1 - suffix) === after.at(-1 - suffix)) suffix++;
  if (isCut(before, before.length - suffix) || isCut(after, after.length - suffix)) suffix--;
  return [
    {
      offset: prefix,
      length: before.length - suffix - prefix,
      text: after.slice(prefix, after.length - suffix),
    },
  ];
}

/** Whether the code units on both sides of the offset belong together. */
function isCut(text: string, at: number): boolean {
  const [left, right] = [text[at - 1] ?? '', text[at] ?? ''];
  return (left === '\r' && right === '\n') || (/[\uD800-\uDBFF]/.test(left) && /[\uDC00-\uDFFF]/.test(right));
}
