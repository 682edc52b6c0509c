// Says in sentences who is better, whether that is decided, and what makes the numbers doubtful. Pure.
import { t } from '@vscode/l10n';
import type { EvaluationLane, EvaluationWarning, LaneComparison, LaneFlips, Sentence } from '../../types';
import { countOf } from '../count-words';
import { toLabel } from '../visible-text';
import { fillSentence } from './sentence';

/** An evaluation has at most so many rows. */
const MAX_ROWS = 5000;
const MAX_LABEL = 60;
const MAX_MODELS = 3;

/** Such as *qwen3:8b is 12 points better than hermes-text (20 rows, p = 0.06): not decided; about 37 rows would decide.* */
export function describeComparison(comparison: LaneComparison, lanes: readonly EvaluationLane[]): Sentence {
  const { laneId, otherId, rows, difference } = comparison;
  const [lane, other] = [labelOf(laneId, lanes), labelOf(otherId, lanes)];
  if (difference === undefined)
    return fillSentence(t('**{0}** and {1} have no row in common with a verdict in both.'), lane, other);
  if (comparison.p === undefined)
    return fillSentence(
      t('**{0}** and {1} have only {2} in common: too few rows to compare; 6 are needed.'),
      lane,
      other,
      countRows(rows),
    );
  const values = [lane, other, basisOf(comparison), decisionOf(comparison)] as const;
  if (isNone(difference)) return fillSentence(t('**{0}** and {1} pass equally often ({2}): {3}.'), ...values);
  return difference > 0
    ? fillSentence(t('**{0}** is {4} better than {1} ({2}): {3}.'), ...values, pointsOf(difference))
    : fillSentence(t('**{0}** is {4} worse than {1} ({2}): {3}.'), ...values, pointsOf(difference));
}

/** Such as *hermes-text is 9 points better than before (20 rows, p = 0.049): decided; 3 rows fixed, 1 broken.* */
export function describeFlips(flips: LaneFlips, lanes: readonly EvaluationLane[]): Sentence {
  const { laneId, comparison, lostVerdict } = flips;
  const lane = labelOf(laneId, lanes);
  const rows = describeRows(flips);
  const lost = lostVerdict.length;
  const change =
    lost === 0
      ? rows
      : `${rows}; ${countOf(lost, t('{0} row has no verdict now'), t('{0} rows have no verdict now'))}`;
  if (!comparison) return fillSentence(t('**{0}** so far: {1}.'), lane, change);
  const { difference } = comparison;
  if (difference === undefined)
    return fillSentence(t('**{0}** has no row in common with the baseline with a verdict in both.'), lane);
  if (comparison.p === undefined)
    return fillSentence(
      t('**{0}** has only {1} in common with the baseline: too few rows to compare; 6 are needed. {2}.'),
      lane,
      countRows(comparison.rows),
      toSentenceStart(change),
    );
  const values = [lane, change, basisOf(comparison), decisionOf(comparison)] as const;
  if (isNone(difference))
    return flips.fixed.length + flips.broken.length === 0
      ? fillSentence(t('**{0}** is as before: {1}.'), lane, change)
      : fillSentence(t('**{0}** passes as often as before ({2}): {3}; {1}.'), ...values);
  return difference > 0
    ? fillSentence(t('**{0}** is {4} better than before ({2}): {3}; {1}.'), ...values, pointsOf(difference))
    : fillSentence(t('**{0}** is {4} worse than before ({2}): {3}; {1}.'), ...values, pointsOf(difference));
}

/** What a tooltip says about the p of a comparison. @param comparisons Number of lanes that are compared */
export function describeTest({ test, p, rawP }: LaneComparison, comparisons: number): string {
  if (p === undefined || rawP === undefined) return '';
  const name =
    test === 'fisher'
      ? t("Fisher's exact test on the samples of the row, {0}", printP(rawP))
      : t('Exact sign-flip test on the rows that both have, {0}', printP(rawP));
  return comparisons > 1
    ? t("{0}. Adjusted for {1} comparisons by Holm's method: {2}.", name, comparisons, printP(p))
    : `${name}.`;
}

/** @param chance Of the gate of a case in all cases, 0 to 1, if the present rates are the true ones */
export const describeGateChance = (chance: number): string =>
  t('With these rates this gate is green in {0} of runs.', printChance(chance));

export interface DescribedWarning {
  severity: 'warning' | 'info';
  sentence: Sentence;
}

