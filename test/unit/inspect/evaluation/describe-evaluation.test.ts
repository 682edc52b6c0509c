import { describe, expect, test } from 'vitest';
import {
  describeComparison,
  describeFlips,
  describeGateChance,
  describeTest,
  describeWarning,
  summarizeEvaluation,
} from '../../../../src/inspect';
import type { EvaluationWarning, LaneComparison, LaneFlips, Sentence } from '../../../../src/types';
import { drawn, drawnBaseline, drawnSamples, laneOf } from '../../../support/evaluation/samples';

/** With the marks of Markdown. */
const marked = (sentence: Sentence): string =>
  sentence
    .map(({ text, mark }) => (mark === 'strong' ? `**${text}**` : mark === 'code' ? `\`${text}\`` : text))
    .join('');
const lanes = [laneOf('a', { label: 'qwen3:8b' }), laneOf('b', { label: 'hermes-text' })];
const comparisonOf = (more: Partial<LaneComparison>): LaneComparison => ({
  laneId: 'a',
  otherId: 'b',
  rows: 20,
  difference: 0.12,
  test: 'sign-flip',
  p: 0.06,
  rawP: 0.06,
  isDecided: false,
  ...more,
});
const compared = (more: Partial<LaneComparison>): string =>
  marked(describeComparison(comparisonOf(more), lanes));
const flipsOf = (more: Partial<LaneFlips>): string => {
  const flips = { laneId: 'a', bothPass: 0, fixed: [], broken: [], bothFail: 0, lostVerdict: [], ...more };
  return marked(describeFlips(flips, lanes));
};
const summary = summarizeEvaluation({ ...drawn, baseline: drawnBaseline }, drawnSamples, { isEnded: true });

describe('describeComparison', () => {
  test('says of the evaluation that is drawn what is drawn', () => {
    expect(summary.comparisons.map((one) => marked(describeComparison(one, drawn.lanes)))).toEqual([
      '**qwen3:8b** is 12 points better than hermes-text (20 rows, p = 0.06): **not decided**; about 37 rows would decide.',
      '**gpt-4o-mini** is 29 points better than hermes-text (20 rows, p = 0.001): **decided**.',
    ]);
  });

  test.each<[Partial<LaneComparison>, string]>([
    [
      { difference: -0.012, neededRows: 21 },
      '**qwen3:8b** is 1 point worse than hermes-text (20 rows, p = 0.06): **not decided**; about 21 rows would decide.',
    ],
    [
      { difference: 0.002, p: 0.7, neededRows: 8000 },
      '**qwen3:8b** is less than 1 point better than hermes-text (20 rows, p = 0.70): **not decided**; more than 5000 rows would be needed.',
    ],
    [
      { difference: 0, p: 1 },
      '**qwen3:8b** and hermes-text pass equally often (20 rows, p = 1): **not decided**.',
    ],
    [
      { rows: 1, test: 'fisher', difference: 0.4, p: 0.14, neededSamples: 20 },
      '**qwen3:8b** is 40 points better than hermes-text (1 row, p = 0.14): **not decided**; about 20 samples in each lane would decide.',
    ],
    [
      { rows: 1, test: 'fisher', difference: 0.5, p: 0.0325, isDecided: true },
      '**qwen3:8b** is 50 points better than hermes-text (1 row, p = 0.03): **decided**, for this row alone.',
    ],
    [
      { rows: 5, test: undefined, p: undefined },
      '**qwen3:8b** and hermes-text have only 5 rows in common: too few rows to compare; 6 are needed.',
    ],
    [
      { rows: 0, test: undefined, p: undefined, difference: undefined },
      '**qwen3:8b** and hermes-text have no row in common with a verdict in both.',
    ],
  ])('%j', (more, sentence) => {
    expect(compared(more)).toBe(sentence);
  });

  test.each([
    [0.0003, 'p < 0.001'],
    [0.001, 'p = 0.001'],
    [0.0064, 'p = 0.006'],
    [0.03125, 'p = 0.03'],
    [0.049, 'p = 0.049'],
    [0.0496, 'p = 0.0496'],
    [0.05, 'p = 0.05'],
    [0.0502, 'p = 0.05'],
    [0.0625, 'p = 0.06'],
    [0.626953, 'p = 0.63'],
    [0.999, 'p = 1'],
  ])('shows p with the digits that matter: %d', (p, shown) => {
    expect(compared({ p, isDecided: p < 0.05 })).toContain(`(20 rows, ${shown})`);
  });

  test('shows long and strange labels as bounded text', () => {
    const strange = [laneOf('a', { label: `**x**\u202E${'y'.repeat(500)}` }), laneOf('b')];
    const [name] = describeComparison(comparisonOf({}), strange);
    expect(name?.mark).toBe('strong');
    expect(name?.text.startsWith(String.raw`**x**\u{202e}yyy`)).toBe(true);
    expect(name?.text.length).toBeLessThan(80);
  });
});

