// Finds where a call ends whose parameters cannot be read. Independent of what is in it.
import type { CallScope } from '../call/call-scope';

/** Offset after the closing tag of the call that is open at `from`; undefined when there is none. */
export function findCallEnd(scope: CallScope, from: number): number | undefined {
  const { tags } = scope;
  const { name } = scope.values;
  const { source: context, spelling } = tags;
  const { lastEndless } = context;
  const isEndless =
    lastEndless?.spelling === spelling && lastEndless.name === name && lastEndless.from <= from;
  let depth = 0;
  let hasEnd = false;
  let tag = !isEndless && tags.mayCloseAfter(from) ? tags.find(from) : null;
  for (; tag; tag = tags.find(tag.end)) {
    if (scope.isCallStart(tag)) depth += 1;
    else if (scope.isCallEnd(tag)) {
      if (depth === 0) break;
      depth -= 1;
      hasEnd = true;
    }
  }
  // Remembered, because a loop may open hundreds of thousands of calls.
  if (!tag && !hasEnd && !isEndless) context.lastEndless = { spelling, name, from };
  context.meter.spend(isEndless ? context.text.length : from, tag?.end ?? context.text.length);
  return tag?.end;
}
