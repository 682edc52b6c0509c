// Removes spans from a text, with the white space that would be left over. Independent of calls.
import { isBlank, skipWhite } from './white-space';

export interface Span {
  start: number;
  end: number;
}

/**
 * The trimmed text without the spans. The white space on both sides of a span is reduced to that of one side, the one with
 * more line breaks. Other white space is kept.
 */
export function cutText(text: string, cuts: readonly Span[]): string {
  if (cuts.length === 0) return text.trim(); // nearly always; a copy of a long text takes as long as the search in it
  const pieces: string[] = [];
  let from = 0;
  for (const cut of merge(text, cuts)) {
    pieces.push(text.slice(from, cut.start));
    from = cut.end;
  }
  pieces.push(text.slice(from));
  return pieces.join('').trim();
}

/** Sorts the spans, joins those with only white space between them, and widens them by the white space that is left over. */
function merge(text: string, cuts: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const { start, end } of cuts.toSorted((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last && skipWhite(text, last.end) >= start) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  for (const span of merged) widen(text, span);
  return merged;
}

function widen(text: string, span: Span): void {
  const before = skipWhiteBefore(text, span.start);
  const after = skipWhite(text, span.end);
  const breaksBefore = countBreaks(text, before, span.start);
  const breaksAfter = countBreaks(text, span.end, after);
  if (breaksBefore === breaksAfter && before === span.start) return;
  if (breaksBefore >= breaksAfter) span.end = after;
  else span.start = before;
}

/** Offset after the last character before `at` that is not white space; 0 when there is none. */
export function skipWhiteBefore(text: string, at: number): number {
  let before = at;
  while (before > 0 && isBlank(text.charCodeAt(before - 1))) before -= 1;
  return before;
}

function countBreaks(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at) === 10) count += 1;
  return count;
}
