// Translates tools into the declaration that both protocols use, and schemas from the forms that callers may pass.
import type { JsonSchema, ToolType } from '../../types';
import { InvalidOptionsError } from '../errors';
import { callSafely } from '../util/call-safely';
import { isRecord, toRecord } from '../util/json';
import { describeThrown } from '../util/thrown';

export interface WireTool {
  type: 'function';
  function: { name: string; description?: string; parameters: JsonSchema };
}

/** @throws InvalidOptionsError for a Standard Schema that JSON Schema cannot express */
export function toWireTools(tools: readonly ToolType[]): WireTool[] {
  return tools.map(({ name, description, parameters }, index) => ({
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      parameters: writeSchema(parameters, `tools[${index}].parameters`),
    },
  }));
}

function writeSchema(parameters: unknown, field: string): JsonSchema {
  try {
    return toJsonSchema(parameters);
  } catch (error) {
    // Such as zod's own words about a date.
    throw new InvalidOptionsError(field, `cannot be written as JSON Schema: ${describeThrown(error)}`);
  }
}

/** The tools as rescue reads them: with JSON Schemas. A schema that cannot be written as one is refused with the request. */
export function toReadableTools(tools: readonly ToolType[]): readonly ToolType[] {
  return tools.map((tool) => {
    const parameters: unknown = Object(tool).parameters;
    const schema = callSafely(() => askSchema(parameters));
    return isRecord(schema) ? { name: tool.name, description: tool.description, parameters: schema } : tool;
  });
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
