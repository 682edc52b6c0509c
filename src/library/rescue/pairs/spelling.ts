// How a dialect spells its tags, as data for the readers of pairs. It reads tags, never values.
import type { TextSource } from '../core/rescue-context';
import { readTagRest } from './tag';
import { findTagNameEnd } from '../text/names';
import type { Tag, TagRest, TagRole } from './tag';

export interface PairSpelling {
  /** What every tag begins with. */
  lead: string;
  /** Stands in every closing tag, if anything does. */
  slash?: string | undefined;
  /** The tag that begins at `at`; null when none does. */
  readTag(source: TextSource, at: number): Tag | null;
  /** Whether a tag that the end of the text cut can only have been a closing one. */
  isCloserCut(rest: string): boolean;
  /** The first and the last character of a tag. @default '<>' */
  brackets?: string | undefined;
  /** What stands in every tag beside its name. */
  marks?: readonly string[] | undefined;
  /** The names of the tags that open calls; a damaged one is told by them. */
  callNames?: readonly string[] | undefined;
  /** What another dialect writes before a tool's name, and a model now and then here. */
  foreignHead?: string | undefined;
  /** The tag that closes `opener`, as it is written. @default in angle brackets */
  toCloser?(opener: Tag): string;
  /**
   * Line breaks of the markup: `each` for formats that put every value on lines of its own; `both` where a value that
   * has one on both sides was put there by habit, and one on one side alone is the value's.
   */
  breaks: 'each' | 'both';
  /** A value may stand in `<![CDATA[…]]>`. */
  hasCdata?: boolean | undefined;
  /** Parameters are elements of their own name; elsewhere that is damage. */
  hasOwnNames?: boolean | undefined;
  /** Every tag of a dialect carries the same prefix or suffix. */
  hasAffixes?: boolean | undefined;
  /** A parameter's tag says whether its value is text or JSON. */
  hasTypedTags?: boolean | undefined;
  /** The tool's name stands after the tag that opens the call. */
  hasNamesInText?: boolean | undefined;
  /** In a wrapper, a name without its tag opens a call. */
  hasBrokenHeads?: boolean | undefined;
  /** What a call's element holds may be the JSON of a whole call. */
  hasJsonBodies?: boolean | undefined;
}

/** The two characters, one by one. */
export const bracketsOf = ({ brackets = '<>' }: PairSpelling): [open: string, close: string] => [
  brackets.charAt(0),
  brackets.charAt(1),
];

export interface AngleOptions {
  /** Before the `<` of every tag. */
  prefix?: string;
  roles: Readonly<Record<string, TagRole>>;
  /** Elements of other names may have attributes. */
  hasAttributes?: boolean;
  /** The parts of a name as written; null when it cannot be of this dialect. */
  locate(fullName: string): { space: string; name: string } | null;
}

/** `ns:name` */
export function locateByNamespace(fullName: string): { space: string; name: string } | null {
  if (fullName.includes('|')) return null;
  const colon = fullName.lastIndexOf(':');
  return { space: fullName.slice(0, Math.max(0, colon)).toLowerCase(), name: fullName.slice(colon + 1) };
}

/** Tags in angle brackets; those that the dialect does not know only in their plainest form. */
export function readAngleTag(source: TextSource, at: number, options: AngleOptions): Tag | null {
  const known = findKnown(source.text, at, options);
  if (known) return known;
  const tag = readNewTag(source, at, options);
  if (tag && tag.damage === undefined) remember(source.text, tag, options);
  return tag;
}

function readNewTag(source: TextSource, at: number, options: AngleOptions): Tag | null {
  const { text } = source;
  const { prefix = '' } = options;
  const bracket = at + prefix.length;
  if (text.charCodeAt(bracket) !== 60 || !text.startsWith(prefix, at)) return null;
  const isCloser = text.charCodeAt(bracket + 1) === 47;
  const from = bracket + (isCloser ? 2 : 1);
  const nameEnd = findTagNameEnd(text, from);
  if (nameEnd === from) return null;
  const located = options.locate(text.slice(from, nameEnd));
  if (!located) return null;
  const folded = located.name.toLowerCase();
  const role = Object.hasOwn(options.roles, folded) ? options.roles[folded] : undefined;
  const blankless = role === undefined ? readBlankless(text, folded, nameEnd, options) : undefined;
  if (blankless) {
    const tail = readTagRest(source, nameEnd - NAME_ATTRIBUTE.length, '>');
    return (
      tail && {
        ...tail,
        ...located,
        name: blankless.name,
        role: blankless.role,
        start: at,
        isCloser,
        damage: 'broken-tag',
      }
    );
  }
  const isPlain = text.startsWith('>', nameEnd) || text.startsWith('/>', nameEnd);
  const isKnown = role !== undefined || isPlain || options.hasAttributes === true;
  const rest = isKnown
    ? (readTagRest(source, nameEnd, '>') ?? readCloserRest(text, nameEnd, isCloser, role))
    : null;
  if (!rest) return null;
  const { space, name } = located;
  const { end, isEmpty, label, style, attributes, damage } = rest;
  return { start: at, end, isCloser, isEmpty, space, name, role, label, style, attributes, damage };
}

