// What is exported of an evaluation: its lanes as they were set, and what was counted. Pure.
import type { ExportedEvaluation, ExportedLane } from '../../inspect';
import type { EvaluationSummary } from '../../types';
import type { Baseline, EvaluationBook } from './evaluation-book';
import type { EvaluationSetting, LaneSetting } from './setting';

export interface ExportParts {
  title: string;
  book: Pick<EvaluationBook, 'head' | 'judged'>;
  setting: EvaluationSetting;
  summary: EvaluationSummary;
  baseline: Baseline | undefined;
  referenceId: string;
  /** Why it ended before all samples were judged. */
  stopped: string | undefined;
}

export function exportEvaluation(parts: ExportParts): ExportedEvaluation {
  const { title, book, setting, summary, baseline, referenceId, stopped } = parts;
  const { startedAt, durationMs } = book.head;
  const { mode, repeat } = setting.evaluate;
  return {
    title,
    startedAt: toTime(startedAt),
    ...(summary.isEnded && { durationMs }),
    ...(stopped !== undefined && { stopped }),
    mode,
    repeat,
    ...(setting.gates && { gates: setting.gates }),
    referenceId,
    ...(baseline && { baselineAt: toTime(baseline.head.startedAt) }),
    lanes: setting.lanes.map((lane) => toExportedLane(setting, lane)),
    rows: setting.rows,
    summary,
    samples: book.judged(),
  };
}

const toTime = (at: number): string => new Date(at).toISOString();

function toExportedLane(setting: EvaluationSetting, lane: LaneSetting): ExportedLane {
  const isAgent = setting.evaluate.mode === 'agent';
  const { config, connection, model } = lane;
  const { rescueToolCalls, toolChoice, raw, limits } = config;
  return {
    ...setting.describeLane(lane),
    connection: connection.label,
    model,
    settings: {
      ...connection.sampling,
      ...config.sampling,
      rescueToolCalls: rescueToolCalls && connection.isRescueOff !== true,
      toolChoice,
      raw,
      ...(isAgent && { limits }),
    },
  };
}
