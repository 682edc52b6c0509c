// The field of raw request keys: JSON that is merged into the request last. Reports problems as it is typed. Pure.
import { t } from '@vscode/l10n';
import { isSecretMember, looksLikeSecret } from '../../src/protocol';
import type { ParsedField } from './parsed-field';

/** Names that would modify the object's prototype instead of being sent. */
const UNSAFE: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const MAX_DEPTH = 32;

/** An empty field has no value. */
export function parseRaw(text: string): ParsedField {
  if (text.trim() === '') return { value: undefined };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: t('must be valid JSON: {0}', error instanceof Error ? error.message : String(error)) };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: t('must form a JSON object') };
  }
  const refused = refusedKey(value, '', 0);
  return refused ? { problem: refused } : { value };
}

export const showRaw = (value: Readonly<Record<string, unknown>> | undefined): string =>
  value === undefined || Object.keys(value).length === 0 ? '' : JSON.stringify(value, null, 2);

/** Problem of the first key that is not allowed. */
function refusedKey(value: unknown, path: string, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= MAX_DEPTH) return t('must not be nested this deeply: `{0}`', path);
  for (const [key, inner] of Object.entries(value)) {
    const isSecretName = looksLikeSecret(key);
    const name = isSecretName ? '…' : key;
    const place = path === '' ? name : `${path}.${name}`;
    if (isSecretName || isSecretMember(key, inner)) {
      return t('cannot have `{0}`: secrets are kept with the connection, not in the document', place);
    }
    if (UNSAFE.has(key)) return t('cannot have a key named `{0}`', place);
    const refused = refusedKey(inner, place, depth + 1);
    if (refused) return refused;
  }
  return undefined;
}
