// Parses the text of a playground file to a document. Pure; keeping the last valid document is up to the caller.
import { t } from '@vscode/l10n';
import { DocumentSchema, FilledExpectationsSchema } from '../../protocol';
import type { PlaygroundDocument } from '../../protocol';
import { checkSchema } from './check-schema';
import { findWarnings } from './document-warnings';
import { findWrongMatcher } from './find-wrong-matcher';
import { findOffset, readJson } from './text/json-text';
import type { JsonProblem, JsonText } from './text/json-text';
import { NEW_PLAYGROUND_TEXT } from './new-playground';
import { hasPlaceholder } from '../rows/template';
import { toProblem } from './place';
import type { DocumentProblem } from './place';

export interface DocumentWarning extends DocumentProblem {
  /** Whether it is about the document's tools. */
  isAboutTools: boolean;
}

/** A text with its values and their positions. */
export interface DocumentTree extends JsonText {
  text: string;
}

export type ParsedDocument = { text: string } & (
  | { tree: DocumentTree; document: PlaygroundDocument; warnings: DocumentWarning[]; error?: undefined }
  | { error: DocumentProblem; tree?: undefined; document?: undefined; warnings?: undefined }
);

/** In UTF-16 code units. */
const MAX_TEXT_LENGTH = 8_000_000;

export const isEmptyText = (text: string): boolean => text.length <= MAX_TEXT_LENGTH && text.trim() === '';

/**
 * Reads JSON with comments and trailing commas. Missing values get their defaults; an empty text gives a new playground.
 * @returns the complete document with its warnings, or the first error. Never throws
 */
export function parseDocument(text: string): ParsedDocument {
  const read = readDocumentText(isEmptyText(text) ? NEW_PLAYGROUND_TEXT : text);
  return 'message' in read ? { text, error: toProblem(text, read) } : { ...checkTree(read), text };
}

/** The same for a text that is parsed already. */
export function checkTree(tree: DocumentTree): ParsedDocument {
  const { text, root, leftOut } = tree;
  const checked = checkSchema(DocumentSchema, root.value);
  if ('problem' in checked) {
    const { path, message } = checked.problem;
    return { text, error: toProblem(text, { offset: findOffset(root, path), message }) };
  }
  const { output: document } = checked;
  const isFilled = document.evaluate.rows !== undefined;
  // Without rows, braces are text.
  const literal = isFilled ? undefined : checkSchema(FilledExpectationsSchema, document.expect, ['expect']);
  const wrong =
    literal && 'problem' in literal
      ? literal.problem
      : findWrongMatcher(document, isFilled ? hasPlaceholder : undefined);
  if (wrong)
    return { text, error: toProblem(text, { offset: findOffset(root, wrong.path), message: wrong.message }) };
  const warnings = [...leftOut, ...findWarnings(document, root)];
  const tools = root.entries.find(({ key }) => key === 'tools')?.node;
  const isAboutTools = ({ offset }: JsonProblem): boolean =>
    tools !== undefined && offset >= tools.start && offset < tools.end;
  return {
    text,
    tree,
    document,
    warnings: warnings.map((warning) => ({
      ...toProblem(text, warning),
      isAboutTools: isAboutTools(warning),
    })),
  };
}

/** Parses the text without checking it against the schema. */
export function readDocumentText(text: string): DocumentTree | JsonProblem {
  if (text.length > MAX_TEXT_LENGTH)
    return { offset: 0, message: t('The text has more than {0} characters.', MAX_TEXT_LENGTH) };
  const read = readJson(text);
  return 'message' in read ? read : { ...read, text };
}
