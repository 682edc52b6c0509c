// Reads the JSON Schema of a Standard Schema (zod 4 and others). Independent of tools and protocols.
import type { JsonSchema } from '../../types';
import { isRecord, toRecord } from './json';

/**
 * The JSON Schema of a schema that can provide it; undefined for anything else, such as a JSON Schema.
 * @throws whatever the schema throws when JSON Schema cannot express it
 */
export function askSchema(parameters: unknown): JsonSchema | undefined {
  if (!isRecord(parameters) && typeof parameters !== 'function') return undefined;
  const standard: unknown = Reflect.get(parameters, '~standard');
  const jsonSchema = isRecord(standard) ? toRecord(standard['jsonSchema']) : {};
  const own: unknown = Reflect.get(parameters, 'toJSONSchema');
  if (typeof jsonSchema['input'] === 'function') return toRecord(jsonSchema['input']({ target: 'draft-07' }));
  return typeof own === 'function' ? toRecord(Reflect.apply(own, parameters, [])) : undefined;
}
