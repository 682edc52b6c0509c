// Finds the value after a parameter's tag that does not name the parameter; it has no closing tag. Independent of dialects.
import type { TextSource } from '../core/rescue-context';
import { findTag } from './spelling';
import type { PairSpelling } from './spelling';

/** Where the next parameter opens or the call closes; undefined when neither happens. */
export function findNamelessEnd(
  source: TextSource,
  spelling: PairSpelling,
  from: number,
): number | undefined {
  let depth = 0;
  for (let tag = findTag(source, spelling, from); tag; tag = findTag(source, spelling, tag.end)) {
    const isOfCall = tag.role === 'call' || tag.role === 'wrapper';
    // Skips a call that is quoted in the value, up to its end.
    if (isOfCall && (depth > 0 || !tag.isCloser)) depth += tag.isCloser ? -1 : 1;
    else if (depth === 0 && (isOfCall || (tag.role === 'parameter' && !tag.isCloser))) {
      source.meter.spend(from, tag.start);
      return tag.start;
    }
  }
  source.meter.spend(from, source.text.length);
  return undefined;
}

/** The value without one line break at its start and one superfluous closing tag at its end. */
export function trimNameless(text: string, name: string): string {
  const trimmed = text.trimEnd();
  const closer = `</${name}>`;
  const value = trimmed.endsWith(closer) ? trimmed.slice(0, -closer.length) : text;
  return value.startsWith('\n') ? value.slice(1) : value;
}
