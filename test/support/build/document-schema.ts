// Generates the JSON schemas with which the editor completes and checks files, from the schemas of the run-time
// check.
import { toJsonSchema } from '@valibot/to-json-schema';
import type { ConversionConfig, JsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { rescueFormats } from '../../../src/library';
import {
  CallPatternSchema,
  DocumentLaneSchema,
  DocumentSchema,
  DocumentToolSchema,
  ExpectationSchema,
  LabDocumentSchema,
  MockSchema,
  ONE_PLACEHOLDER,
  PlaceholderSchema,
  ToolReferenceSchema,
} from '../../../src/protocol';

/** A JSON Schema with additional keywords of the editor. */
type EditorSchema = JsonSchema & Record<string, unknown>;

interface Snippet {
  label: string;
  description: string;
  body: Record<string, unknown>;
}

const LANE_SNIPPETS: readonly Snippet[] = [
  {
    label: 'Lane',
    description: 'A connection and a model',
    body: { id: '${1:b}', connection: '${2:demo}', model: '${3:hermes-text}' },
  },
];

const TOOL_BODY = {
  description: '${2:Get the current weather of a city.}',
  parameters: {
    type: 'object',
    properties: { '${3:city}': { type: 'string', description: '${4:Name of the city}' } },
    required: ['${3:city}'],
  },
  mocks: [{ result: '$5' }],
};
const toToolSnippet = (body: Snippet['body']): Snippet => ({
  label: 'Tool',
  description: 'A tool with its parameters and a mock',
  body,
});
const REFERENCE_SNIPPET: Snippet = {
  label: 'Tool of a library',
  description: 'A tool that another file defines',
  body: { $ref: '${1:./.provider-playground/tools.json}#/${2:get_weather}' },
};

const MOCK_SNIPPETS: readonly Snippet[] = [
  { label: 'Result', description: 'Answers every call', body: { result: '$1' } },
  {
    label: 'Result by arguments',
    description: 'Answers calls whose arguments hold these values',
    body: { when: { '${1:city}': '${2:Oslo}' }, result: '$3' },
  },
  {
    label: 'Error on the nth call',
    description: 'The second call of a run fails',
    body: { call: '^${1:2}', error: '${2:The station is offline.}' },
  },
  {
    label: 'Late result',
    description: 'Answers after a time in milliseconds',
    body: { result: '$1', delayMs: '^${2:500}' },
  },
  { label: 'Ask me', description: 'You are asked for the result', body: { ask: true } },
];

/** What each matcher wants. Which exist and how they are written is checked at run time. */
const MATCHER_HELP: Readonly<Record<string, string>> = {
  $equals: 'Equal to this value, with no other keys.',
  $oneOf: 'One of these values or matchers.',
  $loose: 'This text in any case, with any number of spaces.',
  $matches: 'A text in which this regular expression (flag u) is found.',
  $flags: 'More flags of $matches: i, m, s.',
  $contains: 'A text that contains this text, or a list that contains such an element; a list: all of them.',
  $near: 'A number near this one; needs $within or $percent.',
  $within: 'The largest distance from $near.',
  $percent: 'The largest distance from $near, in percent of it.',
  $min: 'A number of at least this.',
  $max: 'A number of at most this.',
  $length: 'true: $min and $max are for the length of a text or list.',
  $type: 'string, number, integer, boolean, object, array or null.',
  $schema: 'A value that fits this JSON Schema.',
  $json: 'A text that is JSON, of which this is expected. A code fence may surround it.',
  $any: 'true: there is a value, even null.',
  $absent: 'true: there is no value.',
  $optional: 'This, or no value.',
  $unordered: 'A list with such elements in any order.',
  $each: 'A list whose elements are all like this.',
  $not: 'Anything but this.',
};

/** A value with matchers anywhere in it. */
const PATTERN: EditorSchema = {
  properties: Object.fromEntries(
    Object.entries(MATCHER_HELP).map(([key, description]) => [
      key,
      key === '$schema' ? { type: 'object', description } : { description },
    ]),
  ),
  additionalProperties: { $ref: '#/$defs/pattern' },
  items: { $ref: '#/$defs/pattern' },
};

const EXPECTATION_SNIPPETS: readonly Snippet[] = [
  {
    label: 'A call',
    description: 'The reply calls a tool with these arguments',
    body: {
      name: '${1:asks for the right city}',
      calls: [{ tool: '${2:get_weather}', arguments: { '${3:city}': '${4:Oslo}' } }],
    },
  },
  { label: 'No call', description: 'The reply calls no tool', body: { calls: [] } },
  { label: 'A text', description: 'The reply contains a text', body: { text: { $contains: '$1' } } },
  {
    label: 'Limits',
    description: 'The reply is short and fast',
    body: { max: { completionTokens: '^${1:300}', timeMs: '^${2:20000}' } },
  },
];

const definitions = {
  lane: DocumentLaneSchema,
  tool: DocumentToolSchema,
  toolReference: ToolReferenceSchema,
  mock: MockSchema,
};

/** Schema of a `*.playground.json`. */
export const documentJsonSchema = (): EditorSchema => ({
  ...convert(DocumentSchema, definitions),
  title: 'Playground',
});

/** Schema of a single tool. */
export const toolJsonSchema = (): EditorSchema => ({
  ...convert(DocumentToolSchema, { mock: MockSchema }),
  title: 'Tool',
});

/** Schema of a tool library, whose keys are the names of tools without a `name`. */
export function toolsJsonSchema(): EditorSchema {
  const { name } = DocumentToolSchema.entries;
  const LibraryTool = v.strictObject({ ...DocumentToolSchema.entries, name: v.optional(name) });
  const { $defs, ...head } = convert(v.object({ $schema: v.optional(v.string()) }), {
    mock: MockSchema,
    tool: LibraryTool,
  });
  return {
    ...head,
    title: 'Tools',
    additionalProperties: { $ref: '#/$defs/tool' },
    defaultSnippets: [toToolSnippet({ '${1:get_weather}': TOOL_BODY })],
    ...($defs && { $defs }),
  };
}

/** Schema of a `*.toolcall.json`. */
export const labJsonSchema = (): EditorSchema => ({
  ...convert(LabDocumentSchema, {}),
  title: 'Tool-call text',
});

/** The schema files and functions that generate their contents. */
export const SCHEMA_FILES: Readonly<Record<string, () => EditorSchema>> = {
  'media/schemas/playground.schema.json': documentJsonSchema,
  'media/schemas/tools.schema.json': toolsJsonSchema,
  'media/schemas/tool.schema.json': toolJsonSchema,
  'media/schemas/toolcall.schema.json': labJsonSchema,
};

function convert(schema: v.GenericSchema, named: NonNullable<ConversionConfig['definitions']>): EditorSchema {
  const { $defs, ...converted } = toJsonSchema(schema, {
    typeMode: 'input',
    // Checks that JSON Schema cannot express are left to the run-time check.
    errorMode: 'ignore',
    definitions: named,
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      decorate(valibotSchema, close(valibotSchema, jsonSchema)),
  });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    // The run-time parser accepts both.
    allowComments: true,
    allowTrailingCommas: true,
    ...converted,
    ...($defs && { $defs: { ...$defs, ...('mock' in named && { pattern: PATTERN }) } }),
  };
}

