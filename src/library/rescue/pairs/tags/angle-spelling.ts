// Spells tags in angle brackets, `<ns:name key="x">`, also with the damage that models do to them. Reads tags, never values.
import type { TextSource } from '../../core/rescue-context';
import { findTagNameEnd } from '../../text/names';
import type { PairSpelling } from './spelling';
import { NO_ATTRIBUTES } from './tag';
import type { TagRest, TagRole } from './tag';
import { createTagReader } from './tag-reader';
import type { TagDialect, TagHead } from './tag-reader';

export interface AngleOptions extends Pick<TagDialect, 'roles' | 'hasAttributes'> {
  /** What precedes the `<` of every tag. */
  prefix?: string;
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
  const { prefix = '', roles, hasAttributes } = options;
  const lead = `${prefix}<`;
  const readHead: TagDialect['readHead'] = (text, at) => readAngleHead(text, at + lead.length, options);
  return {
    ...properties,
    lead: prefix === '' ? '<' : prefix,
    slash: '</',
    readTag: createTagReader({ lead, roles, hasAttributes, readHead, readOtherRest: readCloserRest }),
    isCloserCut: (rest) => rest.startsWith(`${lead}/`),
  };
}

/** @param inside The offset after the bracket. */
function readAngleHead(text: string, inside: number, options: AngleOptions): TagHead | null {
  const isCloser = text.charCodeAt(inside) === 47;
  const from = isCloser ? inside + 1 : inside;
  const nameEnd = findTagNameEnd(text, from);
  const located = nameEnd === from ? null : options.locate(text.slice(from, nameEnd));
  if (!located) return null;
  const { space, name } = located;
  const joined =
    text.charCodeAt(nameEnd) === 61 ? cutAttribute(name.toLowerCase(), options.roles) : undefined;
  return joined === undefined
    ? { isCloser, space, name, nameEnd }
    : { isCloser, space, name: joined, nameEnd: nameEnd - NAME_ATTRIBUTE.length, damage: 'broken-tag' };
}

/** The name in `functionname="x"`, in which the space is missing or was replaced by the tokenizer's character for a space. */
function cutAttribute(folded: string, roles: AngleOptions['roles']): string | undefined {
  if (!folded.endsWith(NAME_ATTRIBUTE) || Object.hasOwn(roles, folded)) return undefined;
  const name = folded.slice(0, -NAME_ATTRIBUTE.length).replace(TOKENIZER_BLANK, '');
  const role = Object.hasOwn(roles, name) ? roles[name] : undefined;
  return role === 'call' || role === 'parameter' ? name : undefined;
}

const NAME_ATTRIBUTE = 'name';
const TOKENIZER_BLANK = 'ġ';

/** Reads the rest of `</function …>`, a closing tag with more in it than its name. */
function readCloserRest(
  { text }: TextSource,
  { isCloser, nameEnd }: TagHead,
  role: TagRole | undefined,
): TagRest | null {
  if (!isCloser || (role !== 'call' && role !== 'wrapper')) return null;
  const [rest] = CLOSER_REST.exec(text.slice(nameEnd, nameEnd + LONGEST_REST)) ?? [];
  if (rest === undefined) return null;
  return { end: nameEnd + rest.length, isEmpty: false, attributes: NO_ATTRIBUTES, damage: 'broken-tag' };
}

const LONGEST_REST = 48;
const CLOSER_REST = /^\s[^<>\n]*>/;
