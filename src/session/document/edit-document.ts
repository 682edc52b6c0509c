// Applies edits to the text of a document. Each edit changes only its own place; the rest of the text stays as it is.
import { t } from '@vscode/l10n';
import { DocumentSchema } from '../../protocol';
import type { DocumentEdit } from '../../protocol';
import type { TextEdit } from '../ports';
import { checkSchema } from './check-schema';
import { changeValue, checkPath, EditRefusal } from './change-value';
import { editsBetween } from './edits-between';
import { insertEntry, removeEntry, reorderEntries, replaceEntry } from './edit-text';
import type { Container } from './edit-text';
import { findIndex } from './json-text';
import type { JsonNode } from './json-text';
import { NEW_PLAYGROUND_TEXT } from './new-playground';
import { isEmptyText, parseDocument, readDocumentText } from './parse-document';
import { formatPlace } from './place';
import { NoPlainJsonError, toPlainJson } from './plain-json';
import { applyTextEdits, toTextEdits } from './text-edits';
import { detectStyle, printValue } from './text-style';

export type EditedText =
  { text: string; edits: TextEdit[]; error?: undefined } | { error: string; text?: undefined };

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
 * @returns the new text and the edits that lead from the given text to it, or why nothing is changed. Never throws
 */
export function editDocument(text: string, edits: readonly DocumentEdit[]): EditedText {
  const start = isEmptyText(text) ? NEW_PLAYGROUND_TEXT : text;
  const before = parseDocument(start);
  if (before.error) return { error: t('Line {0}: {1}', before.error.line, before.error.message) };
  if (edits.length > MAX_EDITS) return { error: t('These are more than {0} edits.', MAX_EDITS) };
  let edited = start;
  try {
    const budget = { parts: MAX_PARTS };
    for (const edit of edits) edited = applyEdit(edited, edit, budget);
  } catch (error) {
    if (error instanceof EditRefusal || error instanceof NoPlainJsonError) return { error: error.message };
    // A deep value with a long indentation can become longer than a string may be.
    if (error instanceof RangeError) return { error: t('The text would become too long.') };
    throw error;
  }
  if (edited === start) return { text, edits: [] };
  const after = parseDocument(edited);
  if (after.error) return { error: after.error.message };
  return { text: edited, edits: toTextEdits(text, edited) };
}

interface PartBudget {
  parts: number;
}

const applyEdit = (text: string, edit: DocumentEdit, budget: PartBudget): string =>
  applyTextEdits(text, editText(text, edit, budget));

function editText(text: string, { path, value, ...change }: DocumentEdit, budget: PartBudget): TextEdit[] {
  checkPath(path);
  if (change.isInsertion && value === undefined) throw new EditRefusal(t('A value is missing.'));
  if (change.movedFrom !== undefined && value !== undefined)
    throw new EditRefusal(t('An edit that moves a value cannot also change it.'));
  const read = readDocumentText(text);
  if ('message' in read) throw new EditRefusal(read.message);
  const { root } = read;
  const edit = { path, value: value === undefined ? undefined : toPlainJson(value), ...change };
  if (path.length === 0) {
    const place = { style: detectStyle(text, root), indentation: '', isInline: false };
    const printed = printValue(changeValue(root.value, edit), place);
    return [{ offset: root.start, length: root.end - root.start, text: printed }];
  }
  const { container, depth } = findContainer(text, root, path);
  if (depth < path.length - 1) return editMissing(container, edit, depth, root.value);
  return editEntry(container, edit, budget);
}

/** Finds the object or list that contains the place, or the innermost one on the path that the text has. */
function findContainer(
  text: string,
  root: JsonNode,
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

function editEntry(container: Container, { path, ...change }: DocumentEdit, budget: PartBudget): TextEdit[] {
  const { node, text } = container;
  const { value, isInsertion, movedFrom } = change;
  const segment = path.at(-1) ?? '';
  // The result is not needed: this call throws when there is no such place.
  changeValue(node.value, { path: [segment], ...change }, path.slice(0, -1));
  const index = findIndex(node, segment);
  if (movedFrom !== undefined) return moveEntry(container, path, movedFrom);
  if (value === undefined) return index === undefined ? [] : removeEntry(container, index);
  if (index === undefined || isInsertion) return insertAt(container, segment, value);
  // Only the parts that differ are written, so that the rest of the old value keeps its text.
  const parts = editsBetween(node.entries[index]?.node.value, value, path, {
    isOrdered: path.length > LAST_UNORDERED_DEPTH,
  });
  const isWhole = parts.some((part) => part.path === path) || parts.length > budget.parts;
  if (isWhole) return reorderEntries(container, index, value) ?? replaceEntry(container, index, value);
  budget.parts -= parts.length;
  const edited = parts.reduce((before, part) => applyEdit(before, part, budget), text);
  return toTextEdits(text, edited);
}

/** Moves an element within its list, together with the comments inside it. */
function moveEntry({ text, node }: Container, path: DocumentEdit['path'], from: number): TextEdit[] {
  const moved = node.entries[from]?.node;
  if (!moved) return [];
  const written = text.slice(moved.start, moved.end);
  const without = applyEdit(text, { path: [...path.slice(0, -1), from] }, { parts: 0 });
  const read = readDocumentText(without);
  if ('message' in read) throw new EditRefusal(read.message);
  const { container } = findContainer(without, read.root, path);
  return toTextEdits(text, applyTextEdits(without, insertEntry(container, Number(path.at(-1)), { written })));
}

/** Writes the part of the path that the text lacks, with default values or new objects and lists. */
function editMissing(container: Container, edit: DocumentEdit, depth: number, root: unknown): TextEdit[] {
  const { path } = edit;
  const segment = path[depth] ?? '';
  const outer = path.slice(0, depth + 1);
  const end = container.node.entries.length;
  if (typeof segment === 'number' && (segment > end || edit.value === undefined))
    throw new EditRefusal(t('{0} does not exist.', formatPlace(outer)));
  const standIn = findDefault(root, outer) ?? (typeof path[depth + 1] === 'number' ? [] : {});
  const changed = changeValue(standIn, { ...edit, path: path.slice(depth + 1) }, outer);
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

/** The default value at a path that the text omits; undefined when there is none. */
function findDefault(root: unknown, path: DocumentEdit['path']): unknown {
  const checked = checkSchema(DocumentSchema, root);
  if ('problem' in checked) return undefined;
  // A default lane is written with its id and connection only; its other defaults need not be in the file.
  if (path.length === 1 && path[0] === 'lanes')
    return checked.output.lanes.map(({ id, connection }) => ({ id, connection }));
  let value: unknown = checked.output;
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