/** `</function …>`: the end of a call with more in it than its name. */
function readCloserRest(
  text: string,
  from: number,
  isCloser: boolean,
  role: TagRole | undefined,
): TagRest | null {
  if (!isCloser || (role !== 'call' && role !== 'wrapper')) return null;
  const [rest] = CLOSER_REST.exec(text.slice(from, from + LONGEST_REST)) ?? [];
  if (rest === undefined) return null;
  return { end: from + rest.length, isEmpty: false, attributes: NO_ATTRIBUTES, damage: 'broken-tag' };
}

const LONGEST_REST = 48;
const CLOSER_REST = /^\s[^<>\n]*>/;
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/** A reply has few different tags, and many of each: by what is written, up to their first `>`. */
const KNOWN = new WeakMap<AngleOptions, Map<string, Tag>>();
const MOST_KNOWN = 64;
const LONGEST_KNOWN = 80;

function findKnown(text: string, at: number, options: AngleOptions): Tag | undefined {
  const tags = KNOWN.get(options);
  const length = tags ? text.slice(at, at + LONGEST_KNOWN).indexOf('>') + 1 : 0;
  const tag = length > 0 ? tags?.get(text.slice(at, at + length)) : undefined;
  return tag && { ...tag, start: at, end: at + length };
}

function remember(text: string, tag: Tag, options: AngleOptions): void {
  const written = text.slice(tag.start, tag.end);
  // one that goes on behind a bracket in quotes is told by more than that
  if (written.length > LONGEST_KNOWN || written.indexOf('>') !== written.length - 1) return;
  let tags = KNOWN.get(options);
  if (!tags) KNOWN.set(options, (tags = new Map()));
  if (tags.size < MOST_KNOWN) tags.set(written, tag);
}

/** `functionname="x"`: the blank between the two is gone, or is the sign that a tokenizer has for one. */
function readBlankless(
  text: string,
  folded: string,
  nameEnd: number,
  { roles }: AngleOptions,
): { name: string; role: TagRole | undefined } | undefined {
  if (text.charCodeAt(nameEnd) !== 61 || !folded.endsWith(NAME_ATTRIBUTE)) return undefined;
  const name = folded.slice(0, -NAME_ATTRIBUTE.length).replace(TOKENIZER_BLANK, '');
  const role = Object.hasOwn(roles, name) ? roles[name] : undefined;
  return role === 'call' || role === 'parameter' ? { name, role } : undefined;
}

const NAME_ATTRIBUTE = 'name';
const TOKENIZER_BLANK = 'ġ';

export const isAngleCloserCut = (rest: string): boolean => rest.startsWith('</');

/** The closing tag that belongs to an opening one, as it would be written. */
export function toClosingTag(text: string, spelling: PairSpelling, tag: Tag): string {
  if (spelling.toCloser) return spelling.toCloser(tag);
  const [, close] = bracketsOf(spelling);
  const head = text.slice(tag.start, findBracket(text, spelling, tag) + 1);
  return `${head}/${toWrittenName(text, spelling, tag)}${close}`;
}

/** The name with everything that is put on it, such as a namespace or bars. */
export function toWrittenName(text: string, spelling: PairSpelling, tag: Tag): string {
  const written = text.slice(findBracket(text, spelling, tag) + 1, tag.end);
  const end = written.search(/[\s=>]/);
  const name = end === -1 ? written : written.slice(0, end);
  const [, close] = bracketsOf(spelling);
  return name.endsWith(close) ? name.slice(0, -close.length) : name;
}

/** The tag's own opening bracket; what every tag begins with may have one as well. */
function findBracket(text: string, spelling: PairSpelling, { start }: Tag): number {
  const [open] = bracketsOf(spelling);
  return text.indexOf(open, spelling.lead.startsWith(open) ? start : start + spelling.lead.length);
}
