// Edits of a text: applying them, and finding one that leads from a text to another.
import type { TextEdit } from '../ports';

/** @param edits In their order, apart from one another. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let done = 0;
  for (const { offset, length, text: inserted } of edits) {
    result += text.slice(done, offset) + inserted;
    done = offset + length;
  }
  return result + text.slice(done);
}

/** One edit of the part that differs, or none. It never cuts a surrogate pair or a \r\n in two. */
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

/** Whether the units on both sides of the place belong together. */
function isCut(text: string, at: number): boolean {
  const [left, right] = [text[at - 1] ?? '', text[at] ?? ''];
  return (left === '\r' && right === '\n') || (/[\uD800-\uDBFF]/.test(left) && /[\uDC00-\uDFFF]/.test(right));
}
