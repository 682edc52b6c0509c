// Translates tools into the declaration that both protocols use, and schemas from the forms that callers may pass.
import type { JsonSchema, ToolType } from '../../types';
import { isRecord, toRecord } from '../util/json';

export interface WireTool {
  type: 'function';
  function: { name: string; description?: string; parameters: JsonSchema };
}

export function toWireTools(tools: readonly ToolType[]): WireTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      parameters: toJsonSchema(parameters),
    },
  }));
}

/**
 * A JSON Schema unchanged, or the JSON Schema of a Standard Schema that can provide it (zod 4 and others). Missing parts of
 * `{type: 'object', properties}` are added, because Ollama's runner refuses a tool without `properties`.
 */
export function toJsonSchema(parameters: unknown): JsonSchema {
  const schema = askSchema(parameters) ?? (isRecord(parameters) ? parameters : {});
  return { type: 'object', properties: {}, ...schema };
}

function askSchema(parameters: unknown): JsonSchema | undefined {
  if (!isRecord(parameters) && typeof parameters !== 'function') return undefined;
  const standard: unknown = Reflect.get(parameters, '~standard');
  const jsonSchema = isRecord(standard) ? toRecord(standard['jsonSchema']) : {};
  const own: unknown = Reflect.get(parameters, 'toJSONSchema');
  if (typeof jsonSchema['input'] === 'function') return toRecord(jsonSchema['input']({ target: 'draft-07' }));
  return typeof own === 'function' ? toRecord(Reflect.apply(own, parameters, [])) : undefined;
}
