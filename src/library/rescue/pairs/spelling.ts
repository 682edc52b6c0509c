// How a dialect spells its tags, as data for the readers of pairs. Reads tags, but never values.
import type { TextSource } from '../core/rescue-context';
import { readTagRest } from './tag';
import { findTagNameEnd } from '../text/names';
import type { Tag, TagRest, TagRole } from './tag';

export interface PairSpelling {
  /** The text with which every tag begins. */
  lead: string;
  /** The text in every closing tag that distinguishes it from an opening one, if there is such a text. */
  slash?: string | undefined;
  /** Reads the tag that begins at `at`; null when there is none. */
  readTag(source: TextSource, at: number): Tag | null;
  /** Whether a tag that is cut off by the end of the text can only have been a closing one. */
  isCloserCut(rest: string): boolean;
  /** The same of an opening one, for tags that have brackets inside them. */
  isOpenerCut?(rest: string): boolean;
  /** The first and the last character of a tag. @default '<>' */
  brackets?: string | undefined;
  /** Texts that every tag has besides its name. */
  marks?: readonly string[] | undefined;
  /** Names of the tags that open calls, by which damaged ones are recognised. */
  callNames?: readonly string[] | undefined;
  /** What another dialect writes before a tool's name, and models sometimes write in this one. */
  foreignHead?: string | undefined;
  /** The closing tag of `opener` as it is written. @default in angle brackets */
  toCloser?(opener: Tag): string;
  /**
   * How line breaks around values are treated. `each`: the format puts every value on lines of its own, so one is removed on
   * each side. `both`: only a line break on both sides was written by habit and is removed; one on a single side belongs to
   * the value.
   */
  breaks: 'each' | 'both';
  /** Whether a value may be in `<![CDATA[…]]>`. */
  hasCdata?: boolean | undefined;
  /** Whether parameters are elements of their own name; elsewhere that is damage. */
  hasOwnNames?: boolean | undefined;
  /** Whether every tag of a dialect has the same prefix or suffix. */
  hasAffixes?: boolean | undefined;
  /** Whether a parameter's tag says if its value is text or JSON. */
  hasTypedTags?: boolean | undefined;
  /** Whether the tool's name follows the tag that opens the call. */
  hasNamesInText?: boolean | undefined;
  /** Whether a name without its tag opens a call inside a wrapper. */
  hasBrokenHeads?: boolean | undefined;
  /** Whether the element of a call may contain the JSON of a whole call. */
  hasJsonBodies?: boolean | undefined;
}

/** The first tag at or after `from`; null when there is none. */
export function findTag(source: TextSource, spelling: PairSpelling, from: number): Tag | null {
  for (let at = source.find(spelling.lead, from); at !== -1; at = source.find(spelling.lead, at + 1)) {
    const tag = spelling.readTag(source, at);
    if (tag) return tag;
  }
  return null;
}

/** The two bracket characters. */
export const bracketsOf = ({ brackets = '<>' }: PairSpelling): [open: string, close: string] => [
  brackets.charAt(0),
  brackets.charAt(1),
];

export interface AngleOptions {
  /** What precedes the `<` of every tag. */
  prefix?: string;
  roles: Readonly<Record<string, TagRole>>;
  /** Whether elements of other names may have attributes. */
  hasAttributes?: boolean;
  /** Splits the name of a tag as written; null when it cannot be of this dialect. */
  locate(fullName: string): { space: string; name: string } | null;
}

/** Splits `ns:name`. */
export function locateByNamespace(fullName: string): { space: string; name: string } | null {
  if (fullName.includes('|')) return null;
  const colon = fullName.lastIndexOf(':');
  return { space: fullName.slice(0, Math.max(0, colon)).toLowerCase(), name: fullName.slice(colon + 1) };
}

/** Reads a tag in angle brackets. Tags that the dialect does not define must have neither label nor attributes. */
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

/** Reads the rest of `</function …>`, a closing tag with more in it than its name. */
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

/** A reply has few different tags, each many times. The cache is keyed by the text of a tag up to its first `>`. */
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
  // A tag with a `>` in quotes cannot be recognised by its text up to the first `>`.
  if (written.length > LONGEST_KNOWN || written.indexOf('>') !== written.length - 1) return;
  let tags = KNOWN.get(options);
  if (!tags) KNOWN.set(options, (tags = new Map()));
  if (tags.size < MOST_KNOWN) tags.set(written, tag);
}

/** Reads `functionname="x"`, in which the space is missing or was replaced by the tokenizer's character for a space. */
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

/** The closing tag of an opening one, as it would be written. */
export function toClosingTag(text: string, spelling: PairSpelling, tag: Tag): string {
  if (spelling.toCloser) return spelling.toCloser(tag);
  const [, close] = bracketsOf(spelling);
  const head = text.slice(tag.start, findBracket(text, spelling, tag) + 1);
  return `${head}/${toWrittenName(text, spelling, tag)}${close}`;
}

/** The name with everything that is added to it, such as a namespace or bars. */
export function toWrittenName(text: string, spelling: PairSpelling, tag: Tag): string {
  const written = text.slice(findBracket(text, spelling, tag) + 1, tag.end);
  const end = written.search(/[\s=>]/);
  const name = end === -1 ? written : written.slice(0, end);
  const [, close] = bracketsOf(spelling);
  return name.endsWith(close) ? name.slice(0, -close.length) : name;
}

/** The opening bracket of the tag itself; the lead of all tags may have one too. */
function findBracket(text: string, spelling: PairSpelling, { start }: Tag): number {
  const [open] = bracketsOf(spelling);
  return text.indexOf(open, spelling.lead.startsWith(open) ? start : start + spelling.lead.length);
}
