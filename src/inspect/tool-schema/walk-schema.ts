// Goes through the schemas inside of a tool's parameters, and finds the one that a server's path names. Pure.
import { isRecord } from '../../library';

/** One schema inside of the parameters. */
export interface SchemaPlace {
  schema: Readonly<Record<string, unknown>>;
  /** JSON Pointer into the parameters; '' for the whole. */
  pointer: string;
  /** The parameter as a person names it, such as `edits[].old`; '' for the whole. */
  name: string;
}

/** A person's schema may be of any size; servers refuse none that is larger. */
const MAX_SCHEMAS = 20_000;
const MAX_DEPTH = 100;

/** Members that are maps of schemas. */
const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** Members that are a schema or a list of schemas, with what each adds to the name. */
const PARTS = new Map([
  ...['items', 'prefixItems', 'contains'].map((key) => [key, '[]'] as const),
  ...['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else'].map((key) => [key, ''] as const),
  ...['additionalProperties', 'propertyNames'].map((key) => [key, '.*'] as const),
]);

/** All schemas of the parameters, from the top down. */
export function listSchemas(parameters: unknown): SchemaPlace[] {
  const found: SchemaPlace[] = [];
  const visit = (schema: unknown, pointer: string, name: string, depth: number): void => {
    if (!isRecord(schema) || depth > MAX_DEPTH || found.length >= MAX_SCHEMAS) return;
    const place = { schema, pointer, name };
    found.push(place);
    for (const inner of membersOf(place)) visit(inner.schema, inner.pointer, inner.name, depth + 1);
  };
  visit(parameters, '', '', 0);
  return found;
}

function membersOf({
  schema,
  pointer,
  name,
}: SchemaPlace): (Omit<SchemaPlace, 'schema'> & { schema: unknown })[] {
  return Object.entries(schema).flatMap(([key, value]) => {
    const at = `${pointer}/${toStep(key)}`;
    const addition = PARTS.get(key);
    if (MAPS.has(key) && isRecord(value)) {
      return Object.entries(value).map(([inner, member]) => ({
        schema: member,
        pointer: `${at}/${toStep(inner)}`,
        name: name === '' ? inner : `${name}.${inner}`,
      }));
    }
    if (addition === undefined) return [];
    const own = name + addition;
    return Array.isArray(value)
      ? value.map((member: unknown, index) => ({ schema: member, pointer: `${at}/${index}`, name: own }))
      : [{ schema: value, pointer: at, name: own }];
  });
}

const toStep = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/**
 * The schema at a path in a server's message, such as `properties[0].value.enum[0]`, `properties[level].items` or
 * `properties.level`. Services of Google count the properties.
 * @returns the deepest schema that the path leads to, and whether it is the end of the path
 */
export function followPath(
  parameters: unknown,
  path: string,
): { place: SchemaPlace; isWhole: boolean } | undefined {
  const places = new Map(listSchemas(parameters).map((place) => [place.pointer, place]));
  const top = places.get('');
  if (!top) return undefined;
  let place = top;
  let value: unknown = parameters;
  let pointer = '';
  for (const step of stepsOf(path)) {
    // `properties[0].value`: the member of an entry, which JSON does not have.
    if (step === 'value' && value === place.schema) continue;
    const keys = keysOf(value, step);
    if (keys.length === 0) return { place, isWhole: false };
    for (const key of keys) {
      value = (value as Record<string, unknown>)[key];
      pointer += `/${toStep(key)}`;
    }
    place = places.get(pointer) ?? place;
  }
  return { place, isWhole: true };
}

const stepsOf = (path: string): string[] => path.split(/[.[\]]+/).filter((step) => step !== '');

/** Some services leave `properties` out of the path. */
function keysOf(value: unknown, step: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Object.hasOwn(value, step)) return [step];
  if (isRecord(value) && isRecord(value['properties']) && Object.hasOwn(value['properties'], step))
    return ['properties', step];
  const counted = /^\d+$/.test(step) ? Object.keys(value)[Number(step)] : undefined;
  return counted === undefined ? [] : [counted];
}
