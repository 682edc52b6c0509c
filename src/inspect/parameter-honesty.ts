// Tells for each sampling parameter where it was set, how it was sent, and why that may differ from what was set. Pure.
import type { ParameterWay, SamplingParams } from '../types';
import { isRecord } from '../library';

/** The sampling settings of a request, and how they were translated. */
export interface SamplingInput {
  /** Sampling of the lane, which takes precedence. */
  lane: SamplingParams;
  /** Sampling of the connection's settings. */
  connection: SamplingParams;
  /** Neutral key → key of this back end, or null when the back end has none. */
  keys: Readonly<Record<string, string | null>>;
  /** Neutral key → key in the request; `options.…` for a nested one. */
  sent: Readonly<Record<string, string>>;
  dropped: readonly string[];
}

const KEYS = Object.keys({
  temperature: 0,
  topP: 0,
  topK: 0,
  seed: 0,
  maxTokens: 0,
  numCtx: 0,
  stop: 0,
  repeatPenalty: 0,
} satisfies Record<keyof SamplingParams, 0>) as (keyof SamplingParams)[];

/** @param body The body of the request as it was sent; it need not be JSON. */
export function samplingWays(input: SamplingInput, body: string): ParameterWay[] {
  const root = parse(body);
  return KEYS.map((key) => toWay(key, input, root));
}

function toWay(key: keyof SamplingParams, input: SamplingInput, root: unknown): ParameterWay {
  const { lane, connection, sent, dropped } = input;
  const value = lane[key] ?? connection[key];
  const path = sent[key] ?? findPath(input.keys[key], root);
  const went = path === undefined ? undefined : at(root, path);
  const sentPart = {
    ...(path !== undefined && went !== undefined && { sentAs: path, sentValue: JSON.stringify(went) }),
  };
  if (value === undefined) return { key, way: wayOfUnset(went, sent[key] !== undefined), ...sentPart };
  const set = {
    key,
    value: JSON.stringify(value),
    setIn: lane[key] === undefined ? ('connection' as const) : ('lane' as const),
  };
  if (dropped.includes(key)) return { ...set, way: 'dropped' };
  if (went === undefined) return { ...set, way: 'removed' };
  // One text to stop at may go without its list.
  const isSame = [went, [went]].some((form) => JSON.stringify(form) === set.value);
  return { ...set, way: isSame ? 'sent' : 'overridden', ...sentPart };
}

/** What the library sent without being told to, it chose. */
const wayOfUnset = (went: unknown, isSent: boolean): ParameterWay['way'] =>
  went === undefined ? 'not-set' : isSent ? 'chosen' : 'raw';

/** Path of the key in the request: at the top level, or under `options` as in the local protocol. */
function findPath(key: string | null | undefined, root: unknown): string | undefined {
  if (key === null || key === undefined) return undefined;
  return [key, `options.${key}`].find((path) => at(root, path) !== undefined);
}

function at(root: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      root,
    );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
