// The placeholder of a variable, such as `{{city}}`, for which each row has a value.
import * as v from 'valibot';

/** With the name of the variable. Braces and line ends are in no name, so that a search is linear. */
export const PLACEHOLDER = /\{\{([^{}\r\n]+)\}\}/;

/** A text that is one placeholder, as a regular expression. */
export const ONE_PLACEHOLDER = `^${PLACEHOLDER.source}$`;
const ONE = new RegExp(ONE_PLACEHOLDER);

/** The only schema of its kind, `custom`, by which problems tell it from the values that it stands for. */
export const PlaceholderSchema = v.custom<string>((value) => typeof value === 'string' && ONE.test(value));
