// Result of parsing the text of a field.

/**
 * A value, undefined for a field that is not set; or the problem with the text, in words that follow the field's
 * name.
 */
export type ParsedField = { value: unknown; problem?: undefined } | { value?: undefined; problem: string };
