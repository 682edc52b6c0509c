// What services with an OpenAI-compatible protocol refuse in the schemas of tools.
import type { JsonRecord } from './schema-nodes';
import { mergeUnion, omit, typesOf } from './schema-nodes';
import type { SchemaRule } from './schema-rule';
import { toRecord } from '../util/json';

/** Maximum length of a tool's description, in characters. */
const MAX_DESCRIPTION = 1_024;

const hasNoProperties = ({ properties }: JsonRecord): boolean =>
  Object.keys(toRecord(properties)).length === 0;

const pointersOf = (schema: JsonRecord, keys: readonly string[]): string[] =>
  keys.filter((key) => Object.hasOwn(schema, key)).map((key) => `/${key}`);

const UNIONS = ['anyOf', 'oneOf', 'allOf'] as const;
const VALUES = ['enum', 'const', 'not'] as const;

const TOP_LEVEL = { source: 'https://github.com/langchain-ai/langchainjs/issues/9804' };

export const SERVICE_RULES: readonly SchemaRule[] = [
  {
    kind: 'long-description',
    level: 'tool',
    servers: {
      OpenAI: { source: 'https://github.com/getsentry/sentry-mcp/issues/106', isPartial: true },
      'Azure OpenAI': {
        source: 'https://github.com/langchain-ai/open_deep_research/issues/80',
        isPartial: true,
      },
    },
    find: ({ description }) =>
      typeof description === 'string' && description.length > MAX_DESCRIPTION ? ['/description'] : [],
    reduce: ({ description, ...tool }) => ({
      ...tool,
      description: `${String(description)
        .slice(0, MAX_DESCRIPTION - 1)
        .replace(/[\uD800-\uDBFF]$/, '')}…`,
    }),
  },
  {
    kind: 'top-not-object',
    level: 'top',
    servers: {
      OpenAI: { source: 'https://github.com/chatanywhere/GPT_API_free/issues/403' },
      'Azure OpenAI': TOP_LEVEL,
      DeepSeek: { source: 'https://github.com/Kilo-Org/kilocode/issues/12237' },
      'LM Studio': { source: 'https://github.com/elie222/rakazo/issues/851' },
    },
    find: ({ type }) => (type === 'object' ? [] : ['/type']),
    reduce: (schema) => ({ ...schema, type: 'object' }),
  },
  {
    kind: 'union-at-top',
    level: 'top',
    servers: {
      OpenAI: TOP_LEVEL,
      'Azure OpenAI': TOP_LEVEL,
      Anthropic: { source: 'https://github.com/anthropics/claude-code/issues/40075' },
    },
    find: (schema) => pointersOf(schema, UNIONS),
    reduce: (schema, { root }) => mergeUnion(schema, UNIONS, root),
  },
  {
    kind: 'value-at-top',
    level: 'top',
    servers: { OpenAI: TOP_LEVEL, 'Azure OpenAI': TOP_LEVEL },
    find: (schema) => pointersOf(schema, VALUES),
    reduce: (schema) => omit(schema, VALUES),
  },
  {
    kind: 'array-without-items',
    level: 'any',
    servers: {
      OpenAI: { source: 'https://github.com/langgenius/dify/issues/32894' },
      'Azure OpenAI': { source: 'https://github.com/meilisearch/meilisearch-mcp/issues/27' },
    },
    find: (schema) =>
      typesOf(schema).includes('array') &&
      schema['items'] === undefined &&
      schema['prefixItems'] === undefined
        ? ['/items']
        : [],
    reduce: (schema) => ({ ...schema, items: {} }),
  },
  {
    kind: 'required-without-properties',
    level: 'top',
    servers: { Groq: { source: 'https://github.com/livekit/agents/pull/5082' } },
    find: (schema) => (Object.hasOwn(schema, 'required') && hasNoProperties(schema) ? ['/required'] : []),
    reduce: (schema) => omit(schema, ['required']),
  },
];
