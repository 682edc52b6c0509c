// Makes the tool calls of a scripted model from a user's sentence, by simple rules over the names and JSON Schemas of the
// tools.
import type { JsonSchema, ToolType } from '../../types';
import { isJsonObject } from '../wire/json-value';
import { wordFor } from './message-words';

export interface MadeCall {
  name: string;
  arguments: Readonly<Record<string, unknown>>;
}

/** Words of a message that mean the same as a word in a tool's name. */
const RELATED_WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['weather', ['weather', 'temperature', 'forecast', 'rain', 'snow', 'sunny']],
  ['flight', ['flight', 'fly', 'plane']],
]);

/** Words that do not tell what a tool is for. */
const COMMON_WORDS = new Set(['get', 'set', 'search', 'find', 'list', 'fetch', 'look', 'the', 'for', 'and']);

const MAX_SCHEMA_DEPTH = 8;

/**
 * The call of the tool that fits the message best; the first tool when none fits; undefined when no tools are offered. Fills
 * required properties only.
 */
export function bestCall(message: string, tools: readonly ToolType[]): MadeCall | undefined {
  let best: ToolType | undefined;
  let bestFit = -1;
  for (const tool of tools) {
    const fit = fitOf(tool, message);
    if (fit > bestFit) [best, bestFit] = [tool, fit];
  }
  return best && toCall(best, message);
}

/**
 * One call for every tool whose name fits the message, in the order of the tools; if at most one fits, only the best call.
 */
export function fittingCalls(message: string, tools: readonly ToolType[]): MadeCall[] {
  const fitting = tools.filter((tool) => fitOf(tool, message) > 0);
  if (fitting.length > 1) return fitting.map((tool) => toCall(tool, message));
  const best = bestCall(message, tools);
  return best ? [best] : [];
}

/** Number of words in the tool's name that the message mentions. */
function fitOf(tool: ToolType, message: string): number {
  const said = new Set(wordsOf(message));
  return wordsOf(tool.name).filter((word) =>
    (RELATED_WORDS.get(word) ?? [word]).some((form) => said.has(form)),
  ).length;
}

/** Words in lower case, split at case changes and punctuation, without a plural s and without common words. */
function wordsOf(text: string): string[] {
  return text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word))
    .filter((word) => word.length > 2 && !COMMON_WORDS.has(word));
}

function toCall(tool: ToolType, message: string): MadeCall {
  return { name: tool.name, arguments: makeObject(tool.parameters, message, 0) };
}

function makeObject(schema: JsonSchema, message: string, depth: number): Record<string, unknown> {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const made: [string, unknown][] = required
    .filter((name) => typeof name === 'string')
    .map((name) => [
      name,
      makeValue(name, Object.hasOwn(properties, name) ? properties[name] : undefined, message, depth + 1),
    ]);
  return Object.fromEntries(made);
}

function makeValue(name: string, schema: unknown, message: string, depth: number): unknown {
  if (!isJsonObject(schema) || depth > MAX_SCHEMA_DEPTH) return wordFor(name, message);
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0] ?? null;
  const branch = firstBranch(schema);
  if (branch !== undefined) return makeValue(name, branch, message, depth + 1);
  const type: unknown = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  switch (type) {
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'null':
      return null;
    case 'object':
      return makeObject(schema, message, depth);
    default:
      return wordFor(name, message);
  }
}

function firstBranch(schema: JsonSchema): unknown {
  const branches = schema['anyOf'] ?? schema['oneOf'];
  return Array.isArray(branches) ? branches[0] : undefined;
}
