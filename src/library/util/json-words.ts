// The types of JSON Schema in plain words. Knows no schema.

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

/** The words for types of JSON Schema: `text or null`; a type that nobody knows is its own word. */
export const nameJsonTypes = (types: readonly string[]): string =>
  types.map((type) => NOUNS.get(type) ?? type).join(' or ');
