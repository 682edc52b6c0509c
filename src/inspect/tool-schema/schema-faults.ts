// What servers refuse in the schema of a tool: how they say it, what it looks like in the schema, and what to write in its
// place. Pure.
import { t } from '@vscode/l10n';
import { hasRefusedPart, isRecord } from '../../library';
import type { SchemaPlace } from './walk-schema';

/** One thing that a server refuses, in one schema. */
export interface SchemaFault {
  /** What the schema has; the end of a sentence. */
  what: string;
  next: string;
}

interface FaultKind {
  /** Matches what servers say that refuse it. */
  words: RegExp;
  /** @param said What the server said. */
  find: (place: SchemaPlace, said: string) => SchemaFault | undefined;
}

/** A kind that is told by the schema alone. */
const kind = (
  words: RegExp,
  has: (schema: SchemaPlace['schema'], place: SchemaPlace) => boolean,
  describe: (schema: SchemaPlace['schema']) => SchemaFault,
): FaultKind => ({
  words,
  find: (place) => (has(place.schema, place) ? describe(place.schema) : undefined),
});

const patternOf = ({ pattern }: SchemaPlace['schema']): string =>
  typeof pattern === 'string' ? pattern : '';
const isObjectType = ({ type, properties }: SchemaPlace['schema']): boolean =>
  type === 'object' || properties !== undefined;
const hasShape = (schema: SchemaPlace['schema']): boolean =>
  ['type', 'anyOf', 'oneOf', 'allOf', '$ref', 'enum', 'const'].some((key) => Object.hasOwn(schema, key));

/** Parts of schemas that engines for structured output leave out; servers do not say which one it is. */
const RARE = [
  'multipleOf',
  'uniqueItems',
  'contains',
  'minContains',
  'maxContains',
  'patternProperties',
  'propertyNames',
  'format',
];

