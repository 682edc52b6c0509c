// Joins what shards have evaluated, if it is of the same plan.
import { t } from '@vscode/l10n';
import type { Blob, JoinedBlobs } from '../../session';
import { joinBlobs } from '../../session';
import { CommandError } from '../command';

/** @param blobs At least one. @throws CommandError when they are of different evaluations */
export function mergeBlobs(blobs: readonly Blob[]): JoinedBlobs {
  const [first, ...others] = blobs;
  if (!first) throw new Error('nothing to merge');
  for (const other of others) checkSame(first, other);
  return joinBlobs(first, others);
}

function checkSame(one: Blob, other: Blob): void {
  if (one.head.plan === other.head.plan) return;
  const plans = new Map(one.head.files.map(({ path, plan }) => [path, plan]));
  const changed = other.head.files.filter(({ path, plan }) => plans.get(path) !== plan);
  const gone = one.head.files.filter(({ path }) => other.head.files.every((each) => each.path !== path));
  const names = [...changed, ...gone].map(({ path }) => path).join(', ');
  throw new CommandError(
    t('{0} and {1} are of different evaluations: {2} differs.', one.path, other.path, names || t('the plan')),
    t('Merge blobs of the same commit, made with the same --lane, --row, --tag and --repeat.'),
  );
}
