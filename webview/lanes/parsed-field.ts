// What the text of a field comes to.

/** A value; undefined is a field that is not set. Or why the text is none, in words that follow the field's name. */
export type ParsedField = { value: unknown; problem?: undefined } | { value?: undefined; problem: string };
