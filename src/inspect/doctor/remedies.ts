// The remedies that need numbers, or a look at what the lane says in `raw`: raw wins over the sampling, so it is what has to
// change. Pure.
import type { Remedy } from '../../types';
import { isRecord } from '../copy/neutral-request';
import type { ChatWire, RunSetting } from './diagnosis-input';

const LEAST_CONTEXT = 4_096;
const MOST_CONTEXT = 1_048_576;
/** Tokens that a reply is given room for. */
const ROOM_FOR_REPLY = 1_024;
const LEAST_LIMIT = 1_024;
const MOST_LIMIT = 65_536;

/** The next power of two that has room for so many tokens, a reply beside them. @param most That the model takes. */
export function contextFor(tokens: number, most = MOST_CONTEXT): number {
  const needed = tokens * 1.1 + ROOM_FOR_REPLY;
  let size = LEAST_CONTEXT;
  while (size < needed && size < MOST_CONTEXT) size *= 2;
  return Math.min(size, most);
}

/** @param now What the context has room for; a remedy that is no larger is none. */
export function raiseContext(
  { keys, raw, otherSide }: RunSetting,
  tokens: number,
  { now = 0, most }: { now?: number | undefined; most?: number | undefined } = {},
): Remedy[] {
  const value = contextFor(Math.max(tokens, now), most);
  if (value <= now) return [];
  const key = keys['numCtx'];
  if (typeof key === 'string') {
    const path = findRaw(raw, key);
    return path ? [{ kind: 'raw', path, value }] : [{ kind: 'sampling', key: 'numCtx', value }];
  }
  return otherSide ? [{ kind: 'connection', ...otherSide, numCtx: value }] : [];
}

/** @param now The limit that was sent. */
export function raiseLimit({ keys, raw }: RunSetting, now: number): Remedy[] {
  const value = Math.min(MOST_LIMIT, Math.max(LEAST_LIMIT, now * 4));
  if (value <= now) return [];
  const path = ['maxTokens', 'max_completion_tokens', 'max_tokens']
    .map((key) => findRaw(raw, keys[key] ?? key))
    .find(Boolean);
  return [path ? { kind: 'raw', path, value } : { kind: 'sampling', key: 'maxTokens', value }];
}

/** Writes the same each time, and as likely as can be: what is damaged by chance is whole then. */
export function coolDown({ sampling, raw, keys }: RunSetting): Remedy[] {
  const path = findRaw(raw, keys['temperature'] ?? 'temperature');
  const now = path ? at(raw, path) : sampling.temperature;
  if (now === 0) return [];
  return [path ? { kind: 'raw', path, value: 0 } : { kind: 'sampling', key: 'temperature', value: 0 }];
}

/** Where a server takes the word and the lane does not say it yet. */
export function requireCall(
  { hasToolChoice, toolChoice, raw }: RunSetting,
  wire: ChatWire | undefined,
): Remedy[] {
  const isTaken = hasToolChoice && wire?.side === 'hosted' && !wire.isOllamaHosted;
  if (!isTaken || Object.hasOwn(raw, 'tool_choice')) return [];
  return toolChoice === 'required' || toolChoice === 'tool'
    ? []
    : [{ kind: 'tool-choice', choice: 'required' }];
}

const NAME = /^[\w-]{1,64}$/;

/** For a call of a tool that was not offered. @param nearest The offered one whose name is most like it. */
export function provideTool(
  name: string,
  idleTools: readonly string[],
  nearest: string | undefined,
): Remedy[] {
  if (!NAME.test(name)) return [];
  if (idleTools.includes(name)) return [{ kind: 'offer-tool', tool: name }];
  const add: Remedy = { kind: 'add-tool', tool: name };
  return nearest === undefined ? [add] : [{ kind: 'rename-tool', tool: nearest, to: name }, add];
}

/** The place of a key in `raw`: at the top, or under `options` as the local protocol has it. */
export function findRaw(raw: Readonly<Record<string, unknown>>, key: string): string[] | undefined {
  if (Object.hasOwn(raw, key)) return [key];
  const { options } = raw;
  return isRecord(options) && Object.hasOwn(options, key) ? ['options', key] : undefined;
}

const at = (raw: Readonly<Record<string, unknown>>, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), raw);
