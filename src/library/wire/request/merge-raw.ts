// Merges the caller's raw keys into the finished body, last.
import { isRecord, setOwn, toRecord } from '../../util/json';
import type { MergedInput, TranslatedInput } from '../wire-shapes';

/** Request keys under the server's own names, as the caller gave them. */
export type RawKeys = Readonly<Record<string, unknown>> | undefined;

/**
 * @param nested A key whose object is merged key by key instead of being replaced (`options` of the local provider).
 * @returns the merged body, and the keys of the body that `raw` replaced; nested ones as `options.seed`
 */
export function mergeRaw(
  body: object,
  raw: RawKeys,
  nested?: string,
): { body: Record<string, unknown>; overridden: string[] } {
  const overridden: string[] = [];
  const merged: Record<string, unknown> = { ...body };
  for (const [key, value] of Object.entries(raw ?? {})) {
    const before = merged[key];
    if (key === nested && isRecord(before) && isRecord(value)) {
      overridden.push(
        ...Object.keys(value)
          .filter((inner) => Object.hasOwn(before, inner))
          .map((inner) => `${key}.${inner}`),
      );
      merged[key] = { ...before, ...value };
    } else {
      if (Object.hasOwn(body, key)) overridden.push(key);
      setOwn(merged, key, value);
    }
  }
  return { body: merged, overridden };
}

/**
 * Merges the raw keys into the body of the translated input.
 * @param nested See `mergeRaw`.
 * @param history Key of the conversation in the body.
 */
export function mergeInto(
  { body, sent, dropped, replaced }: TranslatedInput<object>,
  raw: RawKeys,
  { nested, history = 'messages' }: { nested?: string; history?: string } = {},
): MergedInput {
  const { body: merged, overridden } = mergeRaw(body, raw, nested);
  return {
    body: merged,
    sent: raw ? stillSent(sent, merged) : sent,
    dropped,
    overridden,
    replaced: merged[history] === toRecord(body)[history] ? replaced : [],
  };
}

/**
 * The keys that are still in the merged body: `undefined` in `raw` removes a key. @param sent Neutral key → key, or
 * `options.key`.
 */
export function stillSent(
  sent: Record<string, string>,
  merged: Record<string, unknown>,
): Record<string, string> {
  const isThere = (path: string): boolean =>
    path.split('.').reduce<unknown>((value, key) => toRecord(value)[key], merged) !== undefined;
  return Object.fromEntries(Object.entries(sent).filter(([, path]) => isThere(path)));
}
