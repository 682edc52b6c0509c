// The values of the options of the commands that evaluate, as they are meant.
import { t } from '@vscode/l10n';
import type { BatchChoice, SpendingLimits, WrittenBatchChoice } from '../../session';
import { toBatchChoice } from '../../session';
import { CommandError } from '../command';
import type { ChoiceValues, GateValues, LimitValues } from './options';

/** @throws CommandError */
export function readChoice(values: ChoiceValues): BatchChoice & WrittenBatchChoice {
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

/** @throws CommandError */
export function readCount(name: string, value: string | undefined, most = Infinity): number | undefined {
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
