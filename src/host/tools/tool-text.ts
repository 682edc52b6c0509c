// The text of a document's tool as a file of its own. Independent of files and vscode.
import type { DocumentTool, ToolReference } from '../../protocol';

export type ToolEntry = DocumentTool | ToolReference;

/** Maximum size of a file, in bytes and in UTF-16 code units. */
export const MAX_TOOL_SIZE = 8_000_000;

const EXTENSION = '.playground-tool.json';
const MAX_NAME_LENGTH = 60;

/** Name of the entry, or its reference. */
export const nameOf = (entry: ToolEntry): string => ('$ref' in entry ? entry.$ref : entry.name);

/** Removes default values, which the text leaves out. */
export function withoutDefaults(entry: ToolEntry): Record<string, unknown> {
  const { offered, mocks, ...rest } = entry;
  return {
    ...rest,
    ...(!offered && { offered }),
    // In a reference, absent mocks mean those of the library, so an empty list is kept there.
    ...(mocks && ('$ref' in entry || mocks.length > 0) && { mocks }),
  };
}

/** @returns undefined when it is too large for an editor of its own. */
export function printTool(entry: ToolEntry): string | undefined {
  const value = withoutDefaults(entry);
  const compact = JSON.stringify(value);
  if (compact.length > MAX_TOOL_SIZE) return undefined;
  // The indentation of many deeply nested parts may be a hundred times as long as the parts.
  if (prettyLength(compact) > MAX_TOOL_SIZE) return compact;
  return `${JSON.stringify(value, null, 2)}\n`;
}

function prettyLength(compact: string): number {
  let length = compact.length;
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < compact.length; at++) {
    const unit = compact[at] ?? '';
    if (isInText && unit === '\\') at++;
    else if (unit === '"') isInText = !isInText;
    else if (!isInText && '{}[],'.includes(unit)) {
      if (unit === '{' || unit === '[') depth++;
      else if (unit !== ',') depth--;
      length += 1 + 2 * depth;
    }
  }
  return length;
}

/** A file name that is valid on any file system and short enough for a tab. */
export function fileNameOf(name: string): string {
  const plain = Array.from(name.slice(0, 2 * MAX_NAME_LENGTH), (each) => (PLAIN.test(each) ? each : '-'));
  return `${plain.slice(0, MAX_NAME_LENGTH).join('') || 'tool'}${EXTENSION}`;
}

const PLAIN = /^[\p{L}\p{N}_.-]$/u;

/** Parts of the path `/<session>/<number>/<name>.playground-tool.json`, or of a folder above it. */
export interface ToolPath {
  session?: string;
  number?: number;
  fileName?: string;
}

/** @returns undefined for any other path. */
export function parseToolPath(path: string): ToolPath | undefined {
  if (path === '/' || path === '') return {};
  const match = /^\/([\da-f]{16})(?:\/(0|[1-9]\d{0,5})(?:\/([^/]+))?)?$/.exec(path);
  if (!match) return undefined;
  const [, session = '', number, fileName] = match;
  if (fileName !== undefined && !fileName.endsWith(EXTENSION)) return undefined;
  return {
    session,
    ...(number !== undefined && { number: Number(number) }),
    ...(fileName !== undefined && { fileName }),
  };
}
