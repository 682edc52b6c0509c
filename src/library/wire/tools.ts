// Tools as both protocols declare them, and schemas in the forms that callers hand in.
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
 * A JSON Schema as it is; a Standard Schema that can tell its JSON Schema (zod 4 and others) as that. What is missing of
 * `{type: 'object', properties}` is added: Ollama's runner refuses a tool without `properties`.
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
