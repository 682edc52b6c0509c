// Prints JSON in a normal form, in which the same meaning is written in the same way: keys sorted, ids numbered. Pure.
import { isRecord } from '../library';

/** Compact JSON. Equal values have equal texts, whatever the order of their keys. @throws RangeError nested too deeply */
export const canonicalJson = (value: unknown): string =>
  // Sorting a copy first takes a third of the time of a function that JSON.stringify calls for each value.
  JSON.stringify(isSorted(value) ? value : toSorted(value));

function isSorted(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isSorted);
  if (!isRecord(value)) return true;
  const keys = Object.keys(value);
  return keys.every((key, index) => (index === 0 || String(keys[index - 1]) < key) && isSorted(value[key]));
}

function toSorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSorted);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).toSorted();
  return Object.fromEntries(keys.map((key) => [key, toSorted(value[key])]));
}

/** Keys whose values are generated anew in each run. */
const IDS = new Set(['id', 'tool_call_id', 'toolCallId', 'created', 'created_at', 'system_fingerprint']);
const MAX_DEPTH = 200;

/** @returns the text itself when it is not JSON */
export function normalForm(text: string): string {
  try {
    return printNormal(JSON.parse(text));
  } catch {
    return text;
  }
}

export function printNormal(value: unknown): string {
  const names = new Map<string, string>();
  return `${JSON.stringify(normalize(value, names, 0), null, 2)}\n`;
}

function normalize(value: unknown, names: Map<string, string>, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((inner) => normalize(inner, names, depth + 1));
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(
    entries.map(([key, inner]) => [
      key,
      IDS.has(key) && typeof inner !== 'object'
        ? nameOf(String(inner), names)
        : normalize(inner, names, depth + 1),
    ]),
  );
}

/** The same name for the same id, so that a result still refers to its call. */
function nameOf(id: string, names: Map<string, string>): string {
  const known = names.get(id) ?? `id ${names.size + 1}`;
  names.set(id, known);
  return known;
}
