// Verdicts as they are stored beside the samples of an evaluation, so that opening it judges only what is judged otherwise by now.
// They are found by what they depend on, so an outdated one is never used. Pure.
import { t } from '@vscode/l10n';
import { isRecord } from '../../library';
import type { CallDeparture } from '../../types';
import type { Judged } from './judge-entry';
import type { SampleEntry } from './sample-entry';
import { printOf } from './setting';

/** The samples of one case, in any order that stays. */
export interface JudgedCase {
  /** Of the setting: equal when the same is expected. */
  judgeKey: string;
  samples: readonly { entry: SampleEntry; judged: Judged }[];
}

/**
 * Each different verdict once, because most are alike and reading many values takes long: a case has the indices of its
 * verdicts, separated by spaces.
 */
export interface StoredVerdicts {
  kinds: readonly Judged[];
  cases: Readonly<Record<string, string>>;
}

export function toStoredVerdicts(cases: Iterable<JudgedCase>): StoredVerdicts {
  const kinds = new Map<string, { index: number; kind: Judged }>();
  const indexOf = ({ verdict, message, reason, outcome, departure, hasExpectations }: Judged): number => {
    const kind = { verdict, message, reason, outcome, departure, hasExpectations };
    const text = JSON.stringify(kind);
    const known = kinds.get(text) ?? { index: kinds.size, kind };
    kinds.set(text, known);
    return known.index;
  };
  const entries = Array.from(cases, ({ judgeKey, samples }): [string, string] => [
    caseKey(
      judgeKey,
      samples.map(({ entry }) => entry),
    ),
    samples.map(({ judged }) => indexOf(judged)).join(' '),
  ]);
  return { kinds: Array.from(kinds.values(), ({ kind }) => kind), cases: Object.fromEntries(entries) };
}

/**
 * @param stored What was read, which anybody may have changed.
 * @returns the verdicts of these samples of one case, in their order; undefined when they have to be judged
 */
export function findVerdicts(
  stored: unknown,
  judgeKey: string,
  entries: readonly SampleEntry[],
): readonly Judged[] | undefined {
  if (!isRecord(stored) || !isRecord(stored.cases) || !Array.isArray(stored.kinds)) return undefined;
  const key = caseKey(judgeKey, entries);
  const text = Object.hasOwn(stored.cases, key) ? stored.cases[key] : undefined;
  if (typeof text !== 'string') return undefined;
  const found = text.split(' ').map((index) => (stored.kinds as unknown[])[Number(index)]);
  return found.length === entries.length && found.every(isJudged) ? found : undefined;
}

const VERDICTS: readonly unknown[] = ['passed', 'failed', 'no-verdict'] satisfies Judged['verdict'][];

function isJudged(value: unknown): value is Judged {
  if (!isRecord(value)) return false;
  const texts = [value.message, value.reason, value.outcome];
  return (
    VERDICTS.includes(value.verdict) &&
    texts.every((text) => ['string', 'undefined'].includes(typeof text)) &&
    ['boolean', 'undefined'].includes(typeof value.hasExpectations) &&
    (value.departure === undefined || isDeparture(value.departure))
  );
}

const DEPARTURES: readonly unknown[] = [
  'no-call',
  'call',
  'other-tool',
  'other-count',
  'other-arguments',
] satisfies CallDeparture['kind'][];

const isDeparture = (value: unknown): boolean =>
  isRecord(value) &&
  DEPARTURES.includes(value.kind) &&
  typeof value.expected === 'string' &&
  typeof value.made === 'string';

/** Everything that verdicts depend on: the judging program, the language of its messages, what is expected, and what came. */
function caseKey(judgeKey: string, entries: readonly SampleEntry[]): string {
  let text = `${process.env.EXTENSION_VERSION}\n${t('No call was made.')}\n${judgeKey}`;
  for (const { laneId, repeat, at, runIds } of entries)
    text += `\n${laneId} ${repeat} ${at} ${runIds.join(' ')}`;
  return printOf(text).slice(0, 32);
}
