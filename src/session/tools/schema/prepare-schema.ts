// Makes a copy of a JSON Schema that is safe to validate with: keywords of the wrong shape are dropped, patterns are
// bounded, and steps are counted. The checker modifies its schema, so a copy is needed anyway. Independent of tools.
import { t } from '@vscode/l10n';
import type { Schema, SchemaDraft } from '@cfworker/json-schema';
import { dereference, format as knownFormats } from '@cfworker/json-schema';
import type { JsonRecord } from '../../../inspect';
import { toPointer } from '../../../inspect';
import { patternLimit } from '../../../inspect';
import type { StepCounter } from './check-budget';
import { isRecord } from '../../../library';

export interface SchemaIssue {
  /** JSON Pointer; '' is the whole value. */
  path: string;
  /** Continues a sentence that begins with the path: `/unit is not one of celsius, fahrenheit`. */
  message: string;
}

export interface PreparedSchema {
  root: Schema | boolean;
  /** Every schema in it by its absolute URI; empty when the URIs cannot be resolved. */
  lookup: Record<string, Schema | boolean>;
  draft: SchemaDraft;
  /** The original patterns by schema: those of the copy match every long text. */
  patterns: ReadonlyMap<object, string>;
  references: ReadonlyArray<{ path: string; schema: Schema }>;
  /** Why the schema cannot be used for validation; empty when it can. */
  problems: SchemaIssue[];
  /** Length in UTF-16 code units up to which every pattern is tried on texts, and the same for property names. */
  shortestLimit: number;
  shortestNameLimit: number;
  /** Whether the schema has a keyword, such as `not`, that may hold because a pattern does not match. */
  hasReversal: boolean;
  hasUniqueItems: boolean;
  /** The patterns that are tried on property names; each name of an object is tried with all patterns beside it. */
  namePatterns: string[];
}

/** Keywords by the kind of their value. An unknown keyword is copied if it is an object: a reference may point into it. */
const KEYWORDS = {
  schema: [
    'not',
    'if',
    'then',
    'else',
    'contains',
    'propertyNames',
    'additionalItems',
    'additionalProperties',
    'unevaluatedItems',
    'unevaluatedProperties',
  ],
  schemas: ['allOf', 'anyOf', 'oneOf', 'prefixItems'],
  schemaOrSchemas: ['items'],
  schemaMap: ['$defs', 'definitions', 'properties', 'patternProperties', 'dependentSchemas'],
  textsMap: ['dependentRequired'],
  schemaOrTextsMap: ['dependencies'],
  type: ['type'],
  texts: ['required'],
  text: ['$id', 'id', '$schema', '$anchor', '$ref', '$recursiveRef', 'pattern', 'format', 'title'],
  flag: ['$recursiveAnchor', 'uniqueItems'],
  list: ['enum'],
  any: ['const'],
  number: [
    'minimum',
    'maximum',
    'multipleOf',
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'minContains',
    'maxContains',
    'minProperties',
    'maxProperties',
  ],
  limit: ['exclusiveMinimum', 'exclusiveMaximum'],
  // annotations, and names under which the checker stores its own data
  nothing: [
    'default',
    'example',
    'examples',
    '__absolute_uri__',
    '__absolute_ref__',
    '__absolute_recursive_ref__',
  ],
} as const;
type Shape = keyof typeof KEYWORDS;

const SHAPES = new Map(
  Object.entries(KEYWORDS).flatMap(([shape, keywords]) =>
    keywords.map((keyword) => [keyword as string, shape as Shape] as const),
  ),
);

const TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];
/** How many members of the lists and maps of a schema are looked at in the time of a step. */
const MEMBERS_PER_STEP = 50;
const REVERSALS = ['not', 'if', 'oneOf', 'maxContains'];

/** @param schema At most 200 levels deep. @throws TooLargeError when copying it exceeds the budget */
export function prepareSchema(schema: JsonRecord, counter: StepCounter): PreparedSchema {
  const copier = new SchemaCopier(schema, counter);
  const root = copier.copy(schema, '');
  const prepared = { ...copier.found, root, draft: copier.draft };
  try {
    return { ...prepared, lookup: dereference(root) };
  } catch (error) {
    const message =
      error instanceof URIError
        ? t('has a name with half a surrogate pair')
        : t('has an $id or a $ref that is not an address, or the same $id twice');
    return { ...prepared, lookup: {}, problems: [{ path: '', message }] };
  }
}

class SchemaCopier {
  readonly draft: SchemaDraft;
  readonly found = {
    patterns: new Map<object, string>(),
    references: [] as Array<{ path: string; schema: Schema }>,
    problems: [] as SchemaIssue[],
    shortestLimit: Infinity,
    shortestNameLimit: Infinity,
    hasReversal: false,
    hasUniqueItems: false,
    namePatterns: [] as string[],
  };
  readonly #counter: StepCounter;
  /** How many steps it takes to enter a schema with long lists, such as `enum`; any other takes one. */
  readonly #costs = new WeakMap<object, number>();
  readonly #prototype: object;

