// Recognises tags with one or two wrong characters: `/parameter>`, `</paramter>`, `parameter=city>`. Independent of formats.
import { countEdits } from '../../text/edit-distance';
import type { TagSource } from './tag-source';

const MAX_EDITS = 2;
const SHORTEST = 6;
const FIRST_SIGNS = '/|｜]';

/** The length of the text before a garbled `closer` at its end; undefined when there is none. */
export function findGarbled(text: string, closer: string): number | undefined {
  const trimmed = text.trimEnd();
  const most = closer.length < SHORTEST + MAX_EDITS ? 1 : MAX_EDITS;
  let best: { start: number; edits: number } | undefined;
  for (let length = closer.length - most; length <= closer.length + most; length += 1) {
    const start = trimmed.length - length;
    if (start < 0) break;
    // What precedes the tag belongs to the value.
    if (!`${FIRST_SIGNS}${closer.slice(0, 2)}`.includes(trimmed.charAt(start))) continue;
    const edits = countEdits(trimmed.slice(start), closer);
    if (edits <= most && edits <= (best?.edits ?? Infinity)) best = { start, edits };
  }
  return best?.start;
}

/** The length of a garbled `opener` at the start of the text; 0 when there is none. */
export function skipGarbled(text: string, opener: string): number {
  const last = opener.slice(-1);
  let best = { length: 0, edits: MAX_EDITS + 1 };
  for (let length = 1; length <= opener.length + MAX_EDITS; length += 1) {
    if (text.charAt(length - 1) !== last) continue;
    const edits = countEdits(text.slice(0, length), opener);
    if (edits < best.edits) best = { length, edits };
  }
  return best.length;
}

const MAX_SIGNS = 4;
const LONGEST_NAME = 40;
const TAG_END = /^(?:=|\s(?:name|key)=)/;

/** Whether a tag at `at` has one of the `names` with one or two wrong characters, or one that runs into what follows it. */
export function isNearTag({ text, open, close }: TagSource, at: number, names: readonly string[]): boolean {
  let from = at;
  while (from - at < MAX_SIGNS && isOneOf(`${open}]/`, text.charAt(from))) from += 1;
  let end = from;
  while (end - from < LONGEST_NAME && !isOneOf(`${open}${close}="'/`, text.charAt(end) || '=')) {
    if (text.charAt(end).trim() === '') break;
    end += 1;
  }
  if (end - from < 2) return false;
  const written = text.slice(from, end).toLowerCase();
  // Without its bracket it may be a word of the text.
  const isOpened = from > at && isOneOf(`${open}]`, text.charAt(at));
  const isTag = isOpened || text.startsWith(close, end) || TAG_END.test(text.slice(end, end + LONGEST_NAME));
  return isTag && names.some((name) => isNear(written, name.toLowerCase()));
}

const isOneOf = (characters: string, character: string): boolean =>
  character !== '' && characters.includes(character);

function isNear(word: string, name: string): boolean {
  if (name.length < 2) return false;
  if (name.length >= SHORTEST && word.startsWith(name)) return true;
  const most = name.length < SHORTEST ? 1 : MAX_EDITS;
  return Math.abs(name.length - word.length) <= most && countEdits(word, name) <= most;
}
