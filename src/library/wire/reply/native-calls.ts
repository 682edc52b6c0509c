// Reads the native tool calls of both protocols, and gives each a unique id.
import type { ExchangeToolCall, ProviderToolCall } from '../../../types';
import { createCallId } from '../../util/ids';
import type { JsonRecord } from '../../util/json';
import { isRecord, toRecord, toText } from '../../util/json';
import { pruneUndefined } from '../../util/prune-undefined';
import { checkCallCount } from './reply-limit';
import { ArgumentsReader, isTooDeep, splitGlued, toJsonText } from './tool-arguments';

/**
 * Reads `[{id?, function: {name, arguments}, extra_content?}]`, also without `function`. An entry without a name is no call.
 * @throws StreamFailure (`too-large`)
 */
export function readNativeCalls(entries: unknown): ProviderToolCall[] {
  const reader = new ArgumentsReader();
  return toCalls(entries).map(({ own, name, given, extraContent }) => {
    const call: ProviderToolCall = {
      id: own.id,
      name,
      arguments: reader.read(given).value,
      source: 'native',
    };
    if (isRecord(extraContent) && !isTooDeep(extraContent)) call.extraContent = extraContent;
    return call;
  });
}

/** The same calls for the exchange, in the same order, and after them the entries without a name. */
export function readCallTexts(entries: unknown): ExchangeToolCall[] {
  const reader = new ArgumentsReader();
  const named = toCalls(entries).map(({ given, own: { repeatedId } }) => ({
    rawArguments: toGivenText(given),
    ...pruneUndefined({ parseError: reader.read(given).parseError, repeatedId }),
  }));
  const nameless = listOf(entries).filter((entry) => isRecord(entry) && nameOf(entry) === undefined);
  return [
    ...named,
    ...nameless.map((entry) => ({
      rawArguments: toGivenText(targetOf(entry)['arguments']),
      isNameless: true as const,
    })),
  ];
}

/** The arguments as they were received; '' when there are none. */
export const toGivenText = (given: unknown): string =>
  typeof given === 'string' ? given : given === undefined || given === null ? '' : toJsonText(given);

interface NativeCall {
  own: OwnId;
  name: string;
  /** The arguments as they were received. */
  given: unknown;
  extraContent: unknown;
}

function toCalls(entries: unknown): NativeCall[] {
  const seen = new Map<string, number>();
  const calls: NativeCall[] = [];
  checkCallCount(listOf(entries).length);
  for (const entry of listOf(entries)) {
    const { id, extra_content: extraContent } = toRecord(entry);
    const { arguments: given } = targetOf(entry);
    const name = nameOf(entry);
    if (name === undefined) continue;
    const [first, ...glued] = splitGlued(given);
    calls.push({ own: uniqueId(toText(id), seen), name, given: first, extraContent });
    // The id and the extra content are those of the first call.
    for (const part of glued)
      calls.push({ own: uniqueId(undefined, seen), name, given: part, extraContent: undefined });
    checkCallCount(calls.length);
  }
  return calls;
}

/** The part of an entry with name and arguments; some servers write them into the entry itself. */
export function targetOf(entry: unknown): JsonRecord {
  const { function: target } = toRecord(entry);
  return isRecord(target) ? target : toRecord(entry);
}

const listOf = (entries: unknown): readonly unknown[] => (Array.isArray(entries) ? entries : []);

function nameOf(entry: unknown): string | undefined {
  const { name } = targetOf(entry);
  return typeof name === 'string' && name.trim() !== '' ? name : undefined;
}

/** In UTF-16 code units. Longer ids are replaced, because ids are sent back to the server with every request. */
const MAX_ID = 200;

interface OwnId {
  id: string;
  /** The server's id, when an earlier call has it too. */
  repeatedId?: string;
}

/**
 * Some servers repeat an id, or use the tool's name as the id. `seen` stores the next suffix, so that many repeats stay
 * cheap.
 */
export function uniqueId(given: string | undefined, seen: Map<string, number>): OwnId {
  const base = given !== undefined && given.length <= MAX_ID ? given : createCallId();
  let count = seen.get(base) ?? 1;
  let id = count === 1 ? base : `${base}_${count}`;
  while (seen.has(id) && id !== base) id = `${base}_${++count}`;
  seen.set(base, count + 1);
  if (id === base) return { id };
  seen.set(id, 2);
  return { id, repeatedId: base };
}
