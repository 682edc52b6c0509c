// Imports tool definitions of other programs: converts a request body, a server's response, a file or a terminal command to
// tools of a document. Never throws; names whatever it could not import. Sends nothing.
import { t } from '@vscode/l10n';
import { parseTree, getNodeValue, printParseErrorCode } from 'jsonc-parser';
import type { ParseError } from 'jsonc-parser';
import type { DocumentTool } from '../../protocol';
import { DOCUMENT_LIMIT } from '../../protocol';
import { cutShort } from '../../inspect';
import type { JsonRecord } from '../../inspect';
import { readCurlData } from './read-curl-data';
import { hasToolSchema, looksLikeTool, readTool } from './read-tool';
import { isRecord } from '../../library';

const MAX_LEVELS = 12;
const MAX_SKIPPED = 100;

export interface SkippedTool {
  /** Name of the tool, or its place, such as `tools[3]`. */
  what: string;
  /** Continues a sentence that begins with `what`, for example `has no name`. */
  why: string;
}

export interface ImportedTools {
  tools: DocumentTool[];
  /** At most 100 entries. */
  skipped: SkippedTool[];
}

/** Keys of lists of tools. The keys in `WRAPPERS` hold objects that may contain such a list. */
const LISTS = ['tools', 'functions', 'functionDeclarations', 'function_declarations'] as const;
const WRAPPERS = ['result', 'params', 'request', 'body'] as const;
const DECLARATIONS = new Set(['functionDeclarations', 'function_declarations']);

/**
 * @param value Parsed JSON: a tool, a list of tools, or an object that contains one. Text is read by `importToolsFromText`.
 */
export function importTools(value: unknown): ImportedTools {
  if (typeof value === 'string') {
    const { tools, skipped, problem } = importToolsFromText(value);
    return { tools, skipped: problem === undefined ? skipped : [{ what: t('The text'), why: problem }] };
  }
  const collector = new ToolCollector();
  collector.visit(value, { path: '', level: 0, isListed: false, isDeclaration: false });
  return collector.finish();
}

/**
 * @param text JSON, with or without comments and trailing commas, or a `curl` command with a body.
 * @returns `problem`, in one sentence, when the text is neither
 */
export function importToolsFromText(text: string): ImportedTools & { problem?: string } {
  if (text.length > DOCUMENT_LIMIT.text) {
    return { tools: [], skipped: [], problem: t('The text has more than 2,000,000 characters.') };
  }
  const sources = readCurlData(text) ?? [text];
  if (sources.length === 0) return { tools: [], skipped: [], problem: t('The curl command has no body.') };
  const collector = new ToolCollector();
  for (const source of sources) {
    const parsed = parseLoosely(source);
    if ('problem' in parsed) return { tools: [], skipped: [], problem: parsed.problem };
    collector.visit(parsed.value, { path: '', level: 0, isListed: false, isDeclaration: false });
  }
  return collector.finish();
}

interface ToolPlace {
  path: string;
  level: number;
  /** Whether the value is in a list of tools: if it is no tool then, it is reported as skipped. */
  isListed: boolean;
  isDeclaration: boolean;
}

class ToolCollector {
  readonly #tools = new Map<string, DocumentTool>();
  readonly #skipped: SkippedTool[] = [];
  #tooMany = 0;

  visit(value: unknown, place: ToolPlace): void {
    if (place.level > MAX_LEVELS) return;
    if (Array.isArray(value)) {
      this.#visitList(value, place);
      return;
    }
    const isTool = isRecord(value) && looksLikeTool(value);
    const isOpened = !isTool && isRecord(value) && this.#visitInside(value, place);
    if (isTool || (place.isListed && !isOpened)) this.#take(value, place);
  }

  finish(): ImportedTools {
    const skipped = this.#skipped.slice(0, MAX_SKIPPED);
    if (this.#tooMany > 0) {
      const why = t('would be more than the {0} that a playground can have', DOCUMENT_LIMIT.tools);
      skipped.push({ what: t('The others ({0})', this.#tooMany), why });
    }
    const isEmpty = this.#tools.size === 0 && skipped.length === 0;
    if (isEmpty) skipped.push({ what: t('The JSON'), why: t('has no tools in a known format') });
    return { tools: [...this.#tools.values()], skipped };
  }

  #visitList(list: readonly unknown[], place: ToolPlace): void {
    const level = place.level + 1;
    for (const [at, each] of list.entries())
      this.visit(each, { ...place, level, path: `${place.path}[${at}]` });
  }

  /** @returns true when the object is no tool itself but contains tools, which have then been visited */
  #visitInside(value: JsonRecord, place: ToolPlace): boolean {
    const level = place.level + 1;
    const inner = (key: string): string => (place.path === '' ? key : `${place.path}.${key}`);
    const held = [...LISTS, ...WRAPPERS].filter((key) => isContainer(value, key));
    for (const key of held) {
      const isListed = LISTS.some((list) => list === key);
      const inside = { path: inner(key), level, isListed, isDeclaration: DECLARATIONS.has(key) };
      this.visit(value[key], inside);
    }
    if (held.length > 0) return true;
    const entries = Object.entries(value);
    const isMap = entries.length > 0 && entries.every(([, each]) => hasToolSchema(each));
    if (isMap) for (const [key, each] of entries) this.#take(each, { ...place, path: inner(key) }, key);
    return isMap;
  }

  #take(value: unknown, place: ToolPlace, key?: string): void {
    if (this.#tools.size >= DOCUMENT_LIMIT.tools) {
      this.#tooMany += 1;
      return;
    }
    const { tool, why } = readTool(value, key, place.isDeclaration);
    const what = tool ? cutShort(tool.name) : nameOf(value, place);
    if (tool && this.#tools.has(tool.name)) this.#skip(what, t('has the same name as an earlier one'));
    else if (tool) this.#tools.set(tool.name, tool);
    if (why !== undefined) this.#skip(what, why);
  }

  #skip(what: string, why: string): void {
    // What is beyond the limit is not reported, so it need not be kept.
    if (this.#skipped.length < MAX_SKIPPED) this.#skipped.push({ what, why });
  }
}

function isContainer(value: JsonRecord, key: string): boolean {
  const inner = Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof inner === 'object' && inner !== null;
}

function nameOf(value: unknown, { path }: ToolPlace): string {
  const fields = isRecord(value) && isRecord(value['function']) ? value['function'] : value;
  const name = isRecord(fields) ? fields['name'] : undefined;
  return typeof name === 'string' && name !== '' ? cutShort(name) : path || t('The JSON');
}

function parseLoosely(text: string): { value: unknown } | { problem: string } {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (source.trim() === '') return { problem: t('The text is empty.') };
  try {
    return { value: JSON.parse(source) as unknown };
  } catch {
    return parseWithComments(source);
  }
}

function parseWithComments(text: string): { value: unknown } | { problem: string } {
  const errors: ParseError[] = [];
  try {
    const root = parseTree(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (first) return { problem: describeParseError(text, first) };
    if (!root) return { problem: t('The text is empty.') };
    // Converted by JSON.parse, so that `__proto__` becomes an ordinary property.
    return { value: JSON.parse(JSON.stringify(getNodeValue(root))) as unknown };
  } catch {
    return { problem: t('The text is nested too deeply.') };
  }
}

function describeParseError(text: string, { error, offset }: ParseError): string {
  const lines = text.slice(0, offset).split('\n');
  const reason = printParseErrorCode(error)
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim();
  return t('Line {0}, column {1} is not JSON: {2}.', lines.length, (lines.at(-1)?.length ?? 0) + 1, reason);
}
