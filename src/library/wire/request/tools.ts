// Translates tools into the declaration that both protocols use, and schemas from the forms that callers may pass.
import type { JsonSchema, ToolType } from '../../../types';
import { InvalidOptionsError } from '../../errors';
import { isRecord } from '../../util/json';
import { askSchema } from '../../util/standard-schema';
import { describeThrown } from '../../util/thrown';

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
    throw new InvalidOptionsError(field, `cannot be written as JSON Schema: ${describeThrown(error)}`, error);
  }
}

/**
 * A JSON Schema unchanged, or the JSON Schema of a Standard Schema that can provide it (zod 4 and others). Missing parts of
 * `{type: 'object', properties}` are added, because Ollama's runner refuses a tool without `properties`.
 */
export function toJsonSchema(parameters: unknown): JsonSchema {
  const schema = askSchema(parameters) ?? (isRecord(parameters) ? parameters : {});
  return { type: 'object', properties: {}, ...schema };
}
