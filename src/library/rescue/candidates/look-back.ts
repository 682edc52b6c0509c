// Looks back from an opener for what belongs to the call: a word, or the tool's name where the token in front of it was
// lost. Bounded, and never looks into an earlier reading. Independent of formats.
import { isBlank } from '../text/white-space';
import { startsLine } from '../regions/line-position';
import type { RescueContext } from '../core/rescue-context';

export interface NameBefore {
  name: string;
  start: number;
}

const LONGEST_NAME = 128;
const NAME_CHARACTER = /[\w.\-/\u00c0-\u1fff\u2c00-\ufeff]/;

/**
 * The word that ends at `end`, without the end of a sentence that is joined to it. Null when there is none. The name need
 * not be offered.
 */
export function readNameBefore(context: RescueContext, end: number): NameBefore | null {
  const { text, consumedTo, tools } = context;
  const limit = Math.max(consumedTo, end - LONGEST_NAME);
  let start = end;
  while (start > limit && NAME_CHARACTER.test(text.charAt(start - 1))) start -= 1;
  context.meter.spend(start, end);
  if (start === end) return null;
  for (let from = start; from < end; from = nextPart(text, from, end)) {
    if (tools.resolve(text.slice(from, end))) return { name: text.slice(from, end), start: from };
  }
  return { name: text.slice(start, end), start };
}

/** The offset after the next dot, or where ASCII begins: in "I look.get_weather" a sentence is joined to the name. */
function nextPart(text: string, from: number, end: number): number {
  for (let at = from + 1; at < end; at += 1) {
    const before = text.charCodeAt(at - 1);
    if (before === 46 || (before > 127 && text.charCodeAt(at) < 128)) return at;
  }
  return end;
}

/**
 * The tool that a recipient such as `functions.get_weather` names, without the namespace that the format puts before every
 * name.
 */
export function toToolName(context: RescueContext, recipient: string): string {
  const exact = context.tools.resolve(recipient);
  if (exact && exact.repairs.length === 0) return recipient;
  return recipient.startsWith(NAMESPACE) ? recipient.slice(NAMESPACE.length) : recipient;
}

const NAMESPACE = 'functions.';

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
