// Names the types of JSON Schema in plain words. Does not interpret schemas.

const NOUNS: ReadonlyMap<string, string> = new Map([
  ['string', 'text'],
  ['number', 'a number'],
  ['integer', 'an integer'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['null', 'null'],
]);

export const isJsonType = (type: string): boolean => NOUNS.has(type);

/** The type that JSON Schema gives a JSON value, `number` for every number. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Plain words for types of JSON Schema, such as `text or null`. An unknown type is named as it is. */
export const nameJsonTypes = (types: readonly string[]): string =>
  types.map((type) => NOUNS.get(type) ?? type).join(' or ');
