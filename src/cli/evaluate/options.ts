// The options of the commands that evaluate, and their values as they are meant.
import { t } from '@vscode/l10n';
import type { BatchChoice, SpendingLimits } from '../../session';
import { toBatchChoice } from '../../session';
import type { Options, Values } from '../command';
import { CommandError } from '../command';

export const CHOICE_OPTIONS = {
  lane: { type: 'string', multiple: true, value: 'a,b', says: () => t('only these lanes') },
  row: { type: 'string', multiple: true, value: 'id,glob*', says: () => t('only these rows, by id or name') },
  tag: { type: 'string', multiple: true, value: 't', says: () => t('only rows with one of these tags') },
  repeat: { type: 'string', value: 'N', says: () => t('samples of each row in each lane, 1 to 100') },
} as const satisfies Options;

export const GATE_OPTIONS = {
  'min-case': {
    type: 'string',
    value: '0.9',
    says: () => t('least share of samples that pass, in each row and lane'),
  },
  'min-lane': { type: 'string', value: '0.95', says: () => t('least mean over the rows of a lane') },
  'max-no-verdict': {
    type: 'string',
    value: '0.05',
    says: () => t('largest share of samples without a verdict; above it nothing is decided; default: 0.05'),
  },
  'pass-with-none': { type: 'boolean', says: () => t('exit code 0 when nothing is chosen') },
} as const satisfies Options;

export const LIMIT_OPTIONS = {
  'max-requests': { type: 'string', value: 'N', says: () => t('stop before more requests are sent') },
  'max-cost-usd': {
    type: 'string',
    value: 'X',
    says: () => t('stop before more is spent, as far as rates are known'),
  },
  'max-minutes': { type: 'string', value: 'M', says: () => t('stop after this time') },
  bail: { type: 'string', value: 'N', says: () => t('stop after N rows failed in a lane') },
  concurrency: { type: 'string', value: 'N', says: () => t('requests to one server at once; default: 4') },
  estimate: { type: 'boolean', says: () => t('say what would be sent and cost, and end') },
  list: { type: 'boolean', says: () => t('list the samples, and end') },
} as const satisfies Options;

export const REPORT_OPTIONS = {
  reporter: {
    type: 'string',
    multiple: true,
    value: 'kind[=path]',
    says: () =>
      t('pretty, json, jsonl, junit, markdown, github or problems; several allowed; default: pretty'),
  },
  quiet: { type: 'boolean', says: () => t('say nothing while it runs') },
} as const satisfies Options;

export const BLOB_OPTIONS = {
  shard: { type: 'string', value: '2/4', says: () => t('only this part, or `auto` in a CI; needs --blob') },
  blob: {
    type: 'string',
    value: 'file',
    says: () => t('write every sample to this file, for merge and judge'),
  },
  resume: {
    type: 'string',
    value: 'blob',
    says: () => t('send only what this blob does not have, and add it there or to --blob'),
  },
} as const satisfies Options;

export const COMPARE_OPTIONS = {
  baseline: { type: 'string', value: 'blob', says: () => t('compare with an earlier evaluation') },
  'fail-on': {
    type: 'string',
    value: 'regression',
    says: () => t('exit code 1 when a lane is worse than the baseline and p < 0.05'),
  },
} as const satisfies Options;

export const MERGE_OPTIONS = { ...GATE_OPTIONS, ...COMPARE_OPTIONS, ...REPORT_OPTIONS } as const;
export const EVAL_OPTIONS = {
  ...CHOICE_OPTIONS,
  ...LIMIT_OPTIONS,
  ...BLOB_OPTIONS,
  ...MERGE_OPTIONS,
} as const;
export const JUDGE_OPTIONS = {
  expect: {
    type: 'string',
    value: 'file',
    says: () => t('expectations in the place of those of the playgrounds'),
  },
  ...MERGE_OPTIONS,
} as const satisfies Options;

type ChoiceValues = Values<typeof CHOICE_OPTIONS>;
type GateValues = Values<typeof GATE_OPTIONS>;
export type ReportValues = GateValues & Values<typeof COMPARE_OPTIONS> & Values<typeof REPORT_OPTIONS>;
type LimitValues = Values<typeof LIMIT_OPTIONS>;

/** @throws CommandError */
export function readChoice(values: ChoiceValues): BatchChoice {
  const repeat = readCount('repeat', values.repeat, 100);
  return { ...toBatchChoice(values), ...(repeat !== undefined && { repeat }) };
}

/** Over those of the playgrounds. @throws CommandError */
export function readGates(values: GateValues): Pick<BatchChoice, 'gates'> {
  const least = readShare('min-case', values['min-case']);
  const mean = readShare('min-lane', values['min-lane']);
  return {
    gates: { ...(least !== undefined && { case: least }), ...(mean !== undefined && { lane: mean }) },
  };
}

export interface RunLimits extends SpendingLimits {
  maxMs: number | undefined;
  bail: number | undefined;
  concurrency: number;
}

const DEFAULT_CONCURRENCY = 4;
const MS_PER_MINUTE = 60_000;

/** @throws CommandError */
export function readLimits(values: LimitValues): RunLimits {
  const minutes = readAmount('max-minutes', values['max-minutes']);
  return {
    maxRequests: readCount('max-requests', values['max-requests']),
    maxCostUsd: readAmount('max-cost-usd', values['max-cost-usd']),
    maxMs: minutes === undefined ? undefined : minutes * MS_PER_MINUTE,
    bail: readCount('bail', values.bail),
    concurrency: readCount('concurrency', values.concurrency) ?? DEFAULT_CONCURRENCY,
  };
}

/** @throws CommandError */
export function readShare(name: string, value: string | undefined): number | undefined {
  return readNumber(name, value, (share) => share >= 0 && share <= 1, t('a share from 0 to 1'));
}

function readCount(name: string, value: string | undefined, most = Infinity): number | undefined {
  const wanted = most === Infinity ? t('a whole number from 1 on') : t('a whole number from 1 to {0}', most);
  return readNumber(
    name,
    value,
    (count) => Number.isSafeInteger(count) && count >= 1 && count <= most,
    wanted,
  );
}

const readAmount = (name: string, value: string | undefined): number | undefined =>
  readNumber(name, value, (amount) => Number.isFinite(amount) && amount > 0, t('a number above 0'));

/** @throws CommandError */
export function readNumber(
  name: string,
  value: string | undefined,
  isFit: (number: number) => boolean,
  wanted: string,
): number | undefined {
  if (value === undefined) return undefined;
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (isFit(number)) return number;
  throw new CommandError(t('--{0} is {1}.', name, value), t('Give {0}.', wanted));
}
