// Parses the text of a playground file to a document. Pure; keeping the last valid document is up to the caller.
import { t } from '@vscode/l10n';
import { DocumentSchema } from '../../protocol';
import type { PlaygroundDocument } from '../../protocol';
import { checkSchema } from './check-schema';
import { findWarnings } from './document-warnings';
import { findOffset, readJson } from './json-text';
import type { JsonNode, JsonProblem } from './json-text';
import { newPlayground } from './new-playground';
import { toProblem } from './place';
import type { DocumentProblem } from './place';

export interface DocumentWarning extends DocumentProblem {
  /** Whether it is about the document's tools. */
  isAboutTools: boolean;
}

export type ParsedDocument =
  | { document: PlaygroundDocument; warnings: DocumentWarning[]; error?: undefined }
  | { error: DocumentProblem; document?: undefined; warnings?: undefined };

/** In UTF-16 code units. */
const MAX_TEXT_LENGTH = 8_000_000;

export const isEmptyText = (text: string): boolean => text.length <= MAX_TEXT_LENGTH && text.trim() === '';

/**
 * Reads JSON with comments and trailing commas. Missing values get their defaults; an empty text gives a new playground.
 * @returns the complete document with its warnings, or the first error. Never throws
 */
export function parseDocument(text: string): ParsedDocument {
  if (isEmptyText(text)) return { document: newPlayground(), warnings: [] };
  const read = readDocumentText(text);
  if ('message' in read) return { error: toProblem(text, read) };
  const checked = checkSchema(DocumentSchema, read.root.value);
  if ('problem' in checked) {
    const { path, message } = checked.problem;
    return { error: toProblem(text, { offset: findOffset(read.root, path), message }) };
  }
  const { output: document } = checked;
  const warnings = [...read.leftOut, ...findWarnings(document, read.root)];
  const tools = read.root.entries.find(({ key }) => key === 'tools')?.node;
  const isAboutTools = ({ offset }: JsonProblem): boolean =>
    tools !== undefined && offset >= tools.start && offset < tools.end;
  return {
    document,
    warnings: warnings.map((warning) => ({
      ...toProblem(text, warning),
      isAboutTools: isAboutTools(warning),
    })),
  };
}

/** Parses the text without checking it against the schema. */
export function readDocumentText(text: string): { root: JsonNode; leftOut: JsonProblem[] } | JsonProblem {
  if (text.length > MAX_TEXT_LENGTH)
    return { offset: 0, message: t('The text has more than {0} characters.', MAX_TEXT_LENGTH) };
  return readJson(text);
}
