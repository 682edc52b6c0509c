// Determines what the key of a configured connection is bound to. Knows no keys.
import { t } from '@vscode/l10n';
import { createHash } from 'node:crypto';
import type { Connection, KeyTarget } from '../connection';
import { originOf } from '../origin';

/**
 * The origin. Where the workspace decides about the path, headers or body of requests, a hash of those is
 * included: they could use the key for something that the user has not seen.
 * @returns undefined when the host is not an http or https address.
 */
export function toKeyTarget(
  { id, setting, narrowed = [] }: Pick<Connection, 'id' | 'setting' | 'narrowed'>,
  host: string | undefined,
): KeyTarget | undefined {
  const origin = originOf(host);
  if (host === undefined || origin === undefined) return undefined;
  const target = { id, binding: origin, recipient: origin, origin };
  if (narrowed.length === 0) return target;
  const { pathname, search } = new URL(host);
  const decided = { host: pathname + search, headers: setting.headers ?? {}, raw: setting.raw ?? {} };
  const values = narrowed.map((field) => [field, sortKeys(decided[field])]);
  const hash = createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 32);
  const words = {
    host: t('the path {0}', pathname + search),
    headers: t('the headers {0}', Object.keys(decided.headers).join(', ')),
    raw: t('the raw keys {0}', Object.keys(decided.raw).join(', ')),
  };
  const changes = narrowed.map((field) => words[field].trim()).join('; ');
  return { ...target, binding: `${origin}#${hash}`, wider: { binding: origin, changes } };
}

/** Sorted, because the order of keys depends on how the scopes were merged. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([key, entry]) => [key, sortKeys(entry)]);
}
