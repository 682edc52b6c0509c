// Reads the tags of a dialect, `<ns:name key="x">` or with other brackets, also with the damage that models do to them.
import type { TextSource } from '../../core/rescue-context';
import { readTagRest } from './tag';
import { TagCache } from './tag-cache';
import type { Tag, TagRest, TagRole } from './tag';

/** The beginning of a tag, up to its name. */
export interface TagHead extends Pick<Tag, 'isCloser' | 'space' | 'name' | 'damage'> {
  /** The offset after the name. */
  nameEnd: number;
}

export interface TagDialect {
  /** The text with which every tag begins. */
  lead: string;
  roles: Readonly<Record<string, TagRole>>;
  /** Whether elements of other names may have attributes. */
  hasAttributes?: boolean | undefined;
  /** The end of a tag. @default '>' */
  closing?: string;
  /** Null when no tag of this dialect begins at `at`. */
  readHead(text: string, at: number): TagHead | null;
  /** Reads the rest of a tag that is written in another way; null when it is no tag. */
  readOtherRest?(source: TextSource, head: TagHead, role: TagRole | undefined): TagRest | null;
}

/** Tags that the dialect does not define must have neither label nor attributes, unless it allows them. */
export function createTagReader(dialect: TagDialect): (source: TextSource, at: number) => Tag | null {
  const cache = new TagCache();
  const first = dialect.lead.charCodeAt(0);
  return (source, at) => {
    if (source.text.charCodeAt(at) !== first) return null;
    const known = cache.find(source.text, at);
    if (known) return known;
    const tag = readTag(source, at, dialect);
    if (tag) cache.add(source.text, tag);
    return tag;
  };
}

function readTag(source: TextSource, at: number, dialect: TagDialect): Tag | null {
  const { text } = source;
  const { lead, roles, closing = '>' } = dialect;
  const head = text.startsWith(lead, at) ? dialect.readHead(text, at) : null;
  if (!head) return null;
  const { isCloser, space, name, nameEnd } = head;
  const folded = name.toLowerCase();
  const role = Object.hasOwn(roles, folded) ? roles[folded] : undefined;
  const isPlain = text.startsWith('>', nameEnd) || text.startsWith('/>', nameEnd);
  if (role === undefined && !isPlain && dialect.hasAttributes !== true) return null;
  const rest = readTagRest(source, nameEnd, closing) ?? dialect.readOtherRest?.(source, head, role) ?? null;
  if (!rest) return null;
  const { end, isEmpty, label, style, attributes } = rest;
  const damage = rest.damage ?? head.damage;
  return { start: at, end, isCloser, isEmpty, space, name, role, label, style, attributes, damage };
}
