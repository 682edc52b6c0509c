// Exports runs as Markdown, as a self-contained HTML page, and as JSON. Pure.
import { t } from '@vscode/l10n';
import { toComparison } from './comparison';
import type { ExportedRun, ExportInfo } from './exported-run';
import type { ExportDocument, ExportSection } from './export-document';
import { drawDocument, footOf, printDocument } from './export-document';
import { exportParts } from './export-parts';

export const toMarkdown = (runs: readonly ExportedRun[], info: ExportInfo): string =>
  printDocument(toDocument(runs, info));

/** @param language Of the page's own texts, as a tag such as `de`. */
export const toHtml = (runs: readonly ExportedRun[], info: ExportInfo, language: string): string =>
  drawDocument(toDocument(runs, info), language);

export const toJson = (runs: readonly ExportedRun[], info: ExportInfo): string =>
  `${JSON.stringify({ format: 'provider-playground-runs', version: 1, ...info, runs }, null, 2)}\n`;

function toDocument(runs: readonly ExportedRun[], info: ExportInfo): ExportDocument {
  return {
    title:
      runs.length === 1 ? t('Run of {0}', runs[0]?.model ?? '') : t('Comparison of {0} runs', runs.length),
    head: runs.length > 1 ? toComparison(runs) : [],
    sections: runs.flatMap(sectionsOf),
    foot: footOf(info),
  };
}

/** A section for each step. Runs of one step keep their title. */
const sectionsOf = (run: ExportedRun): ExportSection[] =>
  [...(run.steps ?? []), run].map((step, index) => ({
    title: run.steps ? t('{0}, step {1}', run.title, index + 1) : run.title,
    code: step.model,
    parts: exportParts(step),
  }));
