// The tools as rescue reads them. Independent of formats.
import type { ToolType } from '../../../types';
import { callSafely } from '../../util/call-safely';
import { isRecord } from '../../util/json';
import { askSchema } from '../../util/standard-schema';

/**
 * The tools with JSON Schemas in place of Standard Schemas; the same list when there is nothing to replace, and [] for what
 * is no list, because callers without type checks may pass anything. A schema that cannot be written as JSON Schema stays.
 */
export function toReadableTools(tools: unknown): readonly ToolType[] {
  if (!Array.isArray(tools)) return [];
  const given = tools as readonly ToolType[];
  const readable = given.map((tool) => {
    const schema = callSafely(() => askSchema(Object(tool).parameters));
    return isRecord(schema) ? { name: tool.name, description: tool.description, parameters: schema } : tool;
  });
  return readable.some((tool, index) => tool !== given[index]) ? readable : given;
}
