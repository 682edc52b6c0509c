// Groups the samples of each case that did not pass by what was wrong, because repeats often fail alike. Pure.
import type { JudgedSample } from '../../../types';

export interface MessageGroup {
  verdict: 'failed' | 'no-verdict';
  /** '' when nothing is known. */
  message: string;
  samples: number;
}

export type CaseMessages = (key: { rowId: string; laneId: string }) => readonly MessageGroup[];

/** @returns the groups of a case: those that failed before those without a verdict, the largest first */
export function groupMessages(samples: Iterable<JudgedSample>): CaseMessages {
  const cases = new Map<string, Map<string, MessageGroup>>();
  for (const sample of samples) {
    const { verdict, message = '' } = sample;
    if (verdict !== 'failed' && verdict !== 'no-verdict') continue;
    const groups = cases.get(keyOf(sample)) ?? new Map<string, MessageGroup>();
    cases.set(keyOf(sample), groups);
    const group = groups.get(verdict + message) ?? { verdict, message, samples: 0 };
    group.samples += 1;
    groups.set(verdict + message, group);
  }
  return (key) => [...(cases.get(keyOf(key))?.values() ?? [])].toSorted(compare);
}

const keyOf = ({ rowId, laneId }: { rowId: string; laneId: string }): string =>
  JSON.stringify([rowId, laneId]);

const compare = (one: MessageGroup, other: MessageGroup): number =>
  one.verdict === other.verdict ? other.samples - one.samples : one.verdict === 'failed' ? -1 : 1;
