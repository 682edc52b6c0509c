// Native tool calls of both protocols: an id for each, none twice.
import type { ProviderToolCall } from '../../types';
import { createCallId } from '../util/ids';
import { isRecord, toRecord, toText } from '../util/json';
import type { ReadArguments } from './tool-arguments';
import { isTooDeep, readArguments } from './tool-arguments';

export interface NativeCalls {
  toolCalls: ProviderToolCall[];
  /** In the same order. */
  raw: { rawArguments: string; parseError?: string | undefined }[];
}

/** Reads `[{id?, function: {name, arguments}, extra_content?}]`; an entry without a name is no call. */
export function readNativeCalls(entries: unknown): NativeCalls {
  const result: NativeCalls = { toolCalls: [], raw: [] };
  const seen = new Map<string, number>();
  for (const entry of Array.isArray(entries) ? entries : []) {
    const { id, function: call, extra_content: extraContent } = toRecord(entry);
    const { name, arguments: given } = toRecord(call);
    if (typeof name !== 'string' || name === '') continue;
    const { value, rawArguments, parseError }: ReadArguments = readArguments(given);
    result.toolCalls.push({
      id: uniqueId(toText(id), seen),
      name,
      arguments: value,
      source: 'native',
      ...(isRecord(extraContent) && !isTooDeep(extraContent) && { extraContent }),
    });
    result.raw.push({ rawArguments, ...(parseError !== undefined && { parseError }) });
  }
  return result;
}

/** Longer ids are not kept: they go back to the server with every request. */
const MAX_ID = 200;

/** Some servers use one id twice, or the tool's name as the id. `seen` holds the next suffix, so that many repeats stay cheap. */
function uniqueId(id: string | undefined, seen: Map<string, number>): string {
  const base = id !== undefined && id.length <= MAX_ID ? id : createCallId();
  let count = seen.get(base) ?? 1;
  let unique = count === 1 ? base : `${base}_${count}`;
  while (seen.has(unique) && unique !== base) unique = `${base}_${++count}`;
  seen.set(base, count + 1);
  if (unique !== base) seen.set(unique, 2);
  return unique;
}
