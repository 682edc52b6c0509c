// Inserts, removes and replaces entries in the text of an object or a list, and keeps comments, order and layout around
// them. The edit functions of jsonc-parser move comments, break up lists on one line, and take quadratic time on long lines.
import type { TextEdit } from '../../ports';
import type { JsonEntry, JsonNode } from './json-text';
import {
  hasLineBreak,
  indentationAt,
  isBlank,
  isLineBreak,
  isMultiline,
  printEntry,
  printValue,
} from './text-style';
import type { PrintPlace, TextStyle } from './text-style';

/** An object or a list together with the text it is in. */
export interface Container {
  text: string;
  style: TextStyle;
  node: JsonNode;
  /** The object or list that contains it; undefined for the root. */
  parent: JsonNode | undefined;
}

/** `written` is the text of a list element that is moved within its list. */
export type NewEntry = { key?: string; value: unknown } | { written: string };

const print = (entry: NewEntry, place: PrintPlace): string =>
  'written' in entry ? entry.written : printEntry(entry.value, entry.key, place);

/** Inserts an entry before the given index, or at the end. @returns edits in ascending order that do not overlap */
export function insertEntry(container: Container, index: number, added: NewEntry): TextEdit[] {
  const { text, style, node } = container;
  const previous = node.entries[index - 1];
  if (node.entries.length === 0) return fillEmpty(container, added);
  const isLines = isMultiline(text, node);
  const indentation = isLines
    ? indentationAt(text, node.entries[0]?.start ?? node.start)
    : indentationAt(text, node.start);
  const entry = print(added, { style, indentation, isInline: !isLines && isOneLine(text, node) });
  const newLine = style.lineEnd + indentation;
  const blank = style.isCompact ? '' : ' ';

  if (!previous) {
    const at = skipComments(text, node.start + 1);
    if (isLines) return [insertion(at, `${newLine}${entry},`)];
    return [insertion(at, isBlank(text[at]) ? `${blank}${entry},` : `${entry},${blank}`)];
  }
  const comma = findComma(text, previous.node.end);
  const from = comma === undefined ? previous.node.end : comma + 1;
  const at = skipComments(text, from);
  const lead = isLines || at !== from ? newLine : blank;
  if (comma !== undefined) return [insertion(at, `${lead}${entry},`)];
  return at === from
    ? [insertion(at, `,${lead}${entry}`)]
    : [insertion(from, ','), insertion(at, lead + entry)];
}

/** Removes an entry with its comma, and its line if nothing else is on that line. */
export function removeEntry({ text, node }: Container, index: number): TextEdit[] {
  const entry = node.entries[index];
  if (!entry) return [];
  const { end } = entry.node;
  const comma = findComma(text, end);
  if (node.entries.length === 1 && isAlone(text, node, entry, comma))
    return [removal(node.start + 1, node.end - 1)];
  if (comma !== undefined)
    return isOnlyBlank(text, end, comma)
      ? [removeLine(text, entry.start, comma + 1)]
      : [removal(entry.start, end), removal(comma, comma + 1)];
  const commaBefore = findComma(text, node.entries[index - 1]?.node.end ?? text.length);
  if (commaBefore === undefined) return [removeLine(text, entry.start, end)];
  if (isOnlyBlank(text, commaBefore + 1, entry.start)) return [removal(commaBefore, end)];
  return [removal(commaBefore, commaBefore + 1), removeLine(text, entry.start, end)];
}

/** Replaces the value of an entry, on one line if the old value was on one. */
export function replaceEntry({ text, style, node }: Container, index: number, value: unknown): TextEdit[] {
  const old = node.entries[index]?.node;
  if (!old) return [];
  const isInline = old.entries.length > 0 ? isOneLine(text, old) : !isMultiline(text, node);
  const printed = printValue(value, { style, indentation: indentationAt(text, old.start), isInline });
  return [{ offset: old.start, length: old.end - old.start, text: printed }];
}

/**
 * Reorders the members of an object and keeps the text of each; comments between them stay where they are.
 * @returns undefined when the new value does not have the same keys
 */
