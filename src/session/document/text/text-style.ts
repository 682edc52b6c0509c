// Detects the formatting of a JSON file (indentation, line ends) and prints values in it. Independent of documents.
import type { JsonNode } from './json-text';

export interface TextStyle {
  /** Characters of one level of indentation. */
  unit: string;
  lineEnd: '\n' | '\r\n' | '\r';
  /** No space after colons and commas. */
  isCompact: boolean;
}

/** Maximum length of a value that is printed on one line, in UTF-16 code units. */
const MAX_INLINE_LENGTH = 100;
const DEFAULT_UNIT = '  ';

export function detectStyle(text: string, root: JsonNode): TextStyle {
  const lineEnd = (/\r\n|\n|\r/.exec(text)?.[0] ?? '\n') as TextStyle['lineEnd'];
  const [first] = root.entries;
  const isCompact =
    first?.key !== undefined &&
    !hasLineBreak(text, root.start, root.end) &&
    !/[ \t]/.test(text[first.node.start - 1] ?? '');
  return { unit: findUnit(text, root) ?? DEFAULT_UNIT, lineEnd, isCompact };
}

/** The indentation of the first object or list whose entries are indented; undefined when there is none. */
function findUnit(text: string, node: JsonNode): string | undefined {
  if (!isMultiline(text, node)) return undefined;
  const [first] = node.entries;
  const outer = indentationAt(text, node.start);
  const inner = indentationAt(text, first?.start ?? node.start);
  if (inner !== outer && inner.startsWith(outer)) return inner.slice(outer.length);
  for (const entry of node.entries) {
    const unit = findUnit(text, entry.node);
    if (unit !== undefined) return unit;
  }
  return undefined;
}

/** Whether its entries begin on a line after its opening bracket. */
export function isMultiline(text: string, { start, entries }: JsonNode): boolean {
  return entries[0] !== undefined && hasLineBreak(text, start, entries[0].start);
}

export function hasLineBreak(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (isLineBreak(text[at])) return true;
  return false;
}

export const isLineBreak = (unit: string | undefined): boolean => unit === '\n' || unit === '\r';
export const isBlank = (unit: string | undefined): boolean => unit === ' ' || unit === '\t';

/** The blanks at the beginning of the line that contains the offset. */
export function indentationAt(text: string, offset: number): string {
  let lineStart = offset;
  while (lineStart > 0 && !isLineBreak(text[lineStart - 1])) lineStart--;
  let end = lineStart;
  while (end < offset && isBlank(text[end])) end++;
  return text.slice(lineStart, end);
}

/** Where and how a value is printed. */
export interface PrintPlace {
  style: TextStyle;
  /** Indentation of the line on which the value begins. */
  indentation: string;
  /** Whether the object or list around it is on one line. */
  isInline: boolean;
}

/** @param key Key of the member; undefined for an element of a list. */
export function printEntry(value: unknown, key: string | undefined, place: PrintPlace): string {
  const printed = printValue(value, place);
  if (key === undefined) return printed;
  return `${JSON.stringify(key)}:${place.style.isCompact ? '' : ' '}${printed}`;
}

export function printValue(value: unknown, { style, indentation, isInline }: PrintPlace): string {
  if (style.isCompact) return JSON.stringify(value);
  const pretty = JSON.stringify(value, null, '\t');
  const inline = isInline ? toOneLine(pretty) : pretty;
  if (isInline && inline.length <= MAX_INLINE_LENGTH) return inline;
  // Not by JSON.stringify, which uses at most ten characters of indentation.
  return pretty.replaceAll(/\n(\t*)/g, (_, { length }: string) => {
    return style.lineEnd + indentation + style.unit.repeat(length);
  });
}

/** Safe, because every line break in printed JSON is between tokens: within strings it is escaped. */
const toOneLine = (pretty: string): string =>
  pretty
    .replaceAll(/\[\n\t*/g, '[')
    .replaceAll(/\n\t*\]/g, ']')
    .replaceAll(/\n\t*/g, ' ');
