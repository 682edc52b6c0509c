// Exports an evaluation as Markdown, as a self-contained HTML page, and as JSON. Pure.
import type { Sentence } from '../../../types';
import { describeComparison, describeFlips, describeWarning } from '../../evaluation/describe-evaluation';
import { describeDepartures } from '../../evaluation/lane-departures';
import { drawDocument, printDocument } from '../export-document';
import type { ExportInfo } from '../exported-run';
import { groupMessages } from './case-messages';
import { toDocument } from './evaluation-document';
import type { ExportedEvaluation } from './exported-evaluation';

export { toCsv as evaluationToCsv } from './evaluation-csv';

export const evaluationToMarkdown = (evaluation: ExportedEvaluation, info: ExportInfo): string =>
  printDocument(toDocument(evaluation, info));

/** @param language Of the page's own texts, as a tag such as `de`. */
export const evaluationToHtml = (
  evaluation: ExportedEvaluation,
  info: ExportInfo,
  language: string,
): string => drawDocument(toDocument(evaluation, info), language);

/**
 * Every number with what it was computed from: the counts of each case, and those of each lane. Keys are those of
 * `EvaluationSummary`; unknown amounts are absent. Each case is one line, because there may be 100,000.
 */
export function evaluationToJson(evaluation: ExportedEvaluation, info: ExportInfo): string {
  const { lanes, rows, summary, samples, ...about } = evaluation;
  const { cases, lanes: summaries, comparisons, flips, departures, warnings, ...counts } = summary;
  const head = {
    kind: 'evaluation',
    format: 1,
    ...info,
    ...about,
    ...counts,
    lanes: summaries.map((lane) => ({ ...lanes.find(({ id }) => id === lane.laneId), ...lane })),
    comparisons: comparisons.map((one) => ({ ...one, sentence: textOf(describeComparison(one, lanes)) })),
    flips: flips?.map((one) => ({ ...one, sentence: textOf(describeFlips(one, lanes)) })),
    departures: departures?.map((one) => ({ ...one, sentence: textOf(describeDepartures(one, lanes)) })),
    warnings: warnings.map((one) => ({ ...one, sentence: textOf(describeWarning(one, lanes).sentence) })),
  };
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const messages = groupMessages(samples);
  const lines = cases.map((one) => {
    const { rowId, ...more } = one;
    return JSON.stringify({ rowId, rowName: names.get(rowId), ...more, messages: messages(one) });
  });
  const list = lines.length > 0 ? `[\n    ${lines.join(',\n    ')}\n  ]` : '[]';
  return `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "cases": ${list}\n}\n`;
}

const textOf = (sentence: Sentence): string => sentence.map(({ text }) => text).join('');
