// A tool of a document as the text of a file of its own. Knows neither files nor vscode.
import type { DocumentTool, ToolReference } from '../../protocol';

export type ToolEntry = DocumentTool | ToolReference;

/** Of a file, in bytes and in UTF-16 code units. */
export const MAX_TOOL_SIZE = 8_000_000;

const EXTENSION = '.playground-tool.json';
const MAX_NAME_LENGTH = 60;

/** What the entry is called: its name, or what it refers to. */
export const nameOf = (entry: ToolEntry): string => ('$ref' in entry ? entry.$ref : entry.name);

/** What a text would leave out is left out. */
export function withoutDefaults(entry: ToolEntry): Record<string, unknown> {
  const { offered, mocks, ...rest } = entry;
  return {
    ...rest,
    ...(!offered && { offered }),
    // of a reference, no mocks at all stand for those of the library
    ...(mocks && ('$ref' in entry || mocks.length > 0) && { mocks }),
  };
}

/** @returns undefined when it is too large for an editor of its own */
export function printTool(entry: ToolEntry): string | undefined {
  const value = withoutDefaults(entry);
  const compact = JSON.stringify(value);
  if (compact.length > MAX_TOOL_SIZE) return undefined;
  // the indentation of many deep parts may be a hundred times as long as they are
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

/** Fit for any file system, and for a tab. */
export function fileNameOf(name: string): string {
  const plain = Array.from(name.slice(0, 2 * MAX_NAME_LENGTH), (each) => (PLAIN.test(each) ? each : '-'));
  return `${plain.slice(0, MAX_NAME_LENGTH).join('') || 'tool'}${EXTENSION}`;
}

const PLAIN = /^[\p{L}\p{N}_.-]$/u;

/** The parts of an address: `/<session>/<number>/<name>.playground-tool.json`, or a folder above it. */
export interface ToolPath {
  session?: string;
  number?: number;
  fileName?: string;
}

/** @returns undefined for anything else */
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
