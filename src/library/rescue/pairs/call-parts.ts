// The parts of a call written as pairs: its short texts, and what a tag says about its value. Independent of their order.
import type { CallArguments } from './call/call-arguments';
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
  if (!next?.isCloser) return { text: cutGarbled(tags, short, tag, log), end: at };
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

/** The value without a closing tag that has a typo. */
export function cutGarbled(tags: TagSource, value: string, tag: Tag, log: RepairLog): string {
  const length = findGarbled(value, tags.toCloser(tag));
  if (length === undefined) return value;
  log.add('broken-tag', tag.end + length);
  return value.slice(0, length);
}

/** The length of the value before a closing tag at its end that is named after a parameter, or as other formats name one. */
export function findOtherCloser(
  { spelling }: TagSource,
  value: string,
  known: CallArguments,
): number | undefined {
  const trimmed = value.trimEnd();
  // Elsewhere it is the rest of a damaged tag.
  const start = spelling.lead === '<' ? trimmed.lastIndexOf('</') : -1;
  const [, name] = OTHER_CLOSER.exec(start === -1 ? '' : trimmed.slice(start, start + LONGEST_SHORT)) ?? [];
  const isOther = name !== undefined && (known.declares(name) === true || PARAMETER_NAMES.has(name));
  // What is opened in the value belongs to it.
  return isOther && !value.includes(`<${name}`) ? start : undefined;
}

/** Whether a value without a closing tag ends in one, or in half of one, that closes nothing in it. */
export function endsInCloser(value: string): boolean {
  const trimmed = value.trimEnd();
  const start = trimmed.lastIndexOf('</');
  const [, name] = HALF_CLOSER.exec(start === -1 ? '' : trimmed.slice(start, start + LONGEST_SHORT)) ?? [];
  if (name === undefined) return false;
  return !value.toLowerCase().includes(name === '' ? '<>' : `<${name.toLowerCase()}`);
}

const HALF_CLOSER = /^<\/([^<>\s]{0,64})>?\w?$/;

/** With a namespace, a prefix or a suffix. */
const OTHER_CLOSER = /^<\/(?:[\w-]{1,32}[:|])?([\w.$-]{1,128})(?::\w{1,32})?>$/;
const PARAMETER_NAMES: ReadonlySet<string> = new Set(['parameter', 'param', 'arg_key', 'arg_value']);

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
export function trimNameless(text: string, name: string): string {
  const trimmed = text.trimEnd();
  const closer = `</${name}>`;
  const value = trimmed.endsWith(closer) ? trimmed.slice(0, -closer.length) : text;
  return value.startsWith('\n') ? value.slice(1) : value;
}