/** Unknown keys are kept at run time; the editor marks them, except at the top level. */
const close = (source: { type: string }, schema: JsonSchema): EditorSchema => ({
  ...schema,
  ...(source.type === 'loose_object' && source !== DocumentSchema && { additionalProperties: false }),
});

function decorate(source: unknown, schema: EditorSchema): EditorSchema {
  if (source === PlaceholderSchema) return { type: 'string', pattern: ONE_PLACEHOLDER };
  if (source === DocumentLaneSchema) return { ...schema, defaultSnippets: LANE_SNIPPETS };
  if (source === LabDocumentSchema) return { ...schema, properties: withFormats(schema.properties ?? {}) };
  if (source === ToolReferenceSchema) return { ...schema, defaultSnippets: [REFERENCE_SNIPPET] };
  if (source === CallPatternSchema) return withPatterns(schema, 'arguments');
  // For a schema with checks, only the schema itself is converted.
  if (source === ExpectationSchema.pipe[0])
    return { ...withPatterns(schema, 'when', 'text'), defaultSnippets: EXPECTATION_SNIPPETS };
  if (source === MockSchema.pipe[0])
    return {
      ...withPatterns(schema, 'when'),
      oneOf: ['result', 'error', 'ask', 'invoke'].map((key) => ({ required: [key] })),
      defaultSnippets: MOCK_SNIPPETS,
    };
  const { parameters, ...properties } = schema.properties ?? {};
  if (typeof parameters !== 'object') return schema;
  const { mocks, ...body } = TOOL_BODY;
  const named = schema.required?.includes('name') ? { name: '${1:get_weather}', ...body } : body;
  return {
    ...schema,
    properties: { ...properties, parameters: toMetaSchema(parameters) },
    defaultSnippets: [
      'mocks' in properties
        ? toToolSnippet({ ...named, mocks })
        : { ...toToolSnippet(named), description: 'A tool with its parameters' },
    ],
  };
}

/** Completes matchers in these properties. Wrapped in `allOf`, because keywords beside `$ref` are ignored. */
function withPatterns(schema: EditorSchema, ...keys: readonly string[]): EditorSchema {
  const properties: Record<string, unknown> = { ...schema.properties };
  for (const key of keys)
    properties[key] = { ...Object(properties[key]), allOf: [{ $ref: '#/$defs/pattern' }] };
  return { ...schema, properties: properties as NonNullable<JsonSchema['properties']> };
}

/** The ids of the formats, which the run-time check of a lab takes as any text. */
function withFormats({
  format,
  writeAs,
  ...properties
}: Record<string, unknown>): Record<string, JsonSchema> {
  const ids = rescueFormats().map(({ id }) => id);
  const enumDescriptions = rescueFormats().map(({ title }) => title);
  const toChoice = (schema: unknown): EditorSchema => ({ ...Object(schema), enum: ids, enumDescriptions });
  return { ...properties, format: toChoice(format), writeAs: toChoice(writeAs) };
}

/** Wrapped in `allOf`, because keywords beside `$ref` are ignored; the meta-schema alone would also accept a boolean. */
const toMetaSchema = ({ description, default: initial }: JsonSchema): JsonSchema => ({
  type: 'object',
  allOf: [{ $ref: 'http://json-schema.org/draft-07/schema#' }],
  description,
  default: initial,
});
