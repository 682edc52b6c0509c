// Parses the text of one tool that is edited outside its document. Independent of documents.
import { t } from '@vscode/l10n';
import { DocumentToolSchema, ToolReferenceSchema } from '../../protocol';
import { checkSchema } from './check-schema';
import { findOffset } from './text/json-text';
import { readDocumentText } from './parse-document';
import { toProblem } from './place';
import type { DocumentProblem } from './place';

export type ParsedTool =
  | { value: Readonly<Record<string, unknown>>; error?: undefined }
  | { error: DocumentProblem; value?: undefined };

/**
 * Reads JSON with comments and trailing commas.
 * @returns the tool or the reference as written, without defaults; or the first error. Never throws
 */
export function parseTool(text: string): ParsedTool {
  const read = readDocumentText(text);
  if ('message' in read) return { error: toProblem(text, read) };
  const { root, leftOut } = read;
  const [first] = leftOut;
  if (first) return { error: toProblem(text, { ...first, message: t('A key __proto__ cannot be kept.') }) };
  if (root.kind !== 'object')
    return { error: toProblem(text, { offset: root.start, message: t('A tool must be an object.') }) };
  const value = root.value as Record<string, unknown>;
  const checked = Object.hasOwn(value, '$ref')
    ? checkSchema(ToolReferenceSchema, value)
    : checkSchema(DocumentToolSchema, value);
  if ('output' in checked) return { value };
  const { path, message } = checked.problem;
  return { error: toProblem(text, { offset: findOffset(root, path), message }) };
}
