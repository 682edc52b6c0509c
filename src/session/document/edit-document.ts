// Applies edits to the text of a document. Each edit changes only its own place; the rest of the text stays as it is.
import { t } from '@vscode/l10n';
import { DocumentSchema } from '../../protocol';
import type { DocumentEdit, PlaygroundDocument } from '../../protocol';
import type { TextEdit } from '../ports';
import { checkSchema } from './check-schema';
import { changeValue, checkPath, EditRefusal } from './text/change-value';
import { editsBetween } from './text/edits-between';
import { insertEntry, removeEntry, reorderEntries, replaceEntry } from './text/edit-text';
import type { Container } from './text/edit-text';
import { findIndex } from './text/json-text';
import type { JsonNode } from './text/json-text';
import { checkTree, readDocumentText } from './parse-document';
import type { DocumentTree, ParsedDocument } from './parse-document';
import { formatPlace } from './place';
import { NoPlainJsonError, toPlainJson } from './text/plain-json';
import { applyTextEdits, toTextEdits } from './text/text-edits';
import { detectStyle, printValue } from './text/text-style';

export type EditedDocument =
  { after: ParsedDocument; edits: TextEdit[]; error?: undefined } | { error: string; after?: undefined };

const MAX_EDITS = 1_000;
/** Limit of the partial edits of one call: each reads the text once more. Beyond it, a value is written anew as a whole. */
const MAX_PARTS = 100;
/** Deeper than this, the order of keys matters, because a model reads it in the schema of a tool. */
const LAST_UNORDERED_DEPTH = 2;
/** Top-level keys in the order in which they are written. */
const KEYS = Object.keys(DocumentSchema.entries);

/**
 * Applies the edits one after the other. Values on an edit's path that the text omits are written with their defaults; an
 * empty text counts as the text of a new playground.
 * @returns the document after them and the edits that lead from the given text to its text, or why nothing is changed.
 * Never throws
 */
export function editDocument(before: ParsedDocument, edits: readonly DocumentEdit[]): EditedDocument {
  if (before.error) return { error: t('Line {0}: {1}', before.error.line, before.error.message) };
  if (edits.length > MAX_EDITS) return { error: t('These are more than {0} edits.', MAX_EDITS) };
  let { tree } = before;
  try {
    const work = { before, parts: MAX_PARTS };
    for (const edit of edits) tree = applyEdit(tree, edit, work);
  } catch (error) {
    if (error instanceof EditRefusal || error instanceof NoPlainJsonError) return { error: error.message };
    // A deep value with a long indentation can become longer than a string may be.
    if (error instanceof RangeError) return { error: t('The text would become too long.') };
    throw error;
  }
  if (tree.text === before.tree.text) return { after: before, edits: [] };
  const after = checkTree(tree);
  if (after.error) return { error: after.error.message };
  return { after, edits: toTextEdits(before.text, after.text) };
}

/** What the edits of one call share. */
interface EditWork {
  before: ParsedDocument;
  /** How many partial edits may still be made. */
  parts: number;
}

function applyEdit(
  tree: DocumentTree,
  { path, value, ...change }: DocumentEdit,
  work: EditWork,
): DocumentTree {
  checkPath(path);
  if (change.isInsertion && value === undefined) throw new EditRefusal(t('A value is missing.'));
  if (change.movedFrom !== undefined && value !== undefined)
    throw new EditRefusal(t('An edit that moves a value cannot also change it.'));
  const { text, root } = tree;
  const edit = { path, value: value === undefined ? undefined : toPlainJson(value), ...change };
  if (path.length === 0) {
    const place = { style: detectStyle(text, root), indentation: '', isInline: false };
    const printed = printValue(changeValue(root.value, edit), place);
    return withEdits(tree, [{ offset: root.start, length: root.end - root.start, text: printed }]);
  }
  const { container, depth } = findContainer(tree, path);
  if (depth < path.length - 1) {
    const outer = path.slice(0, depth + 1);
    return withEdits(tree, editMissing(container, edit, outer, findDefault(tree, outer, work)));
  }
  return editEntry(tree, container, edit, work);
}

function withEdits(tree: DocumentTree, edits: readonly TextEdit[]): DocumentTree {
  const text = applyTextEdits(tree.text, edits);
  if (text === tree.text) return tree;
  const read = readDocumentText(text);
  if ('message' in read) throw new EditRefusal(read.message);
  return read;
}

/** Finds the object or list that contains the place, or the innermost one on the path that the text has. */
function findContainer(
  { text, root }: DocumentTree,
  path: DocumentEdit['path'],
): { container: Container; depth: number } {
  const style = detectStyle(text, root);
  let container: Container = { text, style, node: root, parent: undefined };
  for (const [depth, segment] of path.slice(0, -1).entries()) {
    const { node } = container;
    checkKind(node, path, depth);
    const next = node.entries[findIndex(node, segment) ?? -1]?.node;
    if (!next) return { container, depth };
    container = { text, style, node: next, parent: node };
  }
  return { container, depth: path.length - 1 };
}