describe('describeFlips', () => {
  test('says what changed against the baseline that is drawn', () => {
    expect(summary.flips?.map((one) => marked(describeFlips(one, drawn.lanes)))).toEqual([
      '**hermes-text** is 9 points better than before (20 rows, p = 0.15): **not decided**; about 32 rows would decide; 3 rows fixed, 1 broken.',
      '**qwen3:8b** is 2 points better than before (20 rows, p = 1): **not decided**; about 281 rows would decide; 1 row fixed, 3 broken.',
      '**gpt-4o-mini** is as before: no row fixed, none broken.',
    ]);
  });

  test.each<[Partial<LaneFlips>, string]>([
    [
      { comparison: comparisonOf({ difference: -0.09, p: 0.049, isDecided: true }), broken: ['x', 'y'] },
      '**qwen3:8b** is 9 points worse than before (20 rows, p = 0.049): **decided**; no row fixed, 2 broken.',
    ],
    [
      { comparison: comparisonOf({ difference: 0, p: 1 }), fixed: ['x'], broken: ['y'] },
      '**qwen3:8b** passes as often as before (20 rows, p = 1): **not decided**; 1 row fixed, 1 broken.',
    ],
    [
      { comparison: comparisonOf({ difference: 0, p: 1 }), lostVerdict: ['x'] },
      '**qwen3:8b** is as before: no row fixed, none broken; 1 row has no verdict now.',
    ],
    [
      { comparison: comparisonOf({ rows: 2, p: undefined }), fixed: ['x'], lostVerdict: ['y', 'z'] },
      '**qwen3:8b** has only 2 rows in common with the baseline: too few rows to compare; 6 are needed. 1 row fixed, none broken; 2 rows have no verdict now.',
    ],
    [
      { comparison: comparisonOf({ rows: 0, p: undefined, difference: undefined }) },
      '**qwen3:8b** has no row in common with the baseline with a verdict in both.',
    ],
    [{ broken: ['x'] }, '**qwen3:8b** so far: no row fixed, 1 broken.'],
  ])('%#', (more, sentence) => {
    expect(flipsOf(more)).toBe(sentence);
  });
});

describe('describeTest', () => {
  test('names the test, its p, and what it was adjusted for', () => {
    expect(describeTest(comparisonOf({ rawP: 0.03, p: 0.06 }), 2)).toBe(
      "Exact sign-flip test on the rows that both have, p = 0.03. Adjusted for 2 comparisons by Holm's method: p = 0.06.",
    );
    expect(describeTest(comparisonOf({ test: 'fisher' }), 1)).toBe(
      "Fisher's exact test on the samples of the row, p = 0.06.",
    );
    expect(describeTest(comparisonOf({ p: undefined }), 1)).toBe('');
  });
});

describe('describeGateChance', () => {
  test.each([
    [0.165, '17 %'],
    [0.00004, 'less than 1 %'],
    [0.9999, 'more than 99 %'],
    [1, '100 %'],
    [0, '0 %'],
  ])('%d', (chance, shown) => {
    expect(describeGateChance(chance)).toBe(`With these rates this gate is green in ${shown} of runs.`);
  });
});

