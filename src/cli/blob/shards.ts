// Which part of an evaluation a process runs. A unit is a row of a file with all its lanes and repeats, so that what is compared
// stays together. Pure: the same on every machine, whatever the order of files and rows.
import { t } from '@vscode/l10n';
import { createHash } from 'node:crypto';
import type { Shard } from '../../session';
import { CommandError } from '../command';
import type { Terminal } from '../terminal';

interface Unit {
  path: string;
  rowId: string;
}

/**
 * Orders units by hash, which mixes slow and fast ones, and cuts them into contiguous parts whose sizes differ by at most 1. A new
 * unit moves few others.
 */
export function unitsOf(units: readonly Unit[], { index, total }: Shard): Unit[] {
  const sorted = units
    .map((unit) => ({ unit, hash: hashOf(unit) }))
    .toSorted((one, other) => (one.hash < other.hash ? -1 : Number(one.hash > other.hash)));
  const size = Math.floor(sorted.length / total);
  const larger = sorted.length % total;
  const start = size * (index - 1) + Math.min(index - 1, larger);
  return sorted.slice(start, start + size + (index <= larger ? 1 : 0)).map(({ unit }) => unit);
}

const hashOf = ({ path, rowId }: Unit): string =>
  createHash('sha256').update(`${path}\0${rowId}`).digest('hex');

/** Where systems that run many machines say which one this is. `first` is the number of the first. */
const SYSTEMS: readonly {
  index: string;
  total: string;
  first: (environment: Terminal['environment']) => number;
}[] = [
  { index: 'CI_NODE_INDEX', total: 'CI_NODE_TOTAL', first: () => 1 },
  { index: 'BUILDKITE_PARALLEL_JOB', total: 'BUILDKITE_PARALLEL_JOB_COUNT', first: () => 0 },
  { index: 'JOB_COMPLETION_INDEX', total: 'JOB_COMPLETIONS', first: () => 0 },
  {
    index: 'SLURM_ARRAY_TASK_ID',
    total: 'SLURM_ARRAY_TASK_COUNT',
    first: ({ SLURM_ARRAY_TASK_MIN }) => Number(SLURM_ARRAY_TASK_MIN ?? 0),
  },
];

/** @param value `2/4`, `auto`, or `auto/4` where the system does not tell how many there are. @throws CommandError */
export function readShard(value: string, environment: Terminal['environment']): Shard {
  const [, named = '', of] = /^(\d+|auto)(?:\/(\d+))?$/.exec(value) ?? [];
  if (named !== 'auto') return checkShard(value, Number(named), Number(of));
  const system = SYSTEMS.find(({ index }) => environment[index]);
  if (!system)
    throw new CommandError(
      t('--shard auto finds no number of this machine.'),
      t('Set one of {0}, or give --shard 2/4.', SYSTEMS.map(({ index }) => index).join(', ')),
    );
  const total = of ?? environment[system.total];
  if (!total)
    throw new CommandError(
      t('{0} is set, and nothing says how many machines there are.', system.index),
      t('Give it as --shard auto/4, or in {0}.', system.total),
    );
  const index = Number(environment[system.index]) - system.first(environment) + 1;
  return checkShard(`${value} (${index}/${total})`, index, Number(total));
}

function checkShard(value: string, index: number, total: number): Shard {
  if (Number.isSafeInteger(index) && Number.isSafeInteger(total) && index >= 1 && index <= total)
    return { index, total };
  throw new CommandError(
    t('--shard is {0}.', value),
    t('Give the number of the part and of all parts, such as 2/4.'),
  );
}
