// Reads the JSON Schema of a Standard Schema (zod 4 and others). Independent of protocols.
import type { JsonSchema, ToolType } from '../../types';
import { callSafely } from './call-safely';
import { isRecord, toRecord } from './json';

/**
 * The JSON Schema of a schema that can provide it; undefined for anything else, such as a JSON Schema.
 * @throws whatever the schema throws when JSON Schema cannot express it
 */
export function askSchema(parameters: unknown): JsonSchema | undefined {
  if (!isRecord(parameters) && typeof parameters !== 'function') return undefined;
  if (!('~standard' in parameters) && !('toJSONSchema' in parameters)) return undefined;
  const standard: unknown = Reflect.get(parameters, '~standard');
  const jsonSchema = isRecord(standard) ? toRecord(standard['jsonSchema']) : {};
  const own: unknown = Reflect.get(parameters, 'toJSONSchema');
  if (typeof jsonSchema['input'] === 'function') return toRecord(jsonSchema['input']({ target: 'draft-07' }));
  return typeof own === 'function' ? toRecord(Reflect.apply(own, parameters, [])) : undefined;
}

/**
 * The tools with JSON Schemas in place of Standard Schemas; the same list when there is nothing to replace, and [] for what
 * is no list, because callers without type checks may pass anything. A schema that cannot be written as JSON Schema stays.
 */
export function toReadableTools(tools: unknown): readonly ToolType[] {
  if (!Array.isArray(tools)) return [];
  const given = tools as readonly ToolType[];
  return given.some(mayProvideSchema) ? given.map(toReadable) : given;
}

/** Asked of every tool for every reply, so it must cost next to nothing. */
function mayProvideSchema(tool: unknown): boolean {
  try {
    const parameters = Object(tool).parameters as unknown;
    const isObject = isRecord(parameters) || typeof parameters === 'function';
    return isObject && ('~standard' in parameters || 'toJSONSchema' in parameters);
  } catch {
    return false; // a property that cannot be read
  }
}

function toReadable(tool: ToolType): ToolType {
  const schema = callSafely(() => askSchema(Object(tool).parameters));
  return isRecord(schema)
    ? { name: tool.name, description: tool.description, parameters: schema, strict: tool.strict }
    : tool;
}
