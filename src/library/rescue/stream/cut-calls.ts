// Joins stretches of a text and leaves out the calls in them. Makes no decisions.
import type { Span } from '../text/cut-text';

/** Both lists are in the order of the text. */
export function cutCalls(text: string, stretches: readonly Span[], calls: readonly Span[]): string {
  const pieces: string[] = [];
  let index = 0;
  for (const { start, end } of stretches) {
    let from = start;
    while (index < calls.length && (calls[index]?.end ?? 0) <= start) index += 1;
    for (let next = index; next < calls.length && (calls[next]?.start ?? end) < end; next += 1) {
      const call = calls[next];
      if (!call) break;
      if (call.start > from) pieces.push(text.slice(from, call.start));
      from = Math.max(from, Math.min(end, call.end));
    }
    pieces.push(text.slice(from, end));
  }
  return pieces.join('');
}

/** The spans in order, without what lies before `from`. Overlapping spans are joined. */
export function joinSpans(spans: readonly Span[], from: number): Span[] {
  const joined: Span[] = [];
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else if (end > from) joined.push({ start: Math.max(start, from), end });
  }
  return joined;
}
