// What stands before an opener that comes after it: a word, or a tool's name on a line of its own. Bounded, and never
// before what an earlier reading took.
import { isBlank } from '../json/blank';
import { startsLine } from '../line-place';
import { readNameBefore } from '../name-before';
import type { NameBefore } from '../name-before';
import type { RescueContext } from '../rescue-context';

const MOST_BLANKS = 4;
const isWordCharacter = (character: string): boolean => /[\p{L}\p{N}_]/u.test(character);

/** Where `word` stands before `at` and a few blanks, and nothing longer does; -1 when it does not. */
export function skipWordBefore(context: RescueContext, at: number, word: string): number {
  const end = skipBlanksBefore(context, at);
  const start = end - word.length;
  const isThere = start >= context.floor && context.text.startsWith(word, start);
  return isThere && !isWordCharacter(context.text.charAt(start - 1)) ? start : -1;
}

/** The name of an offered tool, alone on the line before the one of `at`. */
export function readNameLine(context: RescueContext, at: number): NameBefore | undefined {
  const { text, tools } = context;
  const end = skipBlanksBefore(context, at);
  if (!text.slice(end, at).includes('\n')) return undefined;
  const named = readNameBefore(context, end);
  const isOurs = named && tools.resolve(named.name) && startsLine(text, named.start);
  return isOurs ? named : undefined;
}

function skipBlanksBefore({ text, floor }: RescueContext, at: number): number {
  const limit = Math.max(floor, at - MOST_BLANKS);
  let end = at;
  while (end > limit && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return end;
}
