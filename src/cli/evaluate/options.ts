// The options of the commands that evaluate. Help loads them alone.
import { t } from '@vscode/l10n';
import type { Options, Values } from '../command';

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
    says: () =>
      t('largest share of samples without a verdict; above it nothing is decided (3); default: 0.05'),
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
  shard: {
    type: 'string',
    value: '2/4',
    says: () =>
      t(
        'only this part; `auto` reads it from CI_NODE_INDEX, BUILDKITE_PARALLEL_JOB, JOB_COMPLETION_INDEX or SLURM_ARRAY_TASK_ID, `auto/4` where the total is not set; needs --blob',
      ),
  },
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

export type ChoiceValues = Values<typeof CHOICE_OPTIONS>;
export type GateValues = Values<typeof GATE_OPTIONS>;
export type ReportValues = GateValues & Values<typeof COMPARE_OPTIONS> & Values<typeof REPORT_OPTIONS>;
export type LimitValues = Values<typeof LIMIT_OPTIONS>;
