// Joins what shards have evaluated, if it is of the same plan.
import { t } from '@vscode/l10n';
import { isDeepStrictEqual } from 'node:util';
import { toLabel } from '../../inspect';
import type { Blob, JoinedBlobs } from '../../session';
import { joinBlobs } from '../../session';
import { CommandError } from '../command';

const MAX_WORDS = 200;

/** @param blobs At least one. @throws CommandError when they are of different evaluations */
export function mergeBlobs(blobs: readonly Blob[]): JoinedBlobs {
  const [first, ...others] = blobs;
  if (!first) throw new Error('nothing to merge');
  for (const other of others) checkSame(first, other);
  return joinBlobs(first, others);
}

function checkSame(one: Blob, other: Blob): void {
  if (one.head.plan === other.head.plan) return;
  throw new CommandError(
    t('{0} and {1} are of different evaluations.', one.path, other.path),
    t('Merge blobs of the same commit, made with the same --lane, --row, --tag and --repeat.'),
    [...findChoices(one, other), ...findFiles(one, other)].join(' '),
  );
}

/** What was chosen differently on the command lines, in sentences. */
function findChoices(one: Blob, other: Blob): string[] {
  const [choice, otherChoice] = [one, other].map(({ head }) => head.choice as Record<string, unknown>);
  const options = new Set([choice, otherChoice].flatMap((each) => Object.keys(each ?? {})));
  return [...options].flatMap((option) => {
    const [words, otherWords] = [toWords(option, choice?.[option]), toWords(option, otherChoice?.[option])];
    return words === otherWords
      ? []
      : [t('{0} was made with {1}, {2} with {3}.', one.path, words, other.path, otherWords)];
  });
}

/** As it was written, such as `--lane a,b`. */
function toWords(option: string, value: unknown): string {
  const values = value === undefined ? [] : [value].flat();
  if (values.length === 0) return t('no --{0}', option);
  return toLabel(
    values.map((each) => `--${option} ${typeof each === 'string' ? each : JSON.stringify(each)}`).join(' '),
    MAX_WORDS,
  );
}

/** What of the playgrounds differs, in sentences. */
function findFiles(one: Blob, other: Blob): string[] {
  const [files, otherFiles] = [one, other].map(
    ({ head }) => new Map(head.files.map((file) => [file.path, file])),
  );
  const paths = new Set([one, other].flatMap(({ head }) => head.files.map(({ path }) => path)));
  return [...paths].flatMap((path) => {
    const [file, otherFile] = [files?.get(path), otherFiles?.get(path)];
    const name = toLabel(path, MAX_WORDS);
    if (!file || !otherFile) return [t('{0} has no {1}.', (file ? other : one).path, name)];
    if (file.plan === otherFile.plan) return [];
    if (file.sha256 !== otherFile.sha256) return [t('{0} is not the same.', name)];
    // What was chosen is named already.
    if (isDeepStrictEqual(one.head.choice, other.head.choice))
      return [t('{0} is the same, and its rows file, its tools or its connections are not.', name)];
    return [];
  });
}
