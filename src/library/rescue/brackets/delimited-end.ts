// Finds where a string between delimiters ends, even if the second delimiter is missing and the call continues or ends after
// it. Independent of calls.
import { skipWhite } from '../text/white-space';
import type { TextSource } from '../core/rescue-context';

interface DelimitedPlace {
  delimiter: string;
  /** Whether the string is the value of a member of the call. */
  isMember: boolean;
  /** Whether the key is a parameter that the tool declares and the call does not have yet. */
  isNew: (key: string) => boolean;
  /** Texts that end a call. */
  ends: readonly string[];
}

interface DelimitedEnd {
  end: number;
  isClosed: boolean;
}

/** Undefined when the text ends inside the string. @param from Offset after the first delimiter. */
export function findDelimitedEnd(
  source: TextSource,
  from: number,
  place: DelimitedPlace,
): DelimitedEnd | undefined {
  const { text } = source;
  const closer = source.find(place.delimiter, from);
  if (closer !== -1 && (!place.isMember || isClosing(text, closer + place.delimiter.length)))
    return { end: closer, isClosed: true };
  if (!place.isMember) return undefined;
  const stop = findFirst(source, place.ends, from);
  const isBefore = closer !== -1 && (stop === -1 || closer < stop);
  const comma = isBefore ? findMember(text, from, closer, place) : -1;
  if (comma !== -1) return { end: comma, isClosed: false };
  if (isBefore) return { end: closer, isClosed: true };
  const brace = stop === -1 ? -1 : text.lastIndexOf('}', stop);
  return brace < from ? undefined : { end: brace, isClosed: false };
}

/** Whether the call continues or ends after the delimiter, or the text ends. */
const isClosing = (text: string, after: number): boolean => {
  const next = text.charAt(skipWhite(text, after));
  return next === '' || ',}])'.includes(next);
};

function findFirst(source: TextSource, needles: readonly string[], from: number): number {
  const found = needles.map((needle) => source.find(needle, from)).filter((at) => at !== -1);
  return found.length === 0 ? -1 : Math.min(...found);
}

/** The comma before the member whose value the delimiter at `to` opens; -1 when there is none. */
function findMember(text: string, from: number, to: number, { isNew }: DelimitedPlace): number {
  const piece = text.slice(Math.max(from, to - LONGEST_MEMBER), to);
  const [whole = '', key = ''] = MEMBER.exec(piece) ?? [];
  return key !== '' && isNew(key) ? to - whole.length : -1;
}

const LONGEST_MEMBER = 160;
const MEMBER = /,\s{0,8}([\w.$-]{1,128})\s{0,8}:\s{0,8}$/;
