// Reads one tool definition in any of the shapes that servers and clients use. Independent of lists of tools.
import { t } from '@vscode/l10n';
import * as v from 'valibot';
import type { DocumentTool } from '../../protocol';
import { DOCUMENT_LIMIT, MockSchema } from '../../protocol';
import { cutShort, describeValue, showValue } from '../../inspect';
import type { JsonRecord } from '../../inspect';
import { measureJson } from './schema/measure-json';
import { isRecord } from '../../library';

const MocksSchema = v.pipe(v.array(MockSchema), v.maxLength(DOCUMENT_LIMIT.mocks));

/** Of OpenAI, Responses and ourselves · Anthropic · MCP and the editor · Gemini, in both spellings of its API. */
const SCHEMA_KEYS = [
  'parameters',
  'input_schema',
  'inputSchema',
  'parametersJsonSchema',
  'parameters_json_schema',
] as const;

/** Type names as Gemini writes them; the rest of its schemas is not changed. */
const GEMINI_TYPES = ['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL'];
const SCHEMA_KEYWORDS = new Set(['items', 'prefixItems', 'anyOf', 'additionalProperties']);
const SCHEMA_MAPS = new Set(['properties', '$defs', 'defs']);

/** Larger tools could be neither checked nor written. */
const LIMIT = { nodes: 200_000, depth: 200 } as const;

export interface ToolReading {
  tool?: DocumentTool | undefined;
  /** Why there is no tool, or what was left out of it. Continues a sentence that begins with the name. */
  why?: string | undefined;
}

/** Whether a record looks like a tool, wherever it was found. */
export const looksLikeTool = (value: JsonRecord): boolean =>
  isRecord(value['function']) ||
  (typeof value['name'] === 'string' &&
    (value['type'] === 'function' || SCHEMA_KEYS.some((key) => Object.hasOwn(value, key))));

/** Whether a record looks like a tool whose name is given elsewhere, such as by the key it stands under. */
export const hasToolSchema = (value: unknown): boolean =>
  isRecord(value) && SCHEMA_KEYS.some((key) => isRecord(value[key]));

/**
 * @param key Name to use when the record has none itself: the key that it stands under.
 * @param isDeclaration Whether it comes from a list of Gemini function declarations.
 */
export function readTool(value: unknown, key: string | undefined, isDeclaration: boolean): ToolReading {
  if (!isRecord(value)) return { why: t('is {0}, not a tool', describeValue(value)) };
  if (typeof value['$ref'] === 'string')
    return { why: t('is a reference, and what it refers to is not here') };
  const size = measureJson(value, LIMIT);
  if (!size) return { why: t('is too large') };
  const plain = size.stranger === undefined ? value : toPlain(value);
  return plain
    ? readFields(plain, key, isDeclaration)
    : { why: t('contains a value that JSON cannot express') };
}

/** Drops undefined properties, which tools of the running editor may have. */
function toPlain(value: JsonRecord): JsonRecord | undefined {
  try {
    const plain: unknown = JSON.parse(JSON.stringify(value));
    return isRecord(plain) ? plain : undefined;
  } catch {
    return undefined;
  }
}

function readFields(value: JsonRecord, key: string | undefined, isDeclaration: boolean): ToolReading {
  const fields = isRecord(value['function']) ? value['function'] : value;
  if (Object.hasOwn(fields, 'arguments')) return { why: t('is a call, not a tool') };
  const schemaKey = SCHEMA_KEYS.find((each) => Object.hasOwn(fields, each));
  const { type } = value;
  if (schemaKey === undefined && typeof type === 'string' && type !== 'function') {
    return { why: t('is a tool of the server itself ({0}), without a schema', showValue(type)) };
  }
  const name = Object.hasOwn(fields, 'name') ? fields['name'] : key;
  if (typeof name !== 'string' || name === '') return { why: t('has no name') };
  if (name.length > DOCUMENT_LIMIT.name) {
    return { why: t('has a name of more than {0} characters', DOCUMENT_LIMIT.name) };
  }
  const written = schemaKey === undefined ? undefined : fields[schemaKey];
  const parameters = written ?? { type: 'object', properties: {} };
  if (!isRecord(parameters)) return { why: t('has a schema that is {0}', describeValue(parameters)) };
  const isGemini = schemaKey === 'parameters' && (isDeclaration || parameters['type'] === 'OBJECT');
  const { mocks, why } = readMocks(fields['mocks']);
  const { strict } = fields;
  const leftOut = leftOutOf(fields, schemaKey);
  const tool: DocumentTool = {
    name,
    ...toDescription(fields),
    ...(typeof strict === 'boolean' && { strict }),
    parameters: isGemini ? (toLowerTypes(parameters) as JsonRecord) : parameters,
    offered: fields['offered'] !== false,
    mocks,
  };
  const missing = leftOut.length > 0 ? t('is imported without {0}', leftOut.join(', ')) : undefined;
  return { tool, why: why ?? missing };
}

/** Fields that a document has, and fields that only say what kind of thing this is. */
const TAKEN: readonly string[] = [
  'name',
  'description',
  'title',
  'strict',
  'offered',
  'mocks',
  'type',
  'function',
  'tags',
  ...SCHEMA_KEYS,
];
const MAX_LEFT_OUT = 8;

/** The other fields that say something, such as `cache_control`. */
function leftOutOf(fields: JsonRecord, schemaKey: string | undefined): string[] {
  const isSaid = ([key, value]: [string, unknown]): boolean =>
    value !== null &&
    (!TAKEN.includes(key) || (SCHEMA_KEYS.some((each) => each === key) && key !== schemaKey));
  const keys = Object.entries(fields)
    .filter(isSaid)
    .map(([key]) => cutShort(key));
  return keys.slice(0, MAX_LEFT_OUT);
}

/** MCP has a title beside the description, or instead of it. */
function toDescription({ description, title }: JsonRecord): { description?: string } {
  const text = typeof description === 'string' ? description : title;
  return typeof text === 'string' && text.length <= DOCUMENT_LIMIT.text ? { description: text } : {};
}

function readMocks(value: unknown): { mocks: DocumentTool['mocks']; why?: string } {
  if (value === undefined) return { mocks: [] };
  // Not the copy that the schema makes: it drops conditions on arguments with names like `constructor`.
  if (v.is(MocksSchema, value)) return { mocks: value };
  return { mocks: [], why: t('is imported without its mocks, which are not valid') };
}

/** Changes the types of a schema and of the schemas inside it; a property named `type` stays as it is. */
function toLowerTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toLowerTypes);
  if (!isRecord(schema)) return schema;
  return mapValues(schema, (value, key) => {
    if (key === 'type') return typeof value === 'string' ? toLowerType(value) : value;
    if (SCHEMA_KEYWORDS.has(key)) return toLowerTypes(value);
    return SCHEMA_MAPS.has(key) && isRecord(value) ? mapValues(value, toLowerTypes) : value;
  });
}

const toLowerType = (type: string): string => (GEMINI_TYPES.includes(type) ? type.toLowerCase() : type);

const mapValues = (record: JsonRecord, map: (value: unknown, key: string) => unknown): JsonRecord =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
