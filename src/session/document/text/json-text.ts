// Parses JSON with comments and trailing commas into values with their positions in the text. Independent of playgrounds.
import { t } from '@vscode/l10n';
import { printParseErrorCode, visit } from 'jsonc-parser';
import { formatPlace } from '../place';
import type { Path } from '../place';

/** A value with its position: offsets in UTF-16 code units, the end exclusive. */
export interface JsonNode {
  kind: 'object' | 'list' | 'scalar';
  start: number;
  end: number;
  /** Members of an object or elements of a list, in the order of the text. */
  entries: JsonEntry[];
  value: unknown;
}

export interface JsonEntry {
  /** Key of an object's member; undefined in a list. */
  key: string | undefined;
  /** Offset of the key, or of the value in a list. */
  start: number;
  node: JsonNode;
}

export interface JsonProblem {
  offset: number;
  /** A whole sentence. */
  message: string;
}

export interface JsonText {
  root: JsonNode;
  /** Keys that the text has and the value does not: setting `__proto__` would change what the object inherits. */
  leftOut: JsonProblem[];
}

/** Maximum nesting. Deeper text is refused, because the parser and everything after it is recursive. */
export const MAX_DEPTH = 200;
const MAX_LEFT_OUT = 50;

export const isTooDeep = (depth: number): boolean => depth > MAX_DEPTH;

/** @returns the tree, or the first problem. Never throws, whatever the text is */
export function readJson(text: string): JsonText | JsonProblem {
  const tree = new TreeBuilder();
  try {
    visit(
      // A byte order mark is not valid JSON, but editors write one. A space in its place keeps the offsets.
      text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text,
      {
        onObjectBegin: (offset) => tree.open('object', offset),
        onArrayBegin: (offset) => tree.open('list', offset),
        onObjectEnd: (offset, length) => tree.close(offset + length),
        onArrayEnd: (offset, length) => tree.close(offset + length),
        onObjectProperty: (key, offset) => tree.beginMember(key, offset),
        onLiteralValue: (value: unknown, offset, length) => tree.addScalar(value, offset, offset + length),
        onError: (code, offset) => {
          throw new UnreadableText(
            offset,
            isConflictMark(text, offset)
              ? t('The file has a merge conflict: choose one of its versions, and remove the marks.')
              : t('The text is not JSON: {0}.', REASONS[printParseErrorCode(code)]?.() ?? ''),
          );
        },
      },
      { allowTrailingComma: true },
    );
  } catch (error) {
    if (error instanceof UnreadableText) return { offset: error.offset, message: error.message };
    throw error;
  }
  return tree.root ? { root: tree.root, leftOut: tree.leftOut } : { offset: 0, message: emptyTextMessage() };
}

/** @returns the index of the entry in its object or list; undefined when there is none */
export function findIndex(node: JsonNode, segment: string | number): number | undefined {
  if (typeof segment === 'number')
    return node.kind === 'list' && node.entries[segment] !== undefined ? segment : undefined;
  const index = node.kind === 'object' ? node.entries.findIndex(({ key }) => key === segment) : -1;
  return index === -1 ? undefined : index;
}

/** @returns undefined when there is none at the path */
export function findNode(root: JsonNode, path: Path): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const segment of path) node = node && node.entries[findIndex(node, segment) ?? -1]?.node;
  return node;
}

/** Offset of the entry at the path, or of the innermost existing one on the way to it. */
export function findOffset(root: JsonNode, path: Path): number {
  let [node, offset] = [root, root.start];
  for (const segment of path) {
    const entry = node.entries[findIndex(node, segment) ?? -1];
    if (!entry) break;
    [node, offset] = [entry.node, entry.start];
  }
  return offset;
}

/** Thrown to end the visit at once: the visitor cannot be stopped otherwise, and would recurse to any depth. */
class UnreadableText extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

interface OpenNode {
  node: JsonNode;
  keys: Set<string>;
  /** Key of the member whose value comes next; undefined in a list. */
  key: string | undefined;
  keyStart: number;
}

class TreeBuilder {
  root: JsonNode | undefined;
  readonly leftOut: JsonProblem[] = [];
  readonly #open: OpenNode[] = [];

  open(kind: 'object' | 'list', start: number): void {
    if (isTooDeep(this.#open.length + 1))
      throw new UnreadableText(
        start,
        t('Objects and lists are nested more than {0} levels deep.', MAX_DEPTH),
      );
    const node: JsonNode = { kind, start, end: start, entries: [], value: kind === 'list' ? [] : {} };
    this.#add(node);
    this.#open.push({ node, keys: new Set(), key: undefined, keyStart: start });
  }

  close(end: number): void {
    const closed = this.#open.pop();
    if (closed) closed.node.end = end;
  }

  beginMember(key: string, start: number): void {
    const parent = this.#open.at(-1);
    if (!parent) return;
    Object.assign(parent, { key, keyStart: start });
    // JSON parsers differ in which of two equal keys they use, so neither is right.
    if (parent.keys.has(key))
      throw new UnreadableText(start, t('{0} appears here a second time.', formatPlace(this.#path())));
    parent.keys.add(key);
  }

  addScalar(value: unknown, start: number, end: number): void {
    if (value === Infinity || value === -Infinity)
      throw new UnreadableText(start, t('The number is too large.'));
    this.#add({ kind: 'scalar', start, end, entries: [], value });
  }

  #add(node: JsonNode): void {
    const parent = this.#open.at(-1);
    if (!parent) {
      this.root ??= node;
      return;
    }
    const { key, keyStart } = parent;
    parent.node.entries.push({ key, start: key === undefined ? node.start : keyStart, node });
    if (key === undefined) (parent.node.value as unknown[]).push(node.value);
    else if (key !== '__proto__') (parent.node.value as Record<string, unknown>)[key] = node.value;
    else if (this.leftOut.length < MAX_LEFT_OUT)
      this.leftOut.push({ offset: keyStart, message: t('{0} is left out.', formatPlace(this.#path())) });
  }

  #path(): Path {
    return this.#open.map(({ node, key }) => key ?? node.entries.length - 1);
  }
}

/** Whether the line of this offset is one that Git writes around the versions of a conflict. */
function isConflictMark(text: string, offset: number): boolean {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^(?:<{7} |\|{7} |={7}\r?\n|>{7} )/.test(text.slice(start, start + 9));
}

const emptyTextMessage = (): string => t('The text is not JSON: a value is expected.');

/** Messages by the error names of jsonc-parser. */
const REASONS: Record<string, () => string> = {
  InvalidSymbol: () => t('a word is not a value; write text in double quotes'),
  InvalidNumberFormat: () => t('a number is not valid'),
  PropertyNameExpected: () => t('a key in double quotes is expected'),
  ValueExpected: () => t('a value is expected'),
  ColonExpected: () => t('a colon is expected after the key'),
  CommaExpected: () => t('a comma is expected'),
  CloseBraceExpected: () => t('a closing brace is missing'),
  CloseBracketExpected: () => t('a closing bracket is missing'),
  EndOfFileExpected: () => t('something follows after the end of the value'),
  UnexpectedEndOfComment: () => t('a comment has no end'),
  UnexpectedEndOfString: () => t('a text has no closing quote on its line'),
  UnexpectedEndOfNumber: () => t('a number is not complete'),
  InvalidUnicode: () => t('a \\u is not followed by four hexadecimal digits'),
  InvalidEscapeCharacter: () => t('a backslash is followed by a character that cannot be escaped'),
  InvalidCharacter: () => t('a text contains a control character; write a tab as \\t'),
};
