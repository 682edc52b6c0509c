// The parts of a call written as pairs: its short texts, and what a tag says about its value. Independent of their order.
import type { RepairLog } from '../core/repair-log';
import { findGarbled } from './tags/garbled-tag';
import type { TypeHint } from './call/pair-value';
import type { PairSpelling } from './tags/spelling';
import type { Tag } from './tags/tag';
import type { TagSource } from './tags/tag-source';

interface ShortValue {
  text: string;
  end: number;
}

const LONGEST_SHORT = 256;

/** Reads the text up to the next tag, and that tag too if it is a closing one. Undefined when the text ends before. */
export function readShort(tags: TagSource, tag: Tag, log: RepairLog): ShortValue | undefined {
  const { text, spelling } = tags;
  const limit = Math.min(text.length, tag.end + LONGEST_SHORT);
  let at = tag.end;
  while (at < limit && !text.startsWith(spelling.lead, at)) at += 1;
  if (tag.role === 'key') at = findKeyCloser(tags, tag, limit) ?? at;
  tags.source.meter.spend(tag.end, at);
  if (tags.findCut(at)) return undefined;
  const written = text.slice(tag.end, at).trim();
  const short = written.startsWith(tags.close) ? written.slice(tags.close.length) : written;
  if (short !== written) log.add('broken-tag', tag.end);
  const next = tags.read(at);
  if (!next?.isCloser) {
    const garbled = findGarbled(short, tags.toCloser(tag));
    if (garbled !== undefined) log.add('broken-tag', tag.end + garbled);
    return { text: short.slice(0, garbled), end: at };
  }
  if (next.role !== tag.role) log.add('wrong-close-tag', at);
  return { text: short, end: next.end };
}

/** A key may contain what looks like a tag, if its own closing tag comes before any other tag of the format. */
function findKeyCloser(tags: TagSource, { end, role }: Tag, limit: number): number | undefined {
  let tag = tags.find(end);
  while (tag && tag.start < limit && !tag.isCloser && !tag.role) tag = tags.find(tag.end);
  const isOwn = tag?.isCloser === true && tag.role === role && tag.start < limit;
  return isOwn ? tag?.start : undefined;
}

/** Such as an attribute that has a typo in its name; then what the tag says of its value cannot be trusted. */
export const hasUnknownAttribute = ({ attributes }: Tag): boolean =>
  [...attributes.keys()].some((name) => !KNOWN_ATTRIBUTES.has(name));

const KNOWN_ATTRIBUTES: ReadonlySet<string> = new Set(['name', 'key', 'type', 'string', 'value']);

/** What the tag says about its value. */
export function toHint({ attributes }: Tag, { hasTypedTags }: PairSpelling): TypeHint {
  const isRaw = attributes.get('string')?.toLowerCase();
  const type = attributes.get('type');
  if (isRaw !== undefined) return isRaw === 'true' ? { isText: true } : { isJson: true };
  if (type === undefined || !hasTypedTags) return { type };
  return type === 'string' ? { isText: true } : { isJson: true, type };
}

/** The value without one line break at its start and one superfluous closing tag at its end. */
export function trimNameless(text: string, closer: string): string {
  const trimmed = text.trimEnd();
  const value = trimmed.endsWith(closer) ? trimmed.slice(0, -closer.length) : text;
  return value.startsWith('\n') ? value.slice(1) : value;
}