describe('describeWarning', () => {
  const [cold, seeded] = [
    laneOf('a', { label: 'hermes-text', temperature: 0 }),
    laneOf('b', { label: 'qwen3:8b', seed: 7 }),
  ];

  test.each<[EvaluationWarning, string]>([
    [
      { kind: 'identical', laneId: 'a', rowIds: ['1', '2', '3', '4', '5', '6'], replies: 10 },
      'hermes-text: all 10 replies are identical in 6 rows (temperature 0); repeats show nothing there.',
    ],
    [
      { kind: 'identical', laneId: 'b', rowIds: ['1'] },
      'qwen3:8b: all replies are identical in 1 row (seed 7); repeats show nothing there.',
    ],
    [
      { kind: 'seed', seed: 7, laneIds: ['a', 'b', 'c'] },
      'Seed 7 is set in 3 lanes, so repeats may not differ.',
    ],
    [{ kind: 'seed', seed: 0, laneIds: ['b'] }, 'Seed 0 is set in qwen3:8b, so repeats may not differ.'],
    [
      { kind: 'cache', laneId: 'a', samples: 4, header: 'cf-aig-cache-status: HIT' },
      'hermes-text: 4 replies came from a cache (`cf-aig-cache-status: HIT`) and are no new samples.',
    ],
    [
      { kind: 'cache', laneId: 'a', samples: 1, header: 'x' },
      'hermes-text: 1 reply came from a cache (`x`) and is no new sample.',
    ],
    [
      { kind: 'cache', laneId: 'a', samples: 2 },
      'hermes-text: 2 replies equal earlier ones and came at once or without tokens: probably from a cache, and no new samples.',
    ],
    [
      { kind: 'model', laneId: 'a', models: ['x', 'y'] },
      'hermes-text: its replies come from 2 models (`x`, `y`), so its numbers are not of one model.',
    ],
    [
      { kind: 'model', laneId: 'a', models: ['v', 'w', 'x', 'y', 'z'] },
      'hermes-text: its replies come from 5 models (`v`, `w`, `x` and 2 more), so its numbers are not of one model.',
    ],
    [
      { kind: 'requeued', laneId: 'a', samples: 12, of: 200 },
      'hermes-text: 12 of 200 samples were sent again, because they had no verdict at first.',
    ],
    [
      { kind: 'no-verdict', laneId: 'a', samples: 12, of: 200 },
      'hermes-text: 12 of 200 samples have no verdict, so its rate is less certain than it looks.',
    ],
    [
      { kind: 'requeued', laneId: 'a', samples: 1, of: 200 },
      'hermes-text: 1 of 200 samples was sent again, because it had no verdict at first.',
    ],
    [
      { kind: 'no-verdict', laneId: 'a', samples: 1, of: 1 },
      'hermes-text: 1 of 1 sample has no verdict, so its rate is less certain than it looks.',
    ],
    [
      { kind: 'rows', common: 0, of: 1 },
      '0 of 1 row has a verdict in every lane; two lanes are compared on the rows that both have.',
    ],
    [
      { kind: 'rows', common: 1, of: 20 },
      '1 of 20 rows has a verdict in every lane; two lanes are compared on the rows that both have.',
    ],
    [
      { kind: 'rows', common: 14, of: 20 },
      '14 of 20 rows have a verdict in every lane; two lanes are compared on the rows that both have.',
    ],
    [
      {
        kind: 'wide',
        rows: 12,
        neededRows: 96,
        lanes: [
          { laneId: 'a', reach: 0.254 },
          { laneId: 'b', reach: 0.12 },
        ],
      },
      'Rates that are known only roughly: hermes-text ± 25 points, qwen3:8b ± 12 points. About 96 rows, now 12, would make that ± 10 points.',
    ],
    [
      { kind: 'wide', rows: 5, neededRows: 6000, lanes: [{ laneId: 'a', reach: 0.4 }] },
      'Rates that are known only roughly: hermes-text ± 40 points.',
    ],
  ])('%#', (warning, sentence) => {
    const described = describeWarning(warning, [cold, seeded]);
    expect(marked(described.sentence)).toBe(sentence);
    expect(described.severity).toBe(['cache', 'wide'].includes(warning.kind) ? 'info' : 'warning');
  });
});
