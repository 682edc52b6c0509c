// Puts entries into the text of an object or a list, and takes them out: comments, order and layout around them stay. The
// editing that comes with the parser moves comments, breaks lists that stand on one line, and is quadratic in long lines.
import type { TextEdit } from '../ports';
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

/** An object or a list in its text. */
export interface Container {
  text: string;
  style: TextStyle;
  node: JsonNode;
  /** What it stands in; absent for the root. */
  parent: JsonNode | undefined;
}

/** `written`: an element of a list as it stood in another place of it. */
export type NewEntry = { key?: string; value: unknown } | { written: string };

const print = (entry: NewEntry, place: PrintPlace): string =>
  'written' in entry ? entry.written : printEntry(entry.value, entry.key, place);

/** Puts an entry before the one at the index, or at the end. @returns edits in their order, apart from one another */
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

/** Takes an entry out, its comma with it, and its line when nothing else is there. */
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

/** Puts another value in the place of an entry's, on one line where the old one was. */
export function replaceEntry({ text, style, node }: Container, index: number, value: unknown): TextEdit[] {
  const old = node.entries[index]?.node;
  if (!old) return [];
  const isInline = old.entries.length > 0 ? isOneLine(text, old) : !isMultiline(text, node);
  const printed = printValue(value, { style, indentation: indentationAt(text, old.start), isInline });
  return [{ offset: old.start, length: old.end - old.start, text: printed }];
}

/**
 * Puts the entries of an object into another order, each as it is written; comments between them stay where they are.
 * @returns undefined when the value has other keys
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

/** What stands between the brackets, if anything, are comments. */
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

/** Neither comments nor other entries are beside it. */
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

/** With the line break before it when it has its lines for itself, else with the blanks beside it. */
function removeLine(text: string, start: number, end: number): TextEdit {
  let [from, to] = [start, end];
  while (isBlank(text[from - 1])) from--;
  while (isBlank(text[to])) to++;
  if (!isLineBreak(text[to])) return removal(start, to);
  if (isLineBreak(text[from - 1])) from -= text.startsWith('\r\n', from - 2) ? 2 : 1;
  return removal(from, to);
}

/** Behind the comments that end the line of this place; the place itself when something else follows them. */
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

/** The comma after an entry, whatever blanks and comments are between them. */
function findComma(text: string, start: number): number | undefined {
  for (let at = start; at < text.length;) {
    if (text[at] === ',') return at;
    const next = isBlank(text[at]) || isLineBreak(text[at]) ? at + 1 : endOfComment(text, at);
    if (next === undefined) return undefined;
    at = next;
  }
  return undefined;
}

/** @returns undefined when no comment begins here */
function endOfComment(text: string, start: number): number | undefined {
  if (text.startsWith('/*', start)) return text.indexOf('*/', start + 2) + 2;
  if (!text.startsWith('//', start)) return undefined;
  let end = start;
  while (end < text.length && !isLineBreak(text[end])) end++;
  return end;
}
