// Makes the remedies that need numbers or depend on the lane's `raw`: `raw` overrides the sampling, so it is what has to be
// changed. Pure.
import { t } from '@vscode/l10n';
import type { Remedy } from '../../types';
import type { ChatWire, RunSetting } from './diagnosis-input';
import { isRecord } from '../../library';
import { hasContextSize } from './server-advice';

const MIN_CONTEXT = 4_096;
const MAX_CONTEXT = 1_048_576;
/** Number of tokens that are reserved for a reply. */
const ROOM_FOR_REPLY = 1_024;
const MIN_LIMIT = 1_024;
const MAX_LIMIT = 65_536;

/** The next power of two with room for the tokens and a reply. @param most Maximum context length of the model. */
export function contextFor(tokens: number, most = MAX_CONTEXT): number {
  const needed = tokens * 1.1 + ROOM_FOR_REPLY;
  let size = MIN_CONTEXT;
  while (size < needed && size < MAX_CONTEXT) size *= 2;
  return Math.min(size, most);
}

/** @param now Present context size in tokens; there is no remedy unless the new size is larger. */
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

/** What to do about a reply that the token limit has cut. */
export const limitAdvice = (setting: RunSetting): string =>
  hasContextSize(setting)
    ? t('Raise Max tokens, or Context size if the prompt is long.')
    : t('Raise Max tokens, or leave it out.');

/** @param now The token limit that was sent. */
export function raiseLimit(setting: RunSetting, now: number): Remedy[] {
  const value = Math.min(MAX_LIMIT, Math.max(MIN_LIMIT, now * 4));
  return value <= now ? [] : [setLimit(setting, value)];
}

/** @param value A token limit for the reply. */
export function setLimit({ keys, raw }: RunSetting, value: number): Remedy {
  const path = ['maxTokens', 'max_completion_tokens', 'max_tokens']
    .map((key) => findRaw(raw, keys[key] ?? key))
    .find(Boolean);
  return path ? { kind: 'raw', path, value } : { kind: 'sampling', key: 'maxTokens', value };
}

/** Sets temperature 0: the output is then repeatable and as likely as possible, without damage by chance. */
export function lowerTemperature({ sampling, raw, keys }: RunSetting): Remedy[] {
  const path = findRaw(raw, keys['temperature'] ?? 'temperature');
  const now = path ? at(raw, path) : sampling.temperature;
  if (now === 0) return [];
  return [path ? { kind: 'raw', path, value: 0 } : { kind: 'sampling', key: 'temperature', value: 0 }];
}

/** Demands a call where the server supports that and the lane does not do so yet. */
export function requireCall(
  { toolChoiceKey, toolChoice, raw }: RunSetting,
  wire: ChatWire | undefined,
): Remedy[] {
  if (toolChoiceKey === null || Object.hasOwn(raw, toolChoiceKey)) return [];
  if (wire?.server === 'ollama') return [];
  return toolChoice === 'required' || toolChoice === 'tool'
    ? []
    : [{ kind: 'tool-choice', choice: 'required' }];
}

const NAME = /^[\w-]{1,64}$/;

/** For a call of a tool that was not offered. @param nearest The offered tool with the most similar name. */
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

/** Path of a key in `raw`: at the top level, or under `options` as in the local protocol. */
export function findRaw(raw: Readonly<Record<string, unknown>>, key: string): string[] | undefined {
  if (Object.hasOwn(raw, key)) return [key];
  const { options } = raw;
  return isRecord(options) && Object.hasOwn(options, key) ? ['options', key] : undefined;
}

const at = (raw: Readonly<Record<string, unknown>>, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), raw);
