// Explains a stored run to whoever asks why it went as it did: what was sent, what came, the findings and what rescue read, within a
// limit. Pure.
import { t } from '@vscode/l10n';
import { describeRescue } from '../describe-rescue';
import { cutInside } from './cut-inside';
import type { ExportPart } from './export-document';
import { printParts } from './export-document';
import type { ExportedRun } from './exported-run';
import { exportParts } from './export-parts';
import { plainLine } from './markdown';

/** The share of the limit that one text may take: the request must not push out what came back. */
const TEXT_SHARE = 6;

/**
 * @param most About the length of the result in UTF-16 code units: long texts lose their middle, and parts that do not fit are named.
 * @returns Markdown in which foreign text is never markup
 */
export function explainRun(run: ExportedRun, most: number): string {
  const parts = exportParts(run);
  const after = parts.findLastIndex(({ kind }) => kind === 'list' || kind === 'facts') + 1;
  const printed: string[] = [];
  const leftOut: string[] = [];
  let room = most;
  for (const part of parts.toSpliced(after, 0, ...rescueParts(run))) {
    const text = printParts([cut(part, Math.floor(most / TEXT_SHARE))]);
    if (text.length > room) leftOut.push('title' in part ? (part.title ?? '') : part.kind);
    else printed.push(text);
    room -= text.length > room ? 0 : text.length;
  }
  const names = plainLine(leftOut.join(', '));
  const note = leftOut.length > 0 ? [t('Left out, because there is no room for it here: {0}.', names)] : [];
  return [...printed, ...note].join('\n\n');
}

const cut = (part: ExportPart, most: number): ExportPart =>
  part.kind === 'text' ? { ...part, text: cutInside(part.text, most), isLong: false } : part;

function rescueParts({ rescue, raw }: ExportedRun): ExportPart[] {
  if (!rescue || rescue.calls.length + rescue.rejected.length === 0) return [];
  const text = describeRescue(rescue, raw?.content ?? '');
  return [{ kind: 'text', title: t('What rescue read'), text, language: 'text', isLong: false }];
}