export function describeWarning(
  warning: EvaluationWarning,
  lanes: readonly EvaluationLane[],
): DescribedWarning {
  return {
    severity: warning.kind === 'cache' || warning.kind === 'wide' ? 'info' : 'warning',
    sentence: sentenceOf(warning, lanes),
  };
}

function sentenceOf(warning: EvaluationWarning, lanes: readonly EvaluationLane[]): Sentence {
  switch (warning.kind) {
    case 'seed':
      return describeSeed(warning, lanes);
    case 'rows':
      return fillSentence(
        warning.of === 1 || warning.common === 1
          ? t('{0} of {1} has a verdict in every lane; two lanes are compared on the rows that both have.')
          : t('{0} of {1} have a verdict in every lane; two lanes are compared on the rows that both have.'),
        warning.common,
        countRows(warning.of),
      );
    case 'wide':
      return describeWide(warning, lanes);
    case 'identical':
      return describeIdentical(warning, lanes);
    case 'cache':
      return describeCache(warning, labelOf(warning.laneId, lanes));
    case 'model':
      return describeModels(warning.models, labelOf(warning.laneId, lanes));
    case 'no-expectation':
      return fillSentence(
        warning.samples === 1
          ? t('{0}: no expectation holds for {1} of {2}, so it passed. Check `lanes` and `when` in `expect`.')
          : t(
              '{0}: no expectation holds for {1} of {2}, so they passed. Check `lanes` and `when` in `expect`.',
            ),
        labelOf(warning.laneId, lanes),
        warning.samples,
        countSamples(warning.of),
      );
    case 'requeued':
    case 'no-verdict':
      return fillSentence(
        warning.samples === 1 ? ofOneSample(warning.kind) : ofSamples(warning.kind),
        labelOf(warning.laneId, lanes),
        warning.samples,
        countSamples(warning.of),
      );
  }
}

const ofOneSample = (kind: 'requeued' | 'no-verdict'): string =>
  kind === 'requeued'
    ? t('{0}: {1} of {2} was sent again, because it had no verdict at first.')
    : t('{0}: {1} of {2} has no verdict, so its rate is less certain than it looks.');

const ofSamples = (kind: 'requeued' | 'no-verdict'): string =>
  kind === 'requeued'
    ? t('{0}: {1} of {2} were sent again, because they had no verdict at first.')
    : t('{0}: {1} of {2} have no verdict, so its rate is less certain than it looks.');

type WarningOf<Kind extends EvaluationWarning['kind']> = Extract<EvaluationWarning, { kind: Kind }>;

function describeSeed({ seed, laneIds }: WarningOf<'seed'>, lanes: readonly EvaluationLane[]): Sentence {
  const [only] = laneIds;
  return laneIds.length === 1 && only !== undefined
    ? fillSentence(t('Seed {0} is set in {1}, so repeats may not differ.'), seed, labelOf(only, lanes))
    : fillSentence(t('Seed {0} is set in {1} lanes, so repeats may not differ.'), seed, laneIds.length);
}

/** Such as *Rates known only roughly: hermes-text ± 25 points. About 96 rows, now 12, would make that ± 10 points.* */
function describeWide(
  { lanes: wide, rows, neededRows }: WarningOf<'wide'>,
  lanes: readonly EvaluationLane[],
): Sentence {
  const named = wide
    .slice(0, MAX_MODELS)
    .map(({ laneId, reach }) => t('{0} ± {1} points', labelOf(laneId, lanes), Math.round(reach * 100)));
  const rest = wide.length - named.length;
  const list = [...named, ...(rest > 0 ? [t('{0} more lanes', rest)] : [])].join(', ');
  return neededRows > MAX_ROWS
    ? fillSentence(t('Rates that are known only roughly: {0}.'), list)
    : fillSentence(
        t('Rates that are known only roughly: {0}. About {1} rows, now {2}, would make that ± 10 points.'),
        list,
        neededRows,
        rows,
      );
}

function describeIdentical(
  { laneId, rowIds, replies }: WarningOf<'identical'>,
  lanes: readonly EvaluationLane[],
): Sentence {
  const lane = lanes.find(({ id }) => id === laneId);
  const setting = lane?.temperature === 0 ? t('temperature 0') : t('seed {0}', lane?.seed ?? '');
  const values = [labelOf(laneId, lanes), countRows(rowIds.length), setting, replies ?? ''] as const;
  return replies === undefined
    ? fillSentence(t('{0}: all replies are identical in {1} ({2}); repeats show nothing there.'), ...values)
    : fillSentence(
        t('{0}: all {3} replies are identical in {1} ({2}); repeats show nothing there.'),
        ...values,
      );
}

