// Finds where a value begins whose opening tag is missing or written twice. Independent of dialects.
import type { CallScope } from '../call/call-scope';
import { isNearTag } from '../tags/garbled-tag';
import type { Tag } from '../tags/tag';
import { findValueEnd } from './value-end';

/** Where the value behind `tag` begins: after a second tag like it, unless there are also two that close it. */
export function skipDoubled(scope: CallScope, { end, label }: Tag): number {
  const { tags } = scope;
  const next = tags.readNext(end);
  const isAgain = next?.isCloser === false && next.label === label && scope.isSame(next);
  if (!isAgain || MENTION.test(tags.text.slice(next.end, next.end + 2))) return end;
  // In a loop of tags, each would be read up to the end of the loop.
  const first = tags.readNext(next.end);
  if (first && (scope.isSame(first) || scope.isCallStart(first))) return end;
  const value = findValueEnd(scope, next.end);
  const after = value?.isClosed ? tags.readNext(value.next) : null;
  return !value?.isClosed || (after?.isCloser && scope.isSame(after)) ? end : next.end;
}

/** A word behind a blank: a text that begins with the name of the tag. */
const MENTION = /^ \p{L}/u;

/**
 * The tag that is missing before a text right behind the tag of the call. Undefined unless a tag that closes it and one that
 * ends the call come behind that text, and the tool has only one parameter that it can be.
 * @param from Where the call was read to. @param at Where the text begins.
 */
export function findBareValue(scope: CallScope, from: number, at: number): Tag | undefined {
  const { tags, head, values } = scope;
  const { parameterName: name } = tags.spelling;
  const label = values.findTextKey();
  if (!head || name === undefined || label === undefined) return undefined;
  if (beginsWithTag(scope, at, name)) return undefined;
  const written = `${scope.openingBeforeKey()}${label}${tags.close}`;
  const tag: Tag = { ...head, role: 'parameter', name, label, written, damage: 'broken-tag' };
  scope.element = tag;
  const value = findValueEnd(scope, from);
  const next = value?.isClosed ? tags.readNext(value.next) : null;
  scope.element = undefined;
  if (!value || !next || value.isUnclear || value.closer || !scope.isCallEnd(next)) return undefined;
  // Of the line breaks before the text, one may be its own, if it also ends in one.
  const lineAt = tags.text.slice(from, at).lastIndexOf('\n') + 1;
  const isBlock = lineAt > 0 && tags.text.charAt(value.end - 1) === '\n';
  return { ...tag, end: from + lineAt - (isBlock ? 1 : 0) };
}

/** Whether the text begins with a damaged tag: with a bracket, a word like its name, or a key before a bracket. */
function beginsWithTag({ tags, values }: CallScope, at: number, name: string): boolean {
  if (tags.text.charAt(at) === tags.open) return true;
  const start = tags.text.slice(at, at + LONGEST_HEAD);
  const head = start.slice(0, Math.max(0, start.indexOf(tags.close))).replace(/["']$/, '');
  const keys = values.newKeys();
  const isKey = (key: string): boolean =>
    head.endsWith(key) || (start.startsWith(key) && SIGN.test(start.slice(key.length)));
  return isNearTag(tags, at, [name, ...keys]) || keys.some(isKey);
}

const LONGEST_HEAD = 128;
/** What separates a key from its value in other dialects. */
const SIGN = /^["']?\s?[:=]/;