const KINDS: readonly FaultKind[] = [
  kind(
    // llama.cpp's converter of schemas to grammars
    /must (?:start|begin) with ['"`]?\^|\^['"`]? and end with/i,
    (schema) => hasRefusedPart(schema, 'pattern-anchors'),
    (schema) => ({
      what: t('its `pattern` `{0}` does not begin with `^` and end with `$`', cut(patternOf(schema))),
      next: t('Write `^` and `$` around the pattern, or leave it out.'),
    }),
  ),
  kind(
    /look-?(?:around|ahead|behind)|regex|regular expression|pattern|grammar/i,
    (schema) => patternOf(schema).includes('(?'),
    (schema) => ({
      what: t('its `pattern` `{0}` looks around or has groups of a special kind', cut(patternOf(schema))),
      next: t('Use a pattern without `(?`, or leave it out.'),
    }),
  ),
  kind(
    /unknown escape|grammar/i,
    (schema) => hasRefusedPart(schema, 'pattern-escape'),
    (schema) => ({
      what: t('its `pattern` `{0}` has an escape that grammars do not know', cut(patternOf(schema))),
      next: t('Write the characters in its place, such as `[0-9]` for `\\d`, or leave the pattern out.'),
    }),
  ),
  kind(
    /grammar|repetition|too (?:complex|large)/i,
    (schema) => hasRefusedPart(schema, 'long-repetition'),
    () => ({
      what: t('its bound of a length is too large for a grammar'),
      next: t('Leave `maxLength` and `maxItems` out, or make them smaller.'),
    }),
  ),
  {
    words: /\bref(?:s|erences?)?\b|\$ref|\$defs|\bdefinitions\b/i,
    find: ({ schema: { $ref: target } }, said) => {
      if (typeof target !== 'string') return undefined;
      const isMeant = !/#\/[\w$/]/.test(said) || said.includes(target);
      return isMeant
        ? {
            what: t('its `$ref` to `{0}` is not resolved', cut(target)),
            next: t('Write the schema in place of the reference.'),
          }
        : undefined;
    },
  },
  kind(
    /enum|TYPE_STRING/i,
    ({ enum: values }) =>
      Array.isArray(values) && values.some((value) => typeof value !== 'string' || value === ''),
    () => ({
      what: t('its `enum` has values that are not texts, or are empty'),
      next: t('Write the values as texts, or leave `enum` out and list them in the description.'),
    }),
  ),
  kind(
    /items\b/i,
    ({ type, items }) => (type === 'array' && items === undefined) || Array.isArray(items),
    () => ({
      what: t('it is a list without one schema for its items'),
      next: t('Write `items` with the schema of one item.'),
    }),
  ),
  kind(
    /cannot (?:unmarshal|start)|not repeating|type[^.]{0,40}\b(?:array|list)\b|multiple types/i,
    ({ type }) => Array.isArray(type),
    ({ type }) => ({
      what: t('its `type` is a list (`{0}`)', cut(JSON.stringify(type))),
      next: t('Write one type, and leave the parameter out of `required` if it may be missing.'),
    }),
  ),
  kind(
    // OpenAI's strict mode, and what imitates it
    /additionalProperties[^.]{0,60}(?:required|must|false)/i,
    (schema) => isObjectType(schema) && schema['additionalProperties'] !== false,
    () => ({
      what: t('it is an object without `additionalProperties: false`'),
      next: t('Write `additionalProperties: false` there, or turn strict mode off.'),
    }),
  ),
  {
    words: /every (?:key|property)/i,
    find: ({ schema: { required = [], properties } }) => {
      const left = Object.keys(Object(properties)).find(
        (name) => Array.isArray(required) && !required.includes(name),
      );
      return left === undefined
        ? undefined
        : {
            what: t('`required` leaves out `{0}`', cut(left)),
            next: t('Name every member in `required`, or turn strict mode off.'),
          };
    },
  },
  {
    words: /required/i,
    find: ({ schema: { required, properties } }) => {
      const known = isRecord(properties) ? properties : {};
      const unknown = (Array.isArray(required) ? required : []).find(
        (name) => typeof name !== 'string' || !Object.hasOwn(known, name),
      );
      return unknown === undefined
        ? undefined
        : {
            what: t('`required` names `{0}`, which `properties` does not have', cut(String(unknown))),
            next: t('Add the parameter to `properties`, or remove it from `required`.'),
          };
    },
  },
  kind(
    /properties/i,
    (schema, { pointer }) =>
      (pointer === '' || isObjectType(schema)) && Object.keys(Object(schema['properties'])).length === 0,
    () => ({
      what: t('it is an object without `properties`'),
      next: t('List the members in `properties`, or make it a text.'),
    }),
  ),
  kind(
    /type[^.]{0,30}(?:not defined|missing|required|must be)|(?:missing|required|got)[^.]{0,30}type|unrecognized schema|of ['"`]?type/i,
    (schema, { pointer }) => !hasShape(schema) || (pointer === '' && schema['type'] !== 'object'),
    () => ({
      what: t('its `type` is missing or is not the one that is needed'),
      next: t('Write a `type` there; that of the whole is `object`.'),
    }),
  ),
  kind(
    /xgrammar|not supported by|unsupported|features/i,
    (schema) => RARE.some((key) => Object.hasOwn(schema, key)),
    (schema) => withKeyword(RARE.find((key) => Object.hasOwn(schema, key)) ?? ''),
  ),
  {
    words: /./,
    find: ({ schema }, said) => {
      const named = Object.keys(schema).find((key) => isNamed(key, said));
      return named === undefined ? undefined : withKeyword(named);
    },
  },
];

const withKeyword = (keyword: string): SchemaFault => ({
  what: t('it has `{0}`', keyword),
  next: t('Leave `{0}` out there, and say it in the description.', keyword),
});

/** Words that are also words of a sentence count only in quotes. */
const USUAL = new Set([
  'type',
  'properties',
  'required',
  'items',
  'description',
  'title',
  'default',
  'not',
  'if',
  'then',
  'else',
  'contains',
]);

function isNamed(keyword: string, said: string): boolean {
  const isQuoted = ["'", '"', '`'].some((mark) => said.includes(`${mark}${keyword}${mark}`));
  if (isQuoted) return !['type', 'properties', 'required', 'items'].includes(keyword);
  // A member that a person added may have any name; only words are looked for in a sentence.
  if (USUAL.has(keyword) || !/^[\w$-]+$/.test(keyword)) return false;
  return new RegExp(`(?<![\\w$.])${keyword.replaceAll('$', '\\$')}(?!\\w)`, 'i').test(said);
}

/** The first thing in one of these schemas that the server's words are about. */
export function findFault(
  places: readonly SchemaPlace[],
  said: string,
): { place: SchemaPlace; fault: SchemaFault } | undefined {
  for (const { words, find } of KINDS) {
    if (!words.test(said)) continue;
    for (const place of places) {
      const fault = find(place, said);
      if (fault) return { place, fault };
    }
  }
  return undefined;
}

const MAX_CUT = 60;
const cut = (text: string): string => (text.length > MAX_CUT ? `${text.slice(0, MAX_CUT - 1)}…` : text);
