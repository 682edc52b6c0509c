// Parses the text of a tool library: an object whose keys are the names that documents refer to. Independent of files.
import { t } from '@vscode/l10n';
import { DocumentToolSchema } from '../../protocol';
import type { DocumentTool } from '../../protocol';
import { checkSchema } from './check-schema';
import { findUnknownKey } from './document-warnings';
import { findOffset } from './text/json-text';
import { isEmptyText, readDocumentText } from './parse-document';
import { formatPlace, toProblem } from './place';
import type { DocumentProblem } from './place';

export interface ToolLibrary {
  /** Keyed as in the text. */
  tools: Map<string, DocumentTool>;
  /** The first problem. Tools without problems are in `tools` nevertheless. */
  error?: DocumentProblem | undefined;
  /** The first key that is not a property of tools, such as a misspelt one. */
  warning?: DocumentProblem | undefined;
}

const NOT_TOOLS = new Set(['$schema']);

/** Reads JSON with comments and trailing commas; an empty text gives no tools. Never throws. */
export function parseToolLibrary(text: string): ToolLibrary {
  const tools = new Map<string, DocumentTool>();
  if (isEmptyText(text)) return { tools };
  const read = readDocumentText(text);
  if ('message' in read) return { tools, error: toProblem(text, read) };
  const { root } = read;
  if (root.kind !== 'object') {
    const message = t('{0} must be an object whose keys are the names of tools.', formatPlace([]));
    return { tools, error: toProblem(text, { offset: root.start, message }) };
  }
  let error: DocumentProblem | undefined;
  let warning: DocumentProblem | undefined;
  for (const [key, value] of Object.entries(root.value as Record<string, unknown>)) {
    if (NOT_TOOLS.has(key)) continue;
    const checked = checkSchema(DocumentToolSchema, withName(value, key), [key]);
    if ('output' in checked) {
      tools.set(key, checked.output);
      const unknown = warning ? undefined : findUnknownKey(DocumentToolSchema, checked.output, [key], root);
      if (unknown) warning = toProblem(text, unknown);
    } else {
      const { path, message } = checked.problem;
      error ??= toProblem(text, { offset: findOffset(root, path), message });
    }
  }
  return { tools, ...(error && { error }), ...(warning && { warning }) };
}

const withName = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { name, ...value } : value;

/** Offset of the tool with this name; 0 when there is none or the text cannot be read. Never throws. */
export function findToolOffset(text: string, name: string): number {
  const read = readDocumentText(text);
  return 'root' in read ? findOffset(read.root, [name]) : 0;
}
