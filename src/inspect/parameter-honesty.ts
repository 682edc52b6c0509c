// Tells for each sampling parameter where it was set, how it was sent, and why that may differ from what was set. Pure.
import type { ParameterWay, SamplingParams } from '../types';
import { isRecord } from '../library';
import { parseRecord } from './json-record';

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

/**
 * @param body The body of the request as it was sent; it need not be JSON.
 * @param reply The body of its reply, if there is one.
 */
export function samplingWays(input: SamplingInput, body: string, reply = ''): ParameterWay[] {
  const root = parseRecord(body);
  const response = findResponse(reply);
  return KEYS.map((key) => {
    const name = input.keys[key];
    const reported = name == null ? undefined : (response?.[name] ?? undefined);
    return {
      ...toWay(key, input, root),
      ...(reported !== undefined && { reported: JSON.stringify(reported) }),
    };
  });
}

/** How many lines before the end the last event may begin; some relays add a mark of their own. */
const LAST_LINES = 8;

/**
 * The response of the Responses API, which repeats the sampling that it was made with, in a reply or in the last event of one.
 * https://platform.openai.com/docs/api-reference/responses/object
 */
function findResponse(reply: string): Record<string, unknown> | undefined {
  const whole = reply.trimStart();
  if (whole.startsWith('{')) return asResponse(parseRecord(whole));
  let end = reply.length;
  for (let count = 0; count < LAST_LINES && end > 0; count += 1) {
    const start = reply.lastIndexOf('\n', end - 1) + 1;
    const line = reply.slice(start, end);
    end = start - 1;
    const found = line.startsWith('data:') ? asResponse(parseRecord(line.slice(5))?.['response']) : undefined;
    if (found) return found;
  }
  return undefined;
}

const asResponse = (value: unknown): Record<string, unknown> | undefined =>
  isRecord(value) && value['object'] === 'response' ? value : undefined;

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
  // A key that the protocol has, and that the library left out, the model would have refused.
  if (dropped.includes(key)) return { ...set, way: input.keys[key] == null ? 'dropped' : 'refused' };
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
