// Finds the entries in a list of models, or says what came instead. Independent of protocols. Pure.
import type { JsonRecord } from '../util/json';
import { isRecord, toText } from '../util/json';

/** Limits of what is quoted of a document that is no list of models. */
const QUOTED = { keys: 8, perKey: 40 };

/**
 * The entries of the list; of several with the same id, only the first. The list may be null, as from servers without models
 * (Ollama), or the document itself (Together).
 * @param listKey The key of the list.
 * @param idKey The key of each entry's id.
 * @returns one sentence instead when there is no list, or when no entry of it has an id
 */
export function readModelList(document: unknown, listKey: string, idKey: string): JsonRecord[] | string {
  const list = isRecord(document) ? document[listKey] : document;
  const expected = `Expected a list of models, {"${listKey}": [{"${idKey}": …}]}`;
  if (list === null && isRecord(document)) return [];
  if (!Array.isArray(list)) return `${expected}, but received ${describeShape(document)}.`;
  const entries = list.filter(isRecord);
  const hasId = entries.some((entry) => toText(entry[idKey]) !== undefined);
  if (hasId || list.length === 0) return withoutRepeats(entries, idKey);
  return `${expected}, but the first entry received is ${describeShape(list[0])}.`;
}

/** Some relays list a model once for each of their back ends. */
function withoutRepeats(entries: readonly JsonRecord[], idKey: string): JsonRecord[] {
  const seen = new Set<unknown>();
  return entries.filter(({ [idKey]: id }) => !seen.has(id) && seen.add(id));
}

function describeShape(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (!isRecord(value)) return `a value of type ${typeof value}`;
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an object without keys';
  const quoted = keys.slice(0, QUOTED.keys).map((key) => key.slice(0, QUOTED.perKey));
  return `an object with the keys ${quoted.join(', ')}${keys.length > QUOTED.keys ? ' and others' : ''}`;
}