  constructor(schema: JsonRecord, counter: StepCounter) {
    this.draft = toDraft(schema['$schema']);
    this.#counter = counter;
    // The checker reads this property of every schema that it enters, which is the only way to count its steps.
    const costs = this.#costs;
    this.#prototype = Object.create(null, {
      __absolute_recursive_ref__: {
        get(this: object) {
          counter.tick(costs.get(this));
        },
      },
    }) as object;
  }

  /** Copies a value that is no schema as `true`, which accepts everything. */
  copy(schema: unknown, path: string): Schema | boolean {
    this.#counter.tick();
    if (!isRecord(schema)) return schema !== false;
    const copy = Object.create(this.#prototype) as Schema;
    for (const [keyword, value] of Object.entries(schema)) {
      const inner = this.#copyKeyword(keyword, value, path + toPointer(keyword));
      if (inner !== undefined) define(copy, keyword, inner);
    }
    this.#look(copy, path);
    return copy;
  }

  #copyKeyword(keyword: string, value: unknown, path: string): unknown {
    const shape = SHAPES.get(keyword);
    switch (shape) {
      case 'schema':
        return this.copy(value, path);
      case 'schemas':
        return Array.isArray(value) ? this.#copyList(value, path) : undefined;
      case 'schemaOrSchemas':
        return Array.isArray(value) ? this.#copyList(value, path) : this.copy(value, path);
      case 'schemaMap':
      case 'textsMap':
      case 'schemaOrTextsMap':
        return isRecord(value) ? this.#copyMap(value, path, shape) : undefined;
      case undefined:
        return isRecord(value) ? this.copy(value, path) : undefined;
      default:
        return this.#isOfShape(keyword, value, shape) ? value : undefined;
    }
  }

  #copyList(schemas: readonly unknown[], path: string): Array<Schema | boolean> {
    // For a `false` schema the checker reports no location, so in a list it would be unclear which element it was.
    return schemas.map((schema, at) => this.copy(schema === false ? { not: true } : schema, `${path}/${at}`));
  }

  #copyMap(map: JsonRecord, path: string, shape: Shape): unknown {
    const copy = Object.create(null) as object;
    for (const [key, value] of Object.entries(map)) {
      if (Array.isArray(value) && shape !== 'schemaMap') {
        if (areTexts(value)) define(copy, key, value);
      } else if (shape !== 'textsMap') define(copy, key, this.copy(value, path + toPointer(key)));
    }
    return copy;
  }

  #isOfShape(keyword: string, value: unknown, shape: Shape): boolean {
    if (keyword === 'id' && this.draft !== '4') return false;
    if (keyword === 'format') return isCheckedFormat(value);
    switch (shape) {
      case 'limit':
        return typeof value === (this.draft === '4' ? 'boolean' : 'number');
      case 'type':
        return isType(value) || (areTexts(value) && value.every(isType));
      case 'texts':
        return areTexts(value);
      case 'list':
        return Array.isArray(value);
      case 'flag':
        return typeof value === 'boolean';
      case 'number':
        return typeof value === 'number';
      case 'text':
        return typeof value === 'string';
      default:
        return shape === 'any';
    }
  }

  #look(schema: Schema, path: string): void {
    const { found } = this;
    const members = Object.values(schema).reduce<number>((sum, value) => sum + countMembers(value), 0);
    if (members > MEMBERS_PER_STEP) this.#costs.set(schema, Math.ceil(members / MEMBERS_PER_STEP));
    if (REVERSALS.some((keyword) => Object.hasOwn(schema, keyword))) found.hasReversal = true;
    if (schema.uniqueItems === true) found.hasUniqueItems = true;
    if (schema.$ref !== undefined) found.references.push({ path: `${path}/$ref`, schema });
    if (schema.pattern !== undefined) this.#boundPattern(schema, schema.pattern, path);
    for (const pattern of Object.keys(schema.patternProperties ?? {})) {
      const limit = this.#toLimit(pattern, `${path}/patternProperties${toPointer(pattern)}`);
      found.shortestNameLimit = Math.min(found.shortestNameLimit, limit);
      found.namePatterns.push(pattern);
    }
  }

  /** Lets longer texts match at once, without trying the pattern. */
  #boundPattern(schema: Schema, pattern: string, path: string): void {
    const limit = this.#toLimit(pattern, `${path}/pattern`);
    this.found.shortestLimit = Math.min(this.found.shortestLimit, limit);
    this.found.patterns.set(schema, pattern);
    schema.pattern = `^[^]{${limit + 1}}|(?:${pattern})`;
  }

  #toLimit(pattern: string, path: string): number {
    this.#counter.tick();
    const limit = isExpression(pattern) ? patternLimit(pattern) : 0;
    if (limit === 0) this.found.problems.push({ path, message: t('is not a regular expression') });
    if (limit === undefined) {
      this.found.problems.push({ path, message: t('is a pattern that could take too long to match') });
    }
    return limit ?? 0;
  }
}

function toDraft(address: unknown): SchemaDraft {
  if (typeof address !== 'string') return '2020-12';
  if (address.includes('draft-03') || address.includes('draft-04')) return '4';
  if (address.includes('draft-06') || address.includes('draft-07')) return '7';
  return address.includes('2019-09') ? '2019-09' : '2020-12';
}

/** Unknown formats are no condition. `url` is not a format of JSON Schema, and its expression can take exponential time. */
const isCheckedFormat = (value: unknown): boolean =>
  typeof value === 'string' && value !== 'url' && Object.hasOwn(knownFormats, value);

function isExpression(pattern: string): boolean {
  try {
    // The checker compiles the pattern in the same way.
    void new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

const countMembers = (value: unknown): number =>
  typeof value === 'object' && value !== null ? Object.keys(value).length : 0;

const isType = (value: unknown): boolean => TYPES.includes(value);
const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

/** Also works for `__proto__`; assigning it would set the prototype. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}