function describeCache({ samples, header }: WarningOf<'cache'>, lane: string): Sentence {
  if (header !== undefined)
    return fillSentence(
      samples === 1
        ? t('{0}: {1} reply came from a cache (`{2}`) and is no new sample.')
        : t('{0}: {1} replies came from a cache (`{2}`) and are no new samples.'),
      lane,
      samples,
      toLabel(header, MAX_LABEL),
    );
  return fillSentence(
    samples === 1
      ? t(
          '{0}: {1} reply equals an earlier one and came at once or without tokens: probably from a cache, and no new sample.',
        )
      : t(
          '{0}: {1} replies equal earlier ones and came at once or without tokens: probably from a cache, and no new samples.',
        ),
    lane,
    samples,
  );
}

function describeModels(models: readonly string[], lane: string): Sentence {
  const named = models.slice(0, MAX_MODELS).map((model) => fillSentence('`{0}`', toLabel(model, MAX_LABEL)));
  const rest = models.length - named.length;
  const list = named.flatMap((model, index) => (index === 0 ? model : [{ text: ', ' }, ...model]));
  return fillSentence(
    rest > 0
      ? t('{0}: its replies come from {1} models ({2} and {3} more), so its numbers are not of one model.')
      : t('{0}: its replies come from {1} models ({2}), so its numbers are not of one model.'),
    lane,
    models.length,
    list,
    rest,
  );
}

const labelOf = (laneId: string, lanes: readonly EvaluationLane[]): string =>
  toLabel(lanes.find(({ id }) => id === laneId)?.label ?? laneId, MAX_LABEL);

const countRows = (count: number): string => countOf(count, t('{0} row'), t('{0} rows'));
const countSamples = (count: number): string => countOf(count, t('{0} sample'), t('{0} samples'));

/** Differences of rates are sums of rounded numbers. */
const isNone = (difference: number): boolean => Math.abs(difference) < 1e-9;

function pointsOf(difference: number): string {
  const points = Math.round(Math.abs(difference) * 100);
  return points === 0 ? t('less than 1 point') : countOf(points, t('{0} point'), t('{0} points'));
}

/** Such as `20 rows, p = 0.06`. */
const basisOf = ({ rows, p = 1 }: LaneComparison): string => `${countRows(rows)}, ${printP(p)}`;

function decisionOf({ isDecided, test, neededRows, neededSamples }: LaneComparison): Sentence {
  if (isDecided)
    return fillSentence(test === 'fisher' ? t('**decided**, for this row alone') : t('**decided**'));
  if (neededSamples !== undefined)
    return fillSentence(t('**not decided**; about {0} samples in each lane would decide'), neededSamples);
  if (neededRows === undefined) return fillSentence(t('**not decided**'));
  return neededRows > MAX_ROWS
    ? fillSentence(t('**not decided**; more than {0} rows would be needed'), MAX_ROWS)
    : fillSentence(t('**not decided**; about {0} rows would decide'), neededRows);
}

/** Such as `3 rows fixed, 1 broken`. */
function describeRows({ fixed, broken }: LaneFlips): string {
  const [better, worse] = [fixed.length, broken.length];
  const first = better === 0 ? t('no row fixed') : countOf(better, t('{0} row fixed'), t('{0} rows fixed'));
  return `${first}, ${worse === 0 ? t('none broken') : t('{0} broken', worse)}`;
}

const toSentenceStart = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Two digits, or as many as show on which side of 0.05 it is, as that decides: `p = 0.06`, `p = 0.049`.
 * @param p 0 to 1
 */
function printP(p: number): string {
  if (p < 0.001) return t('p < 0.001');
  if (p > 0.995) return t('p = 1');
  let digits = p < 0.01 ? 3 : 2;
  while (Number(p.toFixed(digits)) < 0.05 !== p < 0.05) digits += 1;
  return t('p = {0}', p.toFixed(digits));
}

/** Such as `17 %`; never 0 or 100 % of what is possible. */
function printChance(chance: number): string {
  if (chance > 0 && chance < 0.005) return t('less than {0} %', 1);
  if (chance < 1 && chance >= 0.995) return t('more than {0} %', 99);
  return t('{0} %', Math.round(chance * 100));
}
