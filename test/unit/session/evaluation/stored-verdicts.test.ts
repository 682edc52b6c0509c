import { describe, expect, it } from 'vitest';
import type { Judged } from '../../../../src/session/evaluation/judge-entry';
import type { SampleEntry } from '../../../../src/session/evaluation/sample-entry';
import { findVerdicts, toStoredVerdicts } from '../../../../src/session/evaluation/stored-verdicts';

const entryOf = (repeat: number, change: Partial<SampleEntry> = {}): SampleEntry => ({
  key: 'k',
  rowId: 'oslo',
  laneId: 'a',
  repeat,
  at: 1_000 + repeat,
  outcome: { reason: 'time', message: '' },
  runsIn: 'e',
  runIds: [`run-${repeat}`],
  ...change,
});
const PASSED: Judged = { verdict: 'passed', outcome: 'native' };
const FAILED: Judged = {
  verdict: 'failed',
  outcome: 'none',
  message: 'No call was made.',
  departure: { kind: 'no-call', expected: 'get_weather', made: '' },
};
const ENTRIES = [1, 2, 3].map((repeat) => entryOf(repeat));
const JUDGED = [PASSED, FAILED, PASSED];

/** As it comes back from the store. */
const stored = (): unknown =>
  JSON.parse(
    JSON.stringify(
      toStoredVerdicts([
        {
          judgeKey: 'expected',
          samples: ENTRIES.map((entry, index) => ({ entry, judged: JUDGED[index] ?? PASSED })),
        },
      ]),
    ),
  );

describe('findVerdicts', () => {
  it('finds the verdicts of a case, each with its message', () => {
    expect(findVerdicts(stored(), 'expected', ENTRIES)).toEqual(JUDGED);
    expect(stored()).toMatchObject({ kinds: { length: 2 } });
  });

  it.each<[string, string, SampleEntry[]]>([
    ['something else is expected', 'other', ENTRIES],
    ['a sample came', 'expected', [...ENTRIES, entryOf(4)]],
    ['a sample is missing', 'expected', ENTRIES.slice(1)],
    ['a sample was sent again', 'expected', [entryOf(1, { runIds: ['new'] }), ...ENTRIES.slice(1)]],
    ['they are those of another lane', 'expected', ENTRIES.map((entry) => ({ ...entry, laneId: 'b' }))],
  ])('finds none when %s', (_title, judgeKey, entries) => {
    expect(findVerdicts(stored(), judgeKey, entries)).toBeUndefined();
  });

  it.each<[string, (value: { kinds: unknown[]; cases: Record<string, unknown> }) => unknown]>([
    ['nothing', () => undefined],
    ['no list of verdicts', ({ cases }) => ({ cases, kinds: {} })],
    ['fewer verdicts', ({ cases, kinds }) => ({ cases, kinds: kinds.slice(1) })],
    ['other verdicts', ({ cases, kinds }) => ({ cases, kinds: kinds.map(() => ({ verdict: 'perfect' })) })],
    [
      'other cases',
      ({ cases, kinds }) => ({ kinds, cases: Object.fromEntries(Object.keys(cases).map((key) => [key, 7])) }),
    ],
    [
      'too few samples',
      ({ cases, kinds }) => ({
        kinds,
        cases: Object.fromEntries(Object.keys(cases).map((key) => [key, '0'])),
      }),
    ],
  ])('finds none in what is not as it was stored: %s', (_title, damage) => {
    const damaged = damage(stored() as { kinds: unknown[]; cases: Record<string, unknown> });
    expect(findVerdicts(damaged, 'expected', ENTRIES)).toBeUndefined();
  });
});
