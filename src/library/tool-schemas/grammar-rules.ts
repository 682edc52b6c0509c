// What servers refuse that turn the schemas of tools into a grammar for the model's output: llama-server, and LM Studio, which
// runs the same engine; and what Ollama refuses, whose runner reads schemas into fixed types.
import { anchorPattern, isAnchored, rewriteEscapes } from './grammar-pattern';
import type { JsonRecord } from './schema-nodes';
import { mapValues, omit, resolveRef, toPointer, typesOf } from './schema-nodes';
import type { SchemaRule } from './schema-rule';
import { toRecord } from '../util/json';

const LLAMA_ISSUES = 'https://github.com/ggml-org/llama.cpp/issues';

/** A repetition of this many or more may be refused. */
const MAX_REPETITIONS = 2_000;
const REPETITIONS = ['minLength', 'maxLength', 'minItems', 'maxItems'] as const;

const ANY_TYPE = { type: ['string', 'number', 'boolean', 'object', 'array', 'null'] };

/** The pattern, unless another keyword of the schema comes first. */
function patternOf(schema: JsonRecord): string | undefined {
  const { pattern } = schema;
  const isTaken = ['$ref', 'anyOf', 'oneOf', 'const', 'enum'].some((key) => Object.hasOwn(schema, key));
  const types = typesOf(schema);
  const isText = types.length === 0 || types.includes('string');
  return typeof pattern === 'string' && isText && !isTaken ? pattern : undefined;
}

/** A pattern that cannot be rewritten is left out: the model is then not bound to it. */
const withPattern = (schema: JsonRecord, pattern: string | undefined): JsonRecord =>
  pattern === undefined ? omit(schema, ['pattern']) : { ...schema, pattern };

export const GRAMMAR_RULES: readonly SchemaRule[] = [
  {
    kind: 'pattern-escape',
    level: 'any',
    servers: {
      'llama-server': { source: `${LLAMA_ISSUES}/21943` },
      'LM Studio': { source: `${LLAMA_ISSUES}/27397`, isPartial: true },
    },
    find: (schema) => {
      const pattern = patternOf(schema);
      return pattern === undefined || rewriteEscapes(pattern) === pattern ? [] : ['/pattern'];
    },
    reduce: (schema) => withPattern(schema, rewriteEscapes(patternOf(schema) ?? '')),
  },
  {
    kind: 'pattern-anchors',
    level: 'any',
    servers: {
      'llama-server': { source: `${LLAMA_ISSUES}/26930` },
      'LM Studio': {
        source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2168',
        isPartial: true,
      },
    },
    find: (schema) => {
      const pattern = patternOf(schema);
      return pattern === undefined || isAnchored(pattern) ? [] : ['/pattern'];
    },
    reduce: (schema) => withPattern(schema, anchorPattern(patternOf(schema) ?? '')),
  },
  {
    kind: 'long-repetition',
    level: 'any',
    servers: {
      'llama-server': { source: `${LLAMA_ISSUES}/27087`, isPartial: true },
      'LM Studio': { source: 'https://github.com/firecrawl/firecrawl/issues/4512', isPartial: true },
    },
    find: (schema) => longRepetitions(schema).map(toPointer),
    reduce: (schema) => omit(schema, longRepetitions(schema)),
  },
  {
    kind: 'unresolved-ref',
    level: 'any',
    servers: {
      'llama-server': {
        source: 'https://github.com/ggml-org/llama.cpp/blob/master/common/json-schema-to-grammar.cpp',
      },
    },
    find: (schema, { root }) =>
      Object.hasOwn(schema, '$ref') && !resolveRef(root, schema['$ref']) ? ['/$ref'] : [],
    reduce: (schema) => ({
      ...(schema['$ref'] === '#' ? { type: 'object' } : ANY_TYPE),
      ...omit(schema, ['$ref']),
    }),
  },
  {
    kind: 'boolean-schema',
    level: 'any',
    servers: {
      'llama-server': {
        source: 'https://github.com/ggml-org/llama.cpp/blob/master/common/json-schema-to-grammar.cpp',
      },
      Ollama: { source: 'https://github.com/ollama/ollama/issues/14256' },
    },
    find: (schema) =>
      Object.entries(toRecord(schema['properties'])).flatMap(([name, property]) =>
        typeof property === 'boolean' ? [`/properties${toPointer(name)}`] : [],
      ),
    reduce: (schema) => ({
      ...schema,
      properties: mapValues(toRecord(schema['properties']), (property) =>
        property === true ? ANY_TYPE : property === false ? undefined : property,
      ),
    }),
  },
];

function longRepetitions(schema: JsonRecord): string[] {
  return REPETITIONS.filter((key) => typeof schema[key] === 'number' && schema[key] >= MAX_REPETITIONS);
}
