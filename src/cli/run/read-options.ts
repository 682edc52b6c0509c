// The values of the options of the command that sends one message, as they are meant.
import { t } from '@vscode/l10n';
import { isRecord } from '../../library';
import type { DocumentLane } from '../../protocol';
import { DOCUMENT_LIMIT } from '../../protocol';
import type { SamplingParams } from '../../types';
import { CommandError } from '../command';
import { readCount, readNumber, readShare } from '../evaluate/read-options';
import type { RunValues } from './options';
import { SAMPLING_OPTIONS } from './options';

/** What the command line sets over a lane. @throws CommandError */
export function readLane(values: RunValues): (lane: DocumentLane) => DocumentLane {
  const { connection, model, 'max-steps': maxSteps, 'tool-choice': choice } = values;
  const steps = readCount('max-steps', maxSteps, DOCUMENT_LIMIT.steps);
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
    return [[key, typeof value === 'string' ? NUMBERS[name as keyof typeof NUMBERS](value) : value]];
  });
  return Object.fromEntries(entries) as SamplingParams;
}

/** Values beyond them are mistakes on every server; what one server alone reads goes into --raw. */
const NUMBERS = {
  temperature: (value) => readNumber('temperature', value, (number) => number >= 0, t('a number from 0 on')),
  'top-p': (value) => readShare('top-p', value),
  'top-k': (value) => readWhole('top-k', value),
  seed: (value) => readWhole('seed', value),
  'max-tokens': (value) => readCount('max-tokens', value),
  'num-ctx': (value) => readCount('num-ctx', value),
  'repeat-penalty': (value) =>
    readNumber('repeat-penalty', value, (number) => number >= 0, t('a number from 0 on')),
} satisfies Record<Exclude<keyof typeof SAMPLING_OPTIONS, 'stop'>, (value: string) => number | undefined>;

/** Also below 0: -1 means none or any to some servers. */
const readWhole = (name: string, value: string): number | undefined =>
  readNumber(name, value, Number.isSafeInteger, t('a whole number'));

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
