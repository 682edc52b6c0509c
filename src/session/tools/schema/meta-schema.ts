// A short meta-schema of JSON Schema: the keywords of draft-07 and 2020-12 together, with the booleans of draft-04.
// Source: https://json-schema.org/specification (meta-schemas). Data only.
import type { JsonSchema } from '../../../types';

const SCHEMA = { $ref: '#' };
const SCHEMAS = { type: 'array', items: SCHEMA };
const TEXT = { type: 'string' };
const TEXTS = { type: 'array', items: TEXT };
const COUNT = { type: 'integer', minimum: 0 };
const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];

export const META_SCHEMA: JsonSchema = {
  type: ['object', 'boolean'],
  properties: {
    ...each(['$id', '$schema', '$anchor', '$ref', '$dynamicRef', '$dynamicAnchor', '$comment'], TEXT),
    ...each(['title', 'description', 'pattern', 'format', 'contentEncoding', 'contentMediaType'], TEXT),
    ...each(['deprecated', 'readOnly', 'writeOnly', 'uniqueItems'], { type: 'boolean' }),
    ...each(['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'contentSchema'], SCHEMA),
    ...each(['additionalProperties', 'unevaluatedProperties'], SCHEMA),
    ...each(['additionalItems', 'unevaluatedItems'], SCHEMA),
    ...each(['allOf', 'anyOf', 'oneOf', 'prefixItems'], { ...SCHEMAS, minItems: 1 }),
    ...each(['$defs', 'definitions', 'properties', 'patternProperties', 'dependentSchemas'], {
      type: 'object',
      additionalProperties: SCHEMA,
    }),
    ...each(['minLength', 'maxLength', 'minItems', 'maxItems'], COUNT),
    ...each(['minContains', 'maxContains', 'minProperties', 'maxProperties'], COUNT),
    ...each(['minimum', 'maximum'], { type: 'number' }),
    ...each(['exclusiveMinimum', 'exclusiveMaximum'], { type: ['number', 'boolean'] }),
    ...each(['enum', 'examples'], { type: 'array' }),
    type: {
      anyOf: [
        { type: 'string', enum: TYPES },
        { type: 'array', items: { enum: TYPES }, minItems: 1, uniqueItems: true },
      ],
    },
    items: { anyOf: [SCHEMA, SCHEMAS] },
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    required: { ...TEXTS, uniqueItems: true },
    dependentRequired: { type: 'object', additionalProperties: TEXTS },
    dependencies: { type: 'object', additionalProperties: { anyOf: [SCHEMA, TEXTS] } },
  },
};

function each(keywords: readonly string[], schema: JsonSchema): Record<string, JsonSchema> {
  return Object.fromEntries(keywords.map((keyword) => [keyword, schema]));
}
