// Tags of which one or two signs are wrong: `/parameter>`, `</paramter>`, `parameter=city>`. Knows no format.
import { TextSource } from '../rescue-context';
import type { PairSpelling } from './spelling';
import type { Tag } from './tag';

const MOST_EDITS = 2;
const SHORTEST = 6;
const FIRST_SIGNS = '</|｜]';

/** How much of the text stands before a garbled `closer` at its end; undefined when there is none. */
export function findGarbled(text: string, closer: string): number | undefined {
  const trimmed = text.trimEnd();
  const most = closer.length < SHORTEST + MOST_EDITS ? 1 : MOST_EDITS;
  let best: { start: number; edits: number } | undefined;
  for (let length = closer.length - most; length <= closer.length + most; length += 1) {
    const start = trimmed.length - length;
    if (start < 0) break;
    // what stands before the tag is the value's
    if (!FIRST_SIGNS.includes(trimmed.charAt(start))) continue;
    const edits = countEdits(trimmed.slice(start), closer);
    if (edits <= most && edits <= (best?.edits ?? Infinity)) best = { start, edits };
  }
  return best?.start;
}

/** Signs to put in, to take out or to change. */
export function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let line = 1; line <= one.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= other.length; column += 1) {
      const change = one.charAt(line - 1) === other.charAt(column - 1) ? 0 : 1;
      const above = (row[column] ?? 0) + 1;
      next.push(Math.min(above, (next[column - 1] ?? 0) + 1, (row[column - 1] ?? 0) + change));
    }
    row = next;
  }
  return row[other.length] ?? other.length;
}

const LONGEST_TAG = 256;

/** The tag at `at`, also when its bracket is missing or is there twice. */
export function readDamagedTag(source: TextSource, spelling: PairSpelling, at: number): Tag | null {
  const tag = spelling.readTag(source, at);
  if (tag || spelling.lead !== '<') return tag;
  const isDoubled = source.text.startsWith('<<', at);
  if (isDoubled) return markBroken(spelling.readTag(source, at + 1), at, 0);
  const code = source.text.charCodeAt(at);
  const mayBegin = code === 47 || code === 0xff5c || (code >= 97 && code <= 122);
  if (!mayBegin) return null;
  const piece = new TextSource(`<${source.text.slice(at, at + LONGEST_TAG)}`);
  return markBroken(spelling.readTag(piece, 0), at, at - 1);
}

/** Only a tag that names something, or that closes a call, is worth it: the rest may be a word of the text. */
function markBroken(tag: Tag | null, start: number, shift: number): Tag | null {
  if (!tag || tag.damage === 'broken-tag') return null;
  const isNamed = tag.label !== undefined && (tag.role === 'parameter' || tag.role === 'call');
  const isKey = tag.role === 'key' && !tag.isCloser;
  const isEnd = tag.isCloser && (tag.role === 'call' || tag.role === 'wrapper');
  return isNamed || isKey || isEnd ? { ...tag, start, end: tag.end + shift, damage: 'broken-tag' } : null;
}

const TOKEN = /^[<\]/]{0,4}([^\s<>="'/]{2,40})/;
const TAG_END = /^(?:[>=]|\s(?:name|key)=)/;

/** A tag stands here whose name is one of `names` but for a sign or two, or runs into what follows it. */
export function isNearTag(text: string, at: number, names: readonly string[]): boolean {
  const piece = text.slice(at, at + 64);
  const [token = '', written = ''] = TOKEN.exec(piece) ?? [];
  if (written === '') return false;
  // without its bracket it may be a word of the text
  const isTag = token.startsWith('<') || token.startsWith(']') || TAG_END.test(piece.slice(token.length));
  return isTag && names.some((name) => isNear(written.toLowerCase(), name.toLowerCase()));
}

function isNear(word: string, name: string): boolean {
  if (name.length < 2) return false;
  if (name.length >= SHORTEST && word.startsWith(name)) return true;
  const most = name.length < SHORTEST ? 1 : MOST_EDITS;
  return Math.abs(name.length - word.length) <= most && countEdits(word, name) <= most;
}
