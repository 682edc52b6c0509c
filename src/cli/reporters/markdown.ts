// The report as Markdown, as the editor exports it: one part for each playground. Pure.
import { t } from '@vscode/l10n';
import { evaluationToMarkdown, plainLine, toLabel } from '../../inspect';
import type { Report } from '../evaluate/report';
import { describeDone } from '../evaluate/report';

export function toMarkdown({ files, info, reasons }: Report): string {
  const parts = files.map(({ exported }) => evaluationToMarkdown(exported, info).trimEnd());
  const result =
    reasons.length > 0
      ? reasons.map((reason) => `- ${plainLine(toLabel(reason, 2_000))}`)
      : [describeDone(files)];
  return `${[result.join('\n'), ...parts].join('\n\n')}\n`;
}

/** Cuts at the end of a line, and closes a code block that is open there. @param limit In bytes of UTF-8 */
export function cutMarkdown(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text;
  const note = t('Cut here: the report is too large. The whole is in the reports as files.');
  const cut = Buffer.from(text)
    .subarray(0, limit - Buffer.byteLength(note) - 100)
    .toString('utf8');
  const lines = cut.slice(0, cut.lastIndexOf('\n')).split('\n');
  let fence: string | undefined;
  for (const line of lines) {
    const [found] = /^`{3,}/.exec(line) ?? [];
    if (found === undefined) continue;
    if (fence === undefined) fence = found;
    else if (found.length >= fence.length && /^`+\s*$/.test(line)) fence = undefined;
  }
  return [...lines, ...(fence === undefined ? [] : [fence]), '', note, ''].join('\n');
}
