// The options of the command that sends one message, and their values as they are meant.
import { t } from '@vscode/l10n';
import { isRecord } from '../../library';
import type { DocumentLane } from '../../protocol';
import type { SamplingParams } from '../../types';
import type { Option, Options, Values } from '../command';
import { CommandError } from '../command';
import type { CONNECTION_OPTIONS } from '../connections/options';
import { readNumber } from '../evaluate/options';

/** One for each sampling key. */
const SAMPLING_OPTIONS = {
  temperature: { type: 'string', value: 'X', says: () => t('0 for repeatable calls') },
  'top-p': { type: 'string', value: 'X', says: () => t('nucleus sampling, 0 to 1') },
  'top-k': { type: 'string', value: 'N', says: () => t('choose from this many tokens') },
  seed: { type: 'string', value: 'N', says: () => t('start of the random choices') },
  'max-tokens': { type: 'string', value: 'N', says: () => t('longest reply, in tokens') },
  'num-ctx': { type: 'string', value: 'N', says: () => t('context window, in tokens') },
  stop: {
    type: 'string',
    multiple: true,
    value: 'text',
    says: () => t('ends the reply; several allowed'),
  },
  'repeat-penalty': { type: 'string', value: 'X', says: () => t('1 means none') },
} as const satisfies Record<ToKebab<keyof SamplingParams>, Option>;

type ToKebab<Key extends string> = Key extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `-${Lowercase<Head>}`}${ToKebab<Rest>}`
  : '';

export const RUN_OPTIONS = {
  connection: { type: 'string', value: 'id', says: () => t('default: that of the lane, or the demo') },
  model: { type: 'string', value: 'name', says: () => t('default: that of the lane or the connection') },
  playground: {
    type: 'string',
    value: 'file',
    says: () => t('its system prompt, tools and lane; a message replaces its own question'),
  },
  lane: { type: 'string', value: 'id', says: () => t('of the playground; needed if it has several') },
  row: { type: 'string', value: 'id', says: () => t('of the playground; needed if it has several') },
  tools: { type: 'string', value: 'file', says: () => t('tools, as JSON; mocks as in a playground') },
  system: { type: 'string', value: 'text', says: () => t('system prompt') },
  'tool-choice': { type: 'string', value: 'x', says: () => t('auto, none, required, or the name of a tool') },
  'max-steps': { type: 'string', value: 'N', says: () => t('most chats of one run with mocks') },
  ...SAMPLING_OPTIONS,
  raw: { type: 'string', value: 'json', says: () => t('merged into the request last; never a key') },
  'no-rescue': { type: 'boolean', says: () => t('read no calls from text') },
  json: { type: 'boolean', says: () => t('the turn as JSON, when it has ended') },
} as const satisfies Options;

export type RunOptions = typeof RUN_OPTIONS & typeof CONNECTION_OPTIONS;
export type RunValues = Values<RunOptions>;

/** What the command line sets over a lane. @throws CommandError */
export function readLane(values: RunValues): (lane: DocumentLane) => DocumentLane {
  const { connection, model, 'max-steps': maxSteps, 'tool-choice': choice } = values;
  const steps = readAny('max-steps', maxSteps);
  const sampling = readSampling(values);
  const raw = readRaw(values.raw);
  return (lane) => ({
    ...lane,
    ...(connection !== undefined && { connection, model: undefined }),
    ...(model !== undefined && { model }),
    sampling: { ...lane.sampling, ...sampling },
    rescueToolCalls: lane.rescueToolCalls && values['no-rescue'] !== true,
    ...(raw && { raw: { ...lane.raw, ...raw } }),
    ...(choice !== undefined && { toolChoice: toChoice(choice) }),
    limits: { ...lane.limits, ...(steps !== undefined && { maxSteps: steps }) },
  });
}

const toChoice = (choice: string): DocumentLane['toolChoice'] =>
  choice === 'auto' || choice === 'none' || choice === 'required' ? choice : { tool: choice };

/** @throws CommandError */
function readSampling(values: RunValues): SamplingParams {
  const entries = Object.keys(SAMPLING_OPTIONS).flatMap((name) => {
    const value = values[name as keyof typeof SAMPLING_OPTIONS];
    if (value === undefined) return [];
    const key = name.replaceAll(/-(.)/g, (_dash, letter: string) => letter.toUpperCase());
    return [[key, typeof value === 'string' ? readAny(name, value) : value]];
  });
  return Object.fromEntries(entries) as SamplingParams;
}

const readAny = (name: string, value: string | undefined): number | undefined =>
  readNumber(name, value, Number.isFinite, t('a number'));

/** @throws CommandError */
function readRaw(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Said below, like a value that is no object.
  }
  throw new CommandError(t('--raw is no JSON object.'), t('Give one, such as {0}.', `'{"top_k":40}'`));
}
