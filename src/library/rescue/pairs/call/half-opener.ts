// Reads what is left of the tag before a parameter when it is lost, cut in half, doubled or swapped with another one. Only a
// key that the tool declares and the call does not have yet shows that a parameter begins there. Independent of dialects.
import { TextSource } from '../../core/rescue-context';
import { skipWhite } from '../../text/white-space';
import type { CallScope } from './call-scope';
import { NO_ATTRIBUTES } from '../tags/tag';
import type { Tag } from '../tags/tag';
import type { TagSource } from '../tags/tag-source';

const MAX_STRAY = 3;
const LONGEST_HEAD = 200;
const LONGEST_SHOWN = 64;
const KEY = /^[\w.$-]{1,128}/;

/** The tag at `at`, or what is left of the one with which a parameter begins there; null when there is none. */
export function readOpening(scope: CallScope, at: number): Tag | null {
  const tag = scope.tags.readDamaged(at);
  const { keyName } = scope.tags.spelling;
  return keyName === undefined
    ? (tag ?? readHalfTag(scope, at))
    : (readHalfKey(scope, at, tag, keyName) ?? tag);
}

/** Names the tag with which a parameter begins, as part of a sentence. */
export function describeOpening(scope: CallScope): string {
  const { close, open, spelling } = scope.tags;
  if (spelling.keyName !== undefined) return `\`${open}${spelling.keyName}${close}\``;
  const opening = scope.openingBeforeKey().slice(-LONGEST_SHOWN);
  const quote = opening.endsWith('"') ? '"' : '';
  return opening === '' ? 'a parameter' : `\`${opening}…${quote}${close}\``;
}

/** Reads a key between wrong tags, such as `</arg_key>key</arg_key>`, or with none before it. */
function readHalfKey(scope: CallScope, at: number, found: Tag | null, name: string): Tag | null {
  const { tags } = scope;
  // What is written as it should be is no damage.
  const isPlain = found?.role === 'key' && !found.isCloser && !tags.readNext(found.end);
  if (isPlain || (found && !isStray(found))) return null;
  let from = at;
  let tag = found;
  for (let count = 0; count < MAX_STRAY && tag && isStray(tag); count += 1) {
    from = skipWhite(tags.text, tag.end);
    tag = tags.read(from);
  }
  const written = `${tags.open}${name}${tags.close}`;
  const key = readNewKey(scope, from, written);
  if (key === undefined || !isKeyEnd(tags, from + key.length)) return null;
  return { ...KEY_TAG, start: at, end: from, space: scope.affix ?? '', name, written };
}

const KEY_TAG = {
  role: 'key',
  isCloser: false,
  isEmpty: false,
  attributes: NO_ATTRIBUTES,
  damage: 'broken-tag',
} as const;

const isStray = ({ role, isCloser }: Tag): boolean =>
  role === 'key' || role === 'value' || (role === 'call' && !isCloser);

/** Whether a tag with which a key ends follows, also one that another tag between key and value was swapped with. */
function isKeyEnd(tags: TagSource, at: number): boolean {
  const tag = tags.readNext(at);
  return isValueOpener(tag) || (tag?.role === 'key' && tag.isCloser) || isBeforeValue(tags, tag);
}

const isValueOpener = (tag: Tag | null): boolean => tag?.role === 'value' && !tag.isCloser;

/** Whether the tag is one of a pair, but directly before the tag that opens the value, so that it is superfluous. */
function isBeforeValue(tags: TagSource, tag: Tag | null): boolean {
  if (tag?.role !== 'key' && tag?.role !== 'value') return false;
  return isValueOpener(tags.readNext(tag.end));
}

/** Offset behind superfluous tags between a key and its value. */
export function skipStray(tags: TagSource, from: number): number {
  let at = from;
  for (let count = 0; count < MAX_STRAY; count += 1) {
    const tag = tags.readNext(at);
    const isKeyCloser = tag?.role === 'key' && tag.isCloser;
    if (!tag || isValueOpener(tag) || !(isKeyCloser || isBeforeValue(tags, tag))) break;
    at = tag.end;
  }
  return at;
}

/** Reads the end of an opening tag from its key on, with as much before it as is left. */
function readHalfTag(scope: CallScope, at: number): Tag | null {
  const { text, spelling } = scope.tags;
  const lead = scope.openingBeforeKey();
  for (let cut = 1; cut <= lead.length; cut += 1) {
    const rest = lead.slice(cut);
    const key = text.startsWith(rest, at) ? readNewKey(scope, at + rest.length, lead) : undefined;
    if (key === undefined) continue;
    const whole = lead.slice(0, cut) + text.slice(at, at + LONGEST_HEAD);
    const tag = spelling.readTag(new TextSource(whole), 0);
    const isWhole = tag !== null && !tag.isCloser && !tag.isEmpty && tag.damage !== 'broken-tag';
    if (!isWhole || (tag.label ?? tag.name) !== key) continue;
    const written = whole.slice(0, tag.end);
    return { ...tag, start: at, end: at + tag.end - cut, damage: 'broken-tag', written };
  }
  return null;
}

/** The key at `at`, if it may be that of a parameter. @param lead What its tag has before it. */
function readNewKey({ tags, values, head }: CallScope, at: number, lead: string): string | undefined {
  const [key] = KEY.exec(tags.text.slice(at, at + LONGEST_HEAD)) ?? [];
  if (key === undefined || !values.lacks(key)) return undefined;
  // When the call has the whole tag later, this is text. With what follows the key, or `path` would be found in `path_type`.
  const whole = tags.source.peek(lead + key + tags.text.charAt(at + key.length), at);
  const end = whole !== -1 && head ? tags.source.peek(tags.toCloser(head), at) : -1;
  return whole === -1 || (end !== -1 && end < whole) ? key : undefined;
}
