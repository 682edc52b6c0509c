// Changes places of a document in its text: one action of a person is one edit, and nothing else of the file changes.
import { DocumentSchema } from '../../protocol';
import type { DocumentEdit } from '../../protocol';
import type { TextEdit } from '../ports';
import { checkSchema } from './check-schema';
import { changeValue, checkPath, EditRefusal } from './change-value';
import { insertEntry, removeEntry, replaceEntry } from './edit-text';
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
/** The order in which the top level is written. */
const KEYS = Object.keys(DocumentSchema.entries);

/**
 * Applies the edits one after the other. What an edit leads into and the text leaves out is written with its default; an
 * empty text is a new playground's.
 * @returns the whole new text and the edits from the given text to it; or why nothing is changed. Never throws
 */
export function editDocument(text: string, edits: readonly DocumentEdit[]): EditedText {
  const start = isEmptyText(text) ? NEW_PLAYGROUND_TEXT : text;
  const before = parseDocument(start);
  if (before.error) return { error: `Line ${before.error.line}: ${before.error.message}` };
  if (edits.length > MAX_EDITS) return { error: `These are more than ${MAX_EDITS} edits.` };
  let edited = start;
  try {
    for (const edit of edits) edited = applyTextEdits(edited, editText(edited, edit));
  } catch (error) {
    if (error instanceof EditRefusal || error instanceof NoPlainJsonError) return { error: error.message };
    // a deep value behind a long indentation is more than a string can hold
    if (error instanceof RangeError) return { error: 'The text would become too long.' };
    throw error;
  }
  if (edited === start) return { text, edits: [] };
  const after = parseDocument(edited);
  if (after.error) return { error: after.error.message };
  return { text: edited, edits: toTextEdits(text, edited) };
}

function editText(text: string, { path, value, isInsertion }: DocumentEdit): TextEdit[] {
  checkPath(path);
  if (isInsertion && value === undefined) throw new EditRefusal('There is no value to put in.');
  const read = readDocumentText(text);
  if ('message' in read) throw new EditRefusal(read.message);
  const { root } = read;
  const edit = { path, value: value === undefined ? undefined : toPlainJson(value), isInsertion };
  const style = detectStyle(text, root);
  if (path.length === 0) {
    const printed = printValue(changeValue(root.value, edit), { style, indentation: '', isInline: false });
    return [{ offset: root.start, length: root.end - root.start, text: printed }];
  }
  let container: Container = { text, style, node: root, parent: undefined };
  for (const [depth, segment] of path.slice(0, -1).entries()) {
    const { node } = container;
    checkKind(node, path, depth);
    const next = node.entries[findIndex(node, segment) ?? -1]?.node;
    if (!next) return editMissing(container, edit, depth, root.value);
    container = { text, style, node: next, parent: node };
  }
  return editEntry(container, edit);
}

function editEntry(container: Container, { path, value, isInsertion }: DocumentEdit): TextEdit[] {
  const { node } = container;
  const segment = path.at(-1) ?? '';
  // also refuses what is no such place
  changeValue(node.value, { path: [segment], value, isInsertion }, path.slice(0, -1));
  const index = findIndex(node, segment);
  if (value === undefined) return index === undefined ? [] : removeEntry(container, index);
  if (index === undefined || isInsertion) return insertAt(container, segment, value);
  // the same value in another layout stays as it is
  if (JSON.stringify(node.entries[index]?.node.value) === JSON.stringify(value)) return [];
  return replaceEntry(container, index, value);
}

/** The path goes on where the text ends: what it leads into has a default, or is made. */
function editMissing(container: Container, edit: DocumentEdit, depth: number, root: unknown): TextEdit[] {
  const { path } = edit;
  const segment = path[depth] ?? '';
  const outer = path.slice(0, depth + 1);
  const end = container.node.entries.length;
  if (typeof segment === 'number' && (segment > end || edit.value === undefined))
    throw new EditRefusal(`${formatPlace(outer)} does not exist.`);
  const standIn = findDefault(root, outer) ?? (typeof path[depth + 1] === 'number' ? [] : {});
  const changed = changeValue(standIn, { ...edit, path: path.slice(depth + 1) }, outer);
  const isNothing = edit.value === undefined && JSON.stringify(changed) === JSON.stringify(standIn);
  return isNothing ? [] : insertAt(container, segment, changed);
}

function insertAt(container: Container, segment: string | number, value: unknown): TextEdit[] {
  if (typeof segment === 'number') return insertEntry(container, segment, undefined, value);
  const index = container.parent ? container.node.entries.length : findKeyIndex(container.node, segment);
  return insertEntry(container, index, segment, value);
}

/** Behind the last of the keys that come before it, wherever a person put them. */
function findKeyIndex({ entries }: JsonNode, key: string): number {
  const rank = KEYS.indexOf(key);
  if (rank === -1) return entries.length;
  const ranks = entries.map((entry) => KEYS.indexOf(entry.key ?? ''));
  return ranks.findLastIndex((other) => other !== -1 && other < rank) + 1;
}

/** What the document has at a place that its text leaves out. */
function findDefault(root: unknown, path: DocumentEdit['path']): unknown {
  const checked = checkSchema(DocumentSchema, root);
  if ('problem' in checked) return undefined;
  // the rest of the lane that an empty file has is clear without being written
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
  throw new EditRefusal(`${place} is ${wanted === 'list' ? 'no list' : 'no object'}.`);
}