export function reorderEntries(
  { text, style, node }: Container,
  index: number,
  value: unknown,
): TextEdit[] | undefined {
  const old = node.entries[index]?.node;
  if (old?.kind !== 'object' || typeof value !== 'object' || value === null) return undefined;
  const wanted = Object.entries(value);
  const known = new Map(old.entries.map((entry) => [entry.key, entry]));
  if (wanted.length !== known.size || !wanted.every(([key]) => known.has(key))) return undefined;
  return old.entries.flatMap((place, at): TextEdit[] => {
    const [key = '', next] = wanted[at] ?? [];
    const entry = known.get(key);
    const isSame = JSON.stringify(entry?.node.value) === JSON.stringify(next);
    if (!entry || (entry === place && isSame)) return [];
    const indentation = indentationAt(text, place.start);
    const written = isSame
      ? text.slice(entry.start, entry.node.end)
      : printEntry(next, key, { style, indentation, isInline: isOneLine(text, entry.node) });
    return [{ offset: place.start, length: place.node.end - place.start, text: written }];
  });
}

/** Inserts the first entry into an empty object or list, which may contain comments. */
function fillEmpty({ text, style, node, parent }: Container, added: NewEntry): TextEdit[] {
  const outer = indentationAt(text, node.start);
  const inner = text.slice(node.start + 1, node.end - 1);
  const comments = inner.trimEnd();
  if (comments === '' && (style.isCompact || (parent && !isMultiline(text, parent)))) {
    const entry = print(added, { style, indentation: outer, isInline: true });
    const blank = node.kind === 'list' || style.isCompact ? '' : ' ';
    return [{ offset: node.start + 1, length: inner.length, text: blank + entry + blank }];
  }
  const indentation = outer + style.unit;
  const entry = print(added, { style, indentation, isInline: false });
  const offset = node.start + 1 + comments.length;
  return [
    {
      offset,
      length: node.end - 1 - offset,
      text: style.lineEnd + indentation + entry + style.lineEnd + outer,
    },
  ];
}

const insertion = (offset: number, text: string): TextEdit => ({ offset, length: 0, text });
const removal = (start: number, end: number): TextEdit => ({ offset: start, length: end - start, text: '' });
const isOneLine = (text: string, { start, end }: JsonNode): boolean => !hasLineBreak(text, start, end);

/** Whether the container has nothing but this entry: no comments and no other entries. */
function isAlone(text: string, node: JsonNode, { start, node: { end } }: JsonEntry, comma?: number): boolean {
  const rest = comma === undefined ? end : comma + 1;
  return (
    isOnlyBlank(text, node.start + 1, start) &&
    isOnlyBlank(text, end, comma ?? end) &&
    isOnlyBlank(text, rest, node.end - 1)
  );
}

const isOnlyBlank = (text: string, start: number, end: number): boolean =>
  text.slice(start, end).trim() === '';

/** Removes the range with the line break before it if it fills whole lines, otherwise with the blanks around it. */
function removeLine(text: string, start: number, end: number): TextEdit {
  let [from, to] = [start, end];
  while (isBlank(text[from - 1])) from--;
  while (isBlank(text[to])) to++;
  if (!isLineBreak(text[to])) return removal(start, to);
  if (isLineBreak(text[from - 1])) from -= text.startsWith('\r\n', from - 2) ? 2 : 1;
  return removal(from, to);
}

/** The end of the comments that follow on this line; `start` when something else follows them. */
function skipComments(text: string, start: number): number {
  let end = start;
  for (let at = start; at < text.length && !isLineBreak(text[at]);) {
    const next = isBlank(text[at]) ? at + 1 : endOfComment(text, at);
    if (next === undefined) return start;
    if (!isBlank(text[at])) end = next;
    at = next;
  }
  return end;
}

/** The comma after an entry, past blanks, line breaks and comments. */
function findComma(text: string, start: number): number | undefined {
  for (let at = start; at < text.length;) {
    if (text[at] === ',') return at;
    const next = isBlank(text[at]) || isLineBreak(text[at]) ? at + 1 : endOfComment(text, at);
    if (next === undefined) return undefined;
    at = next;
  }
  return undefined;
}

/** @returns undefined when no comment begins at this offset */
function endOfComment(text: string, start: number): number | undefined {
  if (text.startsWith('/*', start)) return text.indexOf('*/', start + 2) + 2;
  if (!text.startsWith('//', start)) return undefined;
  let end = start;
  while (end < text.length && !isLineBreak(text[end])) end++;
  return end;
}