function editEntry(
  tree: DocumentTree,
  container: Container,
  { path, ...change }: DocumentEdit,
  work: EditWork,
): DocumentTree {
  const { node } = container;
  const { value, isInsertion, movedFrom } = change;
  const segment = path.at(-1) ?? '';
  // The result is not needed: this call throws when there is no such place.
  changeValue(node.value, { path: [segment], ...change }, path.slice(0, -1));
  const index = findIndex(node, segment);
  if (movedFrom !== undefined) return moveEntry(tree, node, { path, from: movedFrom }, work);
  if (value === undefined) return index === undefined ? tree : withEdits(tree, removeEntry(container, index));
  if (index === undefined || isInsertion) return withEdits(tree, insertAt(container, segment, value));
  // Only the parts that differ are written, so that the rest of the old value keeps its text.
  const parts = editsBetween(node.entries[index]?.node.value, value, path, {
    isOrdered: path.length > LAST_UNORDERED_DEPTH,
  });
  const isWhole = parts.some((part) => part.path === path) || parts.length > work.parts;
  if (isWhole) {
    const reordered = reorderEntries(container, index, value);
    return withEdits(tree, reordered ?? replaceEntry(container, index, value));
  }
  work.parts -= parts.length;
  return parts.reduce((before, part) => applyEdit(before, part, work), tree);
}

/** Moves an element within its list, together with the comments inside it. */
function moveEntry(
  tree: DocumentTree,
  { entries }: JsonNode,
  { path, from }: { path: DocumentEdit['path']; from: number },
  work: EditWork,
): DocumentTree {
  const moved = entries[from]?.node;
  if (!moved) return tree;
  const written = tree.text.slice(moved.start, moved.end);
  const without = applyEdit(tree, { path: [...path.slice(0, -1), from] }, work);
  const { container } = findContainer(without, path);
  return withEdits(without, insertEntry(container, Number(path.at(-1)), { written }));
}

/**
 * Writes the part of the path that the text lacks, with default values or new objects and lists.
 * @param outer The path of the outermost value that it lacks.
 */
function editMissing(
  container: Container,
  edit: DocumentEdit,
  outer: DocumentEdit['path'],
  byDefault: unknown,
): TextEdit[] {
  const segment = outer.at(-1) ?? '';
  const inner = edit.path.slice(outer.length);
  const end = container.node.entries.length;
  if (typeof segment === 'number' && (segment > end || edit.value === undefined))
    throw new EditRefusal(t('{0} does not exist.', formatPlace(outer)));
  const standIn = byDefault ?? (typeof inner[0] === 'number' ? [] : {});
  const changed = changeValue(standIn, { ...edit, path: inner }, outer);
  const isNothing = edit.value === undefined && JSON.stringify(changed) === JSON.stringify(standIn);
  return isNothing ? [] : insertAt(container, segment, changed);
}

function insertAt(container: Container, segment: string | number, value: unknown): TextEdit[] {
  if (typeof segment === 'number') return insertEntry(container, segment, { value });
  const index = container.parent ? container.node.entries.length : findKeyIndex(container.node, segment);
  return insertEntry(container, index, { key: segment, value });
}

/** The index after the last existing key that precedes this one in the usual order. */
function findKeyIndex({ entries }: JsonNode, key: string): number {
  const rank = KEYS.indexOf(key);
  if (rank === -1) return entries.length;
  const ranks = entries.map((entry) => KEYS.indexOf(entry.key ?? ''));
  return ranks.findLastIndex((other) => other !== -1 && other < rank) + 1;
}

function documentOf({ root }: DocumentTree): PlaygroundDocument | undefined {
  const checked = checkSchema(DocumentSchema, root.value);
  return 'output' in checked ? checked.output : undefined;
}

/** The default value at a path that the text omits; undefined when there is none. */
function findDefault(tree: DocumentTree, path: DocumentEdit['path'], { before }: EditWork): unknown {
  const document = tree === before.tree ? before.document : documentOf(tree);
  if (!document) return undefined;
  // A default lane is written with its id and connection only; its other defaults need not be in the file.
  if (path.length === 1 && path[0] === 'lanes')
    return document.lanes.map(({ id, connection }) => ({ id, connection }));
  let value: unknown = document;
  for (const segment of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = (value as Record<string | number, unknown>)[segment];
  }
  return value;
}

function checkKind({ kind }: JsonNode, path: DocumentEdit['path'], depth: number): void {
  const wanted = typeof path[depth] === 'number' ? 'list' : 'object';
  if (kind === wanted) return;
  const place = formatPlace(path.slice(0, depth));
  throw new EditRefusal(
    wanted === 'list' ? t('{0} is not a list.', place) : t('{0} is not an object.', place),
  );
}
