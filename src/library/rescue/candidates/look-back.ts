// Looks back from an opener for what belongs to the call: a word, or a tool's name on the line before. Bounded, and never
// looks into an earlier reading.
import { isBlank } from '../text/white-space';
import { startsLine } from '../regions/line-position';
import { readNameBefore } from './name-before';
import type { NameBefore } from './name-before';
import type { RescueContext } from '../core/rescue-context';

const MAX_BLANKS = 4;
const isWordCharacter = (character: string): boolean => /[\p{L}\p{N}_]/u.test(character);

/** The start of `word` before `at`, with at most a few blanks between them; -1 unless that whole word is there. */
export function skipWordBefore(context: RescueContext, at: number, word: string): number {
  const end = skipBlanksBefore(context, at);
  const start = end - word.length;
  const isThere = start >= context.consumedTo && context.text.startsWith(word, start);
  return isThere && !isWordCharacter(context.text.charAt(start - 1)) ? start : -1;
}

/** The name of an offered tool that is alone on the line before `at`. */
export function readNameLine(context: RescueContext, at: number): NameBefore | undefined {
  const { text, tools } = context;
  const end = skipBlanksBefore(context, at);
  if (!text.slice(end, at).includes('\n')) return undefined;
  const named = readNameBefore(context, end);
  const isOurs = named && tools.resolve(named.name) && startsLine(context, named.start);
  return isOurs ? named : undefined;
}

/** Offset after the last character before `at` that is no white space, a few characters back at most. */
export function skipBlanksBefore({ text, consumedTo }: RescueContext, at: number): number {
  const limit = Math.max(consumedTo, at - MAX_BLANKS);
  let end = at;
  while (end > limit && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return end;
}
