// Reads one tag of a format that writes calls as elements: `<a=NAME>`, `<a name="x">`, `</a>`. Its meaning is up to the
// spelling.
import { findTagNameEnd } from '../../text/names';
import { isBlank, skipWhite } from '../../text/white-space';
import type { TextSource } from '../../core/rescue-context';

/** What a tag means in a format. */
export type TagRole =
  'wrapper' | 'call' | 'group' | 'call-name' | 'parameter' | 'key' | 'type' | 'value' | 'separator';

export type LabelStyle = 'shorthand' | 'quoted-shorthand' | 'attribute' | 'single-quoted' | 'unquoted';

export interface Tag {
  start: number;
  end: number;
  isCloser: boolean;
  /** As in `<param …/>`. */
  isEmpty: boolean;
  /** What precedes the local name, or is added to every name of a dialect; '' when there is nothing. */
  space: string;
  /** The local name, as written. */
  name: string;
  /** Undefined for a tag that the format does not define. */
  role: TagRole | undefined;
  /** The name of a tool or key in the tag. */
  label?: string | undefined;
  style?: LabelStyle | undefined;
  attributes: ReadonlyMap<string, string>;
  /** Set when it is not written as in the format: without `>`, or with other bars. */
  damage?: 'broken-tag' | 'token-variant' | undefined;
  /** As it would be without the damage, where that is not what the text has. */
  written?: string | undefined;
}

const LONGEST_LABEL = 160;
const MAX_ATTRIBUTES = 8;
/** Of a tag that has none. */
export const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/** What follows the name in a tag. */
export type TagRest = Pick<Tag, 'end' | 'isEmpty' | 'label' | 'style' | 'attributes' | 'damage'>;

/** Reads what follows the name: `>`, `/>`, `=label>` or attributes. Null when it is no tag. @param closing Its end. */
export function readTagRest(source: TextSource, from: number, closing: string): TagRest | null {
  const { text } = source;
  const bare = skipWhite(text, from);
  if (text.startsWith(closing, bare))
    return { end: bare + closing.length, isEmpty: false, attributes: NO_ATTRIBUTES };
  if (text.charAt(bare) === '=') return readShorthand(text, bare, closing);
  return readAttributes(source, bare, closing);
}

function readShorthand(text: string, equals: number, closing: string): TagRest | null {
  let from = equals;
  while (text.charAt(from) === '=') from += 1;
  const rest = text.slice(from, from + LONGEST_LABEL);
  const breakAt = rest.search(/[<\n]/);
  const closedAt = rest.indexOf(closing);
  const isClosed = closedAt !== -1 && (breakAt === -1 || closedAt <= breakAt);
  const length = isClosed ? closedAt : breakAt;
  if (length === -1) return null;
  const written = rest.slice(0, length).trim().replace(NAME_ATTRIBUTE, '');
  const isEmpty = isClosed && written.endsWith('/');
  const label = unquote((isEmpty ? written.slice(0, -1) : written).trim());
  if (label === undefined || label === '') return null;
  const isQuoted = '"\'“'.includes(written.charAt(0));
  return {
    end: from + length + (isClosed ? closing.length : 0),
    isEmpty,
    label: cutAttributes(label),
    style: isQuoted ? 'quoted-shorthand' : 'shorthand',
    attributes: NO_ATTRIBUTES,
    damage: isClosed ? undefined : 'broken-tag',
  };
}

/** The attribute of other dialects that has the name, in a tag that has the name itself. */
const NAME_ATTRIBUTE = /^name=(?=["'])/;

/** The label without attributes after it. A name may consist of several words. */
function cutAttributes(label: string): string {
  const blank = label.search(/\s/);
  return blank !== -1 && /[=:"'/]/.test(label.slice(blank)) ? label.slice(0, blank) : label;
}

/** Undefined when something follows the closing quote. */
function unquote(text: string): string | undefined {
  const first = text.charAt(0);
  if (!'"\'“'.includes(first) || text.length < 2) return text;
  const end = text.indexOf(first === '“' ? '”' : first, 1);
  if (end === -1) return text.slice(1);
  return end === text.length - 1 ? text.slice(1, end) : undefined;
}

const LABELS = ['name', 'tool', 'key'];

function readAttributes(source: TextSource, from: number, closing: string): TagRest | null {
  const { text } = source;
  const attributes = new Map<string, string>();
  let style: LabelStyle | undefined;
  let at = from;
  while (!text.startsWith(closing, at) && !(text.charAt(at) === '/' && text.startsWith(closing, at + 1))) {
    const attribute = attributes.size < MAX_ATTRIBUTES ? readAttribute(source, at, closing) : null;
    if (!attribute) return null;
    attributes.set(attribute.name, attribute.value);
    if (LABELS.includes(attribute.name)) style ??= attribute.style;
    at = skipWhite(text, attribute.end);
  }
  const written = attributes.get('name') ?? attributes.get('tool') ?? attributes.get('key') ?? '';
  const name = written.replace(STRAY_TOKEN, '').trim();
  const damage = name !== '' && name.length < written.trim().length ? 'broken-tag' : undefined;
  const isEmpty = text.charAt(at) === '/';
  const end = at + (isEmpty ? 1 : 0) + closing.length;
  if (name === '') return { end, isEmpty, attributes };
  return { end, isEmpty, label: name, style, attributes, damage };
}

/** A token of the message header that got into a name. */
const STRAY_TOKEN = /<\|\w{1,32}\|>$/;

interface Attribute {
  name: string;
  value: string;
  style: LabelStyle;
  end: number;
}

function readAttribute(source: TextSource, at: number, closing: string): Attribute | null {
  const { text } = source;
  const nameEnd = findTagNameEnd(text, at);
  const equals = skipWhite(text, nameEnd);
  if (nameEnd === at || text.charAt(equals) !== '=') return null;
  const name = text.slice(at, nameEnd).toLowerCase();
  let start = skipWhite(text, equals + 1);
  while (text.charAt(start) === '=') start += 1;
  // Models that write JSON by habit escape the quotes.
  const escape = text.charAt(start) === '\\' ? 1 : 0;
  const quote = text.charAt(start + escape);
  if (quote !== '"' && quote !== "'") return readBareAttribute(text, name, start, closing);
  const from = start + escape + 1;
  const end = source.find(quote, from);
  // Only an attribute that contains the value of a parameter may be long.
  if (end === -1 || (end - from > LONGEST_LABEL && name !== 'value')) return null;
  const value = decodeEntities(text.slice(from, end - escape));
  return { name, value, style: quote === '"' ? 'attribute' : 'single-quoted', end: end + 1 };
}

function readBareAttribute(text: string, name: string, start: number, closing: string): Attribute | null {
  const limit = Math.min(text.length, start + LONGEST_LABEL);
  let end = start;
  while (end < limit && !isBlank(text.charCodeAt(end)) && !'<>'.includes(text.charAt(end))) {
    if (text.startsWith(closing, end)) break;
    end += 1;
  }
  // One of its quotes may be present.
  const value = text.slice(start, end).replace(/["']$/, '');
  return end === start ? null : { name, value, style: 'unquoted', end };
}

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };

/** For attributes only, which can contain a quote in no other way. Text between tags is never decoded. */
const decodeEntities = (text: string): string =>
  text.replaceAll(/&(quot|apos|lt|gt|amp);/g, (entity, name: string) => ENTITIES[name] ?? entity);

export const encodeEntities = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
