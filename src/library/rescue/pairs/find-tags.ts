// Searches for tags in a spelling: the next one, one that the end of the text cuts, and one that ends a value.
import { bracketsOf } from './spelling';
import type { PairSpelling } from './spelling';
import type { TextSource } from '../core/rescue-context';
import type { Tag } from './tag';

/** The first tag at or after `from`; null when there is none. */
export function findTag(source: TextSource, spelling: PairSpelling, from: number): Tag | null {
  for (let at = source.find(spelling.lead, from); at !== -1; at = source.find(spelling.lead, at + 1)) {
    const tag = spelling.readTag(source, at);
    if (tag) return tag;
  }
  return null;
}

/** What the text ends in at `at`: before a tag, or inside one that begins there. Undefined when it goes on. */
export function findCut(
  text: string,
  at: number,
  spelling: PairSpelling,
): 'text' | 'opener' | 'closer' | undefined {
  const { lead } = spelling;
  if (at >= text.length) return 'text';
  const rest = text.slice(at, at + LONGEST_CUT);
  if (at + rest.length < text.length || rest.includes('\n')) return undefined;
  const isCut =
    spelling.isOpenerCut?.(rest) === true ||
    lead.startsWith(rest) ||
    (rest.startsWith(lead) && !rest.slice(lead.length).includes(bracketsOf(spelling)[1]));
  if (!isCut) return undefined;
  return spelling.isCloserCut(rest) ? 'closer' : 'opener';
}

const LONGEST_CUT = 200;

/**
 * Whether a closing tag may follow. Saves reading the tags of a loop, which may open hundreds of thousands without closing
 * any.
 */
export const hasCloserAfter = (source: TextSource, { slash }: PairSpelling, from: number): boolean =>
  slash === undefined || source.find(slash, from) !== -1;

/** Where the next parameter opens or the call closes, for a value without tags of its own; undefined when neither happens. */
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
