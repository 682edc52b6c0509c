// Exports runs as Markdown, as a self-contained HTML page, and as JSON. Text of a model or server is never markup. Pure.
import { t } from '@vscode/l10n';
import { toComparison } from './comparison';
import type { ExportedRun, ExportInfo } from './exported-run';
import type { ExportPart } from './export-parts';
import { exportParts } from './export-parts';
import { codeSpan, fence, oneLine, plainLine } from './markdown';

export function toMarkdown(runs: readonly ExportedRun[], info: ExportInfo): string {
  const lines = [`# ${plainLine(titleOf(runs))}`, '', summaryOf(runs).map(printPart).join('\n\n')];
  for (const { title, run } of sectionsOf(runs)) {
    lines.push('', `## ${plainLine(`${title}: ${run.model}`)}`, '');
    lines.push(exportParts(run).map(printPart).join('\n\n'));
  }
  return [...lines, '', '---', plainLine(footOf(info)), ''].join('\n');
}

/**
 * Without scripts, links and external resources, so that the page opens without a network.
 * @param language Of the page's own texts, as a tag such as `de`; screen readers pronounce them by it.
 */
export function toHtml(runs: readonly ExportedRun[], info: ExportInfo, language: string): string {
  const body = sectionsOf(runs).map(
    ({ title, run }) =>
      `<section>\n<h2>${escape(title)}: <code>${escape(run.model)}</code></h2>\n${exportParts(run).map(drawPart).join('\n')}\n</section>`,
  );
  return `<!doctype html>
<html lang="${escape(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(titleOf(runs))}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escape(titleOf(runs))}</h1>
${summaryOf(runs).map(drawPart).join('\n')}
${body.join('\n')}
<footer>${escape(footOf(info))}</footer>
</body>
</html>
`;
}

export const toJson = (runs: readonly ExportedRun[], info: ExportInfo): string =>
  `${JSON.stringify({ format: 'provider-playground-runs', version: 1, ...info, runs }, null, 2)}\n`;

const titleOf = (runs: readonly ExportedRun[]): string =>
  runs.length === 1 ? t('Run of {0}', runs[0]?.model ?? '') : t('Comparison of {0} runs', runs.length);

const footOf = ({ madeBy, madeAt }: ExportInfo): string =>
  t('Made by {0}, {1}. Keys are masked.', madeBy, madeAt);

const summaryOf = (runs: readonly ExportedRun[]): ExportPart[] => (runs.length > 1 ? toComparison(runs) : []);

/** Every step of every run. Runs of one step keep their title. */
const sectionsOf = (runs: readonly ExportedRun[]): { title: string; run: ExportedRun }[] =>
  runs.flatMap((run) =>
    run.steps
      ? [...run.steps, run].map((step, index) => ({
          title: t('{0}, step {1}', run.title, index + 1),
          run: step,
        }))
      : [{ title: run.title, run }],
  );

function printPart(part: ExportPart): string {
  switch (part.kind) {
    case 'facts':
      return part.rows.map(([name, value]) => `- ${name}: ${codeSpan(value)}`).join('\n');
    case 'list':
      return `### ${part.title}\n\n${part.items.map((item) => `- ${plainLine(item)}`).join('\n')}`;
    case 'table':
      return `### ${part.title}\n\n${printTable(part.head, part.rows)}`;
    case 'text': {
      const block = fence(part.text, part.language);
      // In the line of an HTML tag, Markdown is not interpreted, so the title is escaped as HTML; a second line would be.
      return part.isLong
        ? `<details><summary>${escape(oneLine(part.title))}</summary>\n\n${block}\n\n</details>`
        : `### ${plainLine(part.title)}\n\n${block}`;
    }
  }
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/**
 * In a table a vertical bar ends the cell even within code, unless a backslash is before it. Pages disagree on whether that
 * backslash counts when it is itself behind one, so there is always an odd number of them: one more than in the text, or two.
 */
const cellOf = (text: string): string =>
  codeSpan(text).replaceAll(
    /(\\*)\|/g,
    (_, before: string) => `${before}${before.length % 2 ? '\\\\' : '\\'}|`,
  );

function printTable(head: readonly string[], rows: readonly string[][]): string {
  return [line(head), line(head.map(() => '---')), ...rows.map((row) => line(row.map(cellOf)))].join('\n');
}

function drawPart(part: ExportPart): string {
  switch (part.kind) {
    case 'facts':
      return `<dl>${part.rows.map(([name, value]) => `<dt>${escape(name)}</dt><dd>${escape(value)}</dd>`).join('')}</dl>`;
    case 'list':
      return `<h3>${escape(part.title)}</h3><ul>${part.items.map((item) => `<li>${escape(item)}</li>`).join('')}</ul>`;
    case 'table': {
      const cells = (row: readonly string[], tag: string): string =>
        `<tr>${row.map((cell) => `<${tag}>${escape(cell)}</${tag}>`).join('')}</tr>`;
      const rows = part.rows.map((row) => cells(row, 'td')).join('');
      return `<h3>${escape(part.title)}</h3><table><thead>${cells(part.head, 'th')}</thead><tbody>${rows}</tbody></table>`;
    }
    case 'text': {
      // HTML parsers drop a line feed right after <pre>, so one is added.
      const block = `<pre>\n${escape(part.text)}</pre>`;
      const title = escape(part.title);
      return part.isLong
        ? `<details><summary>${title}</summary>${block}</details>`
        : `<h3>${title}</h3>${block}`;
    }
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (unit) => ENTITIES[unit] ?? '');

const STYLE = `:root{color-scheme:light dark}
body{font:14px/1.5 system-ui,sans-serif;max-width:1100px;margin:24px auto;padding:0 16px}
h1{font-size:20px}h2{font-size:17px;margin-top:32px;border-top:1px solid #8886;padding-top:16px}h3{font-size:14px;margin:16px 0 4px}
pre,code{font-family:ui-monospace,monospace;font-size:12px}
pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid #8886;padding:8px;margin:4px 0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px}dd{margin:0}
table{border-collapse:collapse;width:100%}th,td{text-align:start;vertical-align:top;padding:2px 12px 2px 0;border-bottom:1px solid #8886;overflow-wrap:anywhere}
summary{cursor:pointer;margin:8px 0}footer{margin:32px 0;color:#777}`;
