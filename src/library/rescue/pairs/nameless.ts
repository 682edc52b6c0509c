// Finds the value after a parameter's tag that does not name the parameter; it has no closing tag. Independent of dialects.
import type { TextSource } from '../core/rescue-context';
import type { PairSpelling } from './spelling';

/** Where the next parameter opens or the call closes; undefined when neither happens. */
export function findNamelessEnd(
  source: TextSource,
  spelling: PairSpelling,
  from: number,
): number | undefined {
  let depth = 0;
  for (let at = source.find(spelling.lead, from); at !== -1; at = source.find(spelling.lead, at + 1)) {
    const tag = spelling.readTag(source, at);
    // Skips a call that is quoted in the value, up to its end.
    if (depth > 0 || (tag?.isCloser === false && (tag.role === 'call' || tag.role === 'wrapper'))) {
      if (tag?.role === 'call' || tag?.role === 'wrapper') depth += tag.isCloser ? -1 : 1;
      continue;
    }
    const isEnd = tag?.isCloser === true && (tag.role === 'call' || tag.role === 'wrapper');
    if (!isEnd && !(tag?.role === 'parameter' && !tag.isCloser)) continue;
    source.meter.spend(from, at);
    return at;
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
