// Describes JSON values in plain words and formats JSON Pointers. Independent of schemas and tools.
import { t } from '@vscode/l10n';
import { nameJsonTypes } from '../library';

export type JsonRecord = Readonly<Record<string, unknown>>;

const MAX_SHOWN = 60;
const MAX_LISTED = 12;

/** Describes the kind of a value but not its content, except for booleans. */
export function describeValue(value: unknown): string {
  if (value === undefined) return t('absent');
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return t('a list');
  return nameJsonTypes([typeof value]);
}

/** The type that a JSON Schema would give the value; `integer` for a number without a fraction. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Formats the value itself as short JSON. */
export function showValue(value: unknown): string {
  // A long text is truncated before it is escaped, so that its length costs nothing.
  if (typeof value === 'string') return JSON.stringify(cutShort(value));
  try {
    return cutShort(JSON.stringify(value) ?? describeValue(value));
  } catch {
    return describeValue(value); // nested too deeply, or circular
  }
}

/** Lists values, with texts unquoted: `celsius, fahrenheit`. */
export function listValues(values: readonly unknown[]): string {
  const shown = values
    .slice(0, MAX_LISTED)
    .map((value) => (typeof value === 'string' ? cutShort(value) : showValue(value)));
  return shown.join(', ') + (values.length > MAX_LISTED ? ', …' : '');
}

/** Truncates to at most so many UTF-16 code units, without splitting a surrogate pair. */
export function cutShort(text: string, limit = MAX_SHOWN): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Formats a key as one segment of a JSON Pointer. */
export const toPointer = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
