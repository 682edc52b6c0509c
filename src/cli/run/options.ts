// The options of the command that sends one message. Help loads them alone.
import { t } from '@vscode/l10n';
import type { SamplingParams } from '../../types';
import type { Option, Options, Values } from '../command';
import type { CONNECTION_OPTIONS } from '../connections/options';

/** One for each sampling key. */
export const SAMPLING_OPTIONS = {
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
