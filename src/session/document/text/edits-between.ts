// Finds the smallest edits that turn one JSON value of a document into another, so that the rest of its text stays as it was
// written. Works on values, not on text.
import type { DocumentEdit } from '../../../protocol';
import { isRecord } from '../../../library';

type Path = DocumentEdit['path'];

/** Maximum number of edits: more would take longer than writing the value anew. */
const MAX_EDITS = 100;
/** Maximum length of a path: values deeper than this are replaced as a whole. */
const MAX_DEPTH = 30;
const NO_PLACES = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * @param path Path of the value.
 * @param options.isOrdered Whether the order of the value's own keys matters. In values inside it, it always does.
 */
export function editsBetween(
  before: unknown,
  after: unknown,
  path: Path,
  options = { isOrdered: false },
): DocumentEdit[] {
  const edits = editParts(before, after, path, options);
  return edits && edits.length <= MAX_EDITS ? edits : [{ path, value: after }];
}

/** @returns undefined when the value has to be written as a whole */
function editParts(
  before: unknown,
  after: unknown,
  path: Path,
  { isOrdered = true }: { isOrdered?: boolean } = {},
): DocumentEdit[] | undefined {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (path.length >= MAX_DEPTH) return undefined;
  if (Array.isArray(before) && Array.isArray(after)) return editList(before, after, path);
  if (!isRecord(before) || !isRecord(after)) return undefined;
  const [oldKeys, newKeys] = [Object.keys(before), Object.keys(after)];
  if ([...oldKeys, ...newKeys].some((key) => NO_PLACES.has(key))) return undefined;
  // Added keys end up after the existing ones, so a value with another order cannot be reached by parts.
  const kept = oldKeys.filter((key) => Object.hasOwn(after, key));
  const added = newKeys.filter((key) => !Object.hasOwn(before, key));
  if (isOrdered && [...kept, ...added].some((key, at) => key !== newKeys[at])) return undefined;
  const removed = oldKeys.filter((key) => !Object.hasOwn(after, key));
  return [
    ...kept.flatMap((key) => editPart(before[key], after[key], [...path, key])),
    ...removed.map((key) => ({ path: [...path, key] })),
    ...added.map((key) => ({ path: [...path, key], value: after[key] })),
  ];
}

function editList(
  before: readonly unknown[],
  after: readonly unknown[],
  path: Path,
): DocumentEdit[] | undefined {
  if (before.length === after.length)
    return before.flatMap((each, at) => editPart(each, after[at], [...path, at]));
  const [oldTexts, newTexts] = [before.map(toText), after.map(toText)];
  if (before.length > after.length) {
    // From the end, so that the indices of the elements before stay valid.
    return findExtra(oldTexts, newTexts)
      ?.toReversed()
      .map((at) => ({ path: [...path, at] }));
  }
  return findExtra(newTexts, oldTexts)?.map((at) => ({
    path: [...path, at],
    value: after[at],
    isInsertion: true,
  }));
}

const toText = (value: unknown): string | undefined => JSON.stringify(value);

/** Indices of the elements that only the longer list has; undefined when the lists differ in other ways too. */
function findExtra(
  longer: readonly (string | undefined)[],
  shorter: readonly (string | undefined)[],
): number[] | undefined {
  const extra: number[] = [];
  let next = 0;
  for (const [at, text] of longer.entries()) {
    if (next < shorter.length && text === shorter[next]) next++;
    else extra.push(at);
  }
  return next === shorter.length ? extra : undefined;
}

const editPart = (before: unknown, after: unknown, path: Path): DocumentEdit[] =>
  editParts(before, after, path) ?? [{ path, value: after }];
