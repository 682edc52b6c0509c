// Applies an edit to the value of a document, and checks that its path exists. Works on values, not on text.
import { t } from '@vscode/l10n';
import type { DocumentEdit } from '../../../protocol';
import { formatPlace } from '../place';
import type { Path } from '../place';

/** Thrown when an edit cannot be made; the message says why, in words for a person. */
export class EditRefusal extends Error {}

const MAX_PATH_LENGTH = 32;
const REFUSED_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** @throws {EditRefusal} */
export function checkPath(path: Path): void {
  if (path.length > MAX_PATH_LENGTH)
    throw new EditRefusal(t('The path has more than {0} keys.', MAX_PATH_LENGTH));
  for (const segment of path) {
    if (
      typeof segment === 'string' ? REFUSED_KEYS.has(segment) : !(Number.isInteger(segment) && segment >= 0)
    )
      throw new EditRefusal(t('The path contains a key that cannot be edited.'));
  }
}

/**
 * @param at Path of `target`, for the message of a refusal.
 * @returns a changed copy; the parts that do not differ are shared with `target`
 * @throws {EditRefusal} when the path does not exist
 */
export function changeValue(target: unknown, { path, ...change }: DocumentEdit, at: Path = []): unknown {
  const { value } = change;
  const [segment, ...rest] = path;
  if (segment === undefined) {
    if (value === undefined) throw new EditRefusal(t('{0} cannot be removed.', formatPlace(at)));
    return value;
  }
  const edit = { path: rest, ...change };
  return typeof segment === 'number'
    ? changeList(target, segment, edit, at)
    : changeObject(target, segment, edit, at);
}

function changeList(target: unknown, index: number, edit: DocumentEdit, at: Path): unknown[] {
  if (!Array.isArray(target)) throw new EditRefusal(t('{0} is not a list.', formatPlace(at)));
  const { path, value, isInsertion, movedFrom } = edit;
  const isLast = path.length === 0;
  const place = [...at, index];
  if (isLast && movedFrom !== undefined) return moveElement(target, movedFrom, { index, at });
  // When a value is set, the index after the last element appends.
  const end = value === undefined ? target.length - 1 : target.length;
  if (index > end) throw new EditRefusal(t('{0} does not exist.', formatPlace(place)));
  if (isLast && value === undefined) return target.toSpliced(index, 1);
  if (isLast) return target.toSpliced(index, isInsertion ? 0 : 1, value);
  const inner: unknown = index < target.length ? target[index] : makeFor(path);
  return target.toSpliced(index, 1, changeValue(inner, edit, place));
}

function moveElement(
  list: readonly unknown[],
  from: number,
  { index, at }: { index: number; at: Path },
): unknown[] {
  const missing = [from, index].find((each) => each >= list.length);
  if (missing !== undefined) throw new EditRefusal(t('{0} does not exist.', formatPlace([...at, missing])));
  return list.toSpliced(from, 1).toSpliced(index, 0, list[from]);
}

function changeObject(target: unknown, key: string, edit: DocumentEdit, at: Path): object {
  if (typeof target !== 'object' || target === null || Array.isArray(target))
    throw new EditRefusal(t('{0} is not an object.', formatPlace(at)));
  const { path, value, isInsertion, movedFrom } = edit;
  const members = new Map<string, unknown>(Object.entries(target));
  const isMissing = !members.has(key);
  // A removal must not create the objects on the way to a member that does not exist.
  if (isMissing && value === undefined) return target;
  if (path.length > 0) {
    const inner = isMissing ? makeFor(path) : members.get(key);
    members.set(key, changeValue(inner, edit, [...at, key]));
  } else if (isInsertion || movedFrom !== undefined)
    throw new EditRefusal(t('{0} is not a list.', formatPlace(at)));
  else if (value === undefined) members.delete(key);
  else members.set(key, value);
  return Object.fromEntries(members);
}

const makeFor = ([segment]: Path): unknown => (typeof segment === 'number' ? [] : {});
