// Spells tags in angle brackets, `<ns:name key="x">`, also with the damage that models do to them. Reads tags, never values.
import type { TextSource } from '../core/rescue-context';
import { findTagNameEnd } from '../text/names';
import type { PairSpelling } from './spelling';
import { NO_ATTRIBUTES, readTagRest } from './tag';
import { TagCache } from './tag-cache';
import type { Tag, TagRest, TagRole } from './tag';

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

/** The spelling of a dialect whose tags are `<name …>` and `</name>`. */
export function createAngleSpelling(
  options: AngleOptions,
  properties: Omit<PairSpelling, 'lead' | 'slash' | 'readTag' | 'isCloserCut'>,
): PairSpelling {
  const { prefix = '' } = options;
  const cache = new TagCache();
  return {
    ...properties,
    lead: prefix === '' ? '<' : prefix,
    slash: '</',
    readTag: (source, at) => cache.find(source.text, at) ?? readAngleTag(source, at, options, cache),
    isCloserCut: (rest) => rest.startsWith(`${prefix}</`),
  };
}

/** Reads a tag in angle brackets. Tags that the dialect does not define must have neither label nor attributes. */
function readAngleTag(source: TextSource, at: number, options: AngleOptions, cache: TagCache): Tag | null {
  const tag = readNewTag(source, at, options);
  if (tag) cache.add(source.text, tag);
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
    if (!tail) return null;
    const { end, isEmpty, label, style, attributes } = tail;
    const { name, role: meant } = blankless;
    const { space } = located;
    const damage = 'broken-tag';
    return { start: at, end, isCloser, isEmpty, space, name, role: meant, label, style, attributes, damage };
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
