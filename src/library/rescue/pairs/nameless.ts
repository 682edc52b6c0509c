// The value behind a parameter whose tag does not name it: it has no closing tag of its own. Knows no dialect.
import type { TextSource } from '../core/rescue-context';
import type { PairSpelling } from './spelling';

/** Where the next parameter opens or the call closes; undefined when neither does. */
export function findNamelessEnd(
  source: TextSource,
  spelling: PairSpelling,
  from: number,
): number | undefined {
  let depth = 0;
  for (let at = source.find(spelling.lead, from); at !== -1; at = source.find(spelling.lead, at + 1)) {
    const tag = spelling.readTag(source, at);
    // a call that is quoted in the value ends there
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

/** Without one line break at the start, and without one more closing tag at the end. */
export function trimNameless(text: string, name: string): string {
  const trimmed = text.trimEnd();
  const closer = `</${name}>`;
  const value = trimmed.endsWith(closer) ? trimmed.slice(0, -closer.length) : text;
  return value.startsWith('\n') ? value.slice(1) : value;
}
