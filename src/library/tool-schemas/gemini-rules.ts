// What Gemini refuses in the schemas of tools, which it reads into its own type `Schema`: https://ai.google.dev/api/caching#Schema.
import type { JsonRecord } from './schema-nodes';
import { mergeUnion, omit, resolveRef, textsIn, typesOf } from './schema-nodes';
import type { Evidence, SchemaPlace, SchemaRule } from './schema-rule';
import { isRecord, toRecord } from '../util/json';

/** The keywords of its type; a schema with any other is refused as a whole. */
const KNOWN = new Set([
  'type',
  'format',
  'title',
  'description',
  'nullable',
  'enum',
  'items',
  'minItems',
  'maxItems',
  'properties',
  'required',
  'propertyOrdering',
  'minProperties',
  'maxProperties',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'anyOf',
  'default',
  'example',
]);

/** How deep references are replaced by what they refer to; one that refers to itself ends sooner. */
const MAX_REFS = 6;

const gemini = (source: string): Record<string, Evidence> => ({ Gemini: { source } });

const unknownKeys = (schema: JsonRecord): string[] => Object.keys(schema).filter((key) => !KNOWN.has(key));

function replaceKeywords(schema: JsonRecord, place: SchemaPlace): JsonRecord {
  if (Object.hasOwn(schema, '$ref')) return inlineRef(schema, place);
  if (Array.isArray(schema['allOf'])) return mergeUnion(schema, ['allOf'], place.root);
  const { oneOf, const: constant, exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  // The next whole number is the limit of an integer; of other numbers, the limit itself is then allowed too.
  const step = schema['type'] === 'integer' ? 1 : 0;
  return {
    ...(Array.isArray(oneOf) && { anyOf: oneOf }),
    ...(typeof constant === 'string' && { enum: [constant] }),
    ...(typeof above === 'number' && { minimum: above + step }),
    ...(typeof below === 'number' && { maximum: below - step }),
    ...omit(schema, unknownKeys(schema)),
  };
}

function inlineRef(schema: JsonRecord, { root, refs }: SchemaPlace): JsonRecord {
  const { $ref: ref, ...own } = schema;
  const target = resolveRef(root, ref);
  if (!target || refs.length >= MAX_REFS || refs.includes(String(ref))) return { type: 'object', ...own };
  refs.push(String(ref));
  return { ...target, ...own };
}

/** `["string", "null"]` becomes a nullable text, and other lists become a union. */
function splitLists(schema: JsonRecord): JsonRecord {
  const { items } = schema;
  const types = typesOf(schema).filter((type) => type !== 'null');
  const one: JsonRecord = {
    ...omit(schema, ['type', 'items']),
    ...(typesOf(schema).includes('null') && { nullable: true }),
    ...(items !== undefined && {
      items: Array.isArray(items) ? (items.length === 1 ? items[0] : { anyOf: items }) : items,
    }),
  };
  if (!Array.isArray(schema['type']))
    return { ...one, ...(Object.hasOwn(schema, 'type') && { type: schema['type'] }) };
  if (types.length < 2) return { ...one, type: types[0] ?? 'string' };
  return { anyOf: types.map((type) => ({ ...one, type })) };
}

/** Only texts may be enumerated, so numbers become texts. */
function toTexts(schema: JsonRecord): JsonRecord {
  const given = Array.isArray(schema['enum']) ? schema['enum'] : [];
  const texts = given.filter((value) => value !== null && typeof value !== 'object').map(String);
  const allowed = [...new Set(texts)].filter((text) => text !== '');
  return {
    ...omit(schema, ['enum', 'type', 'format', 'minimum', 'maximum']),
    type: 'string',
    ...(given.includes(null) && { nullable: true }),
    ...(allowed.length > 0 && { enum: allowed }),
  };
}

/** Whether it says only which of the properties around it are needed, as in `anyOf: [{required: ['a']}, {required: ['b']}]`. */
const isOnlyRequired = (branch: unknown): boolean =>
  isRecord(branch) && Object.keys(branch).join() === 'required';

/** Places of such branches in the union of a schema. */
const neededBranches = ({ anyOf }: JsonRecord): string[] =>
  (Array.isArray(anyOf) ? anyOf : []).flatMap((branch, at) =>
    isOnlyRequired(branch) ? [`/anyOf/${at}/required`] : [],
  );

const isMissingRequired = (schema: JsonRecord): boolean =>
  textsIn(schema['required']).some((name) => !Object.hasOwn(toRecord(schema['properties']), name));

export const GEMINI_RULES: readonly SchemaRule[] = [
  {
    kind: 'unknown-keyword',
    level: 'any',
    servers: gemini('https://github.com/pizza-bot-app/pizza-bot/issues/62'),
    find: (schema) => unknownKeys(schema).map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    reduce: replaceKeywords,
  },
  {
    kind: 'list-value',
    level: 'any',
    servers: gemini('https://github.com/tumf/mcp-text-editor/issues/11'),
    find: (schema) => ['type', 'items'].filter((key) => Array.isArray(schema[key])).map((key) => `/${key}`),
    reduce: splitLists,
  },
  {
    kind: 'enum-not-text',
    level: 'any',
    servers: gemini('https://github.com/anomalyco/opencode/issues/12784'),
    find: ({ type, enum: values }) =>
      Array.isArray(values) &&
      (type !== 'string' || values.some((value) => typeof value !== 'string' || value === ''))
        ? ['/enum']
        : [],
    reduce: toTexts,
  },
  {
    kind: 'array-without-item-type',
    level: 'any',
    servers: gemini('https://github.com/cline/cline/issues/7339'),
    find: ({ type, items }) => (type === 'array' && !hasContent(items) ? ['/items'] : []),
    reduce: (schema) => ({ ...schema, items: { ...toRecord(schema['items']), type: 'string' } }),
  },
  {
    kind: 'text-format',
    level: 'any',
    servers: gemini('https://github.com/google-gemini/gemini-cli/issues/3178'),
    find: ({ type, format }) =>
      type === 'string' && format !== undefined && format !== 'enum' && format !== 'date-time'
        ? ['/format']
        : [],
    reduce: (schema) => omit(schema, ['format']),
  },
  {
    kind: 'unknown-required',
    level: 'any',
    servers: gemini('https://github.com/iBUHub/AIStudioToAPI/issues/154'),
    find: (schema, { path }) => [
      ...neededBranches(schema),
      // The union around it has named it.
      ...(isMissingRequired(schema) && !(isOnlyRequired(schema) && /\/anyOf\/\d+$/.test(path))
        ? ['/required']
        : []),
    ],
    reduce: (schema) => {
      // A branch without conditions of its own makes the whole union hold.
      if (neededBranches(schema).length > 0) return omit(schema, ['anyOf']);
      const properties = toRecord(schema['properties']);
      const required = textsIn(schema['required']).filter((name) => Object.hasOwn(properties, name));
      return { ...omit(schema, ['required']), ...(required.length > 0 && { required }) };
    },
  },
  {
    kind: 'empty-properties',
    level: 'any',
    servers: { Gemini: { source: 'https://github.com/vercel/ai/issues/3371', isPartial: true } },
    find: ({ properties }) =>
      isRecord(properties) && Object.keys(properties).length === 0 ? ['/properties'] : [],
    // `properties` is always sent with a tool, so that of the tool itself needs one.
    reduce: (schema, { level }) =>
      level === 'top'
        ? { ...schema, properties: { unused: { type: 'string', description: 'Not used. Leave it out.' } } }
        : omit(schema, ['properties']),
  },
];

/** Whether the schema of the items says what they are. */
const hasContent = (items: unknown): boolean =>
  Array.isArray(items) ||
  ['type', 'anyOf', 'enum', '$ref', 'oneOf', 'allOf', 'const'].some((key) => key in toRecord(items));
