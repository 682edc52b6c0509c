// Prints a document of parts as Markdown and as a self-contained HTML page. Text of a model or server is never markup. Pure;
// does not know what the parts are about.
import { t } from '@vscode/l10n';
import type { Interval, Sentence, SentencePart } from '../../types';
import type { ExportInfo } from './exported-run';
import { codeSpan, escapeMarkdown, fence, oneLine, plainLine } from './markdown';

export interface ExportDocument {
  title: string;
  head: readonly ExportPart[];
  sections: readonly ExportSection[];
  foot: string;
}

export interface ExportSection {
  title: string;
  /** Follows the title as code. */
  code?: string | undefined;
  parts: readonly ExportPart[];
}

export type ExportPart =
  | { kind: 'facts'; rows: [name: string, value: string][] }
  | { kind: 'list'; title: string; items: string[] }
  | { kind: 'sentences'; title?: string | undefined; items: readonly Sentence[] }
  | { kind: 'table'; title: string; head: string[]; rows: readonly (readonly Cell[])[] }
  /** Foreign text, printed unchanged. `isLong`: may be folded. */
  | { kind: 'text'; title: string; text: string; language: 'json' | 'http' | 'text'; isLong: boolean };

/** Text is foreign, and printed as code. */
export type Cell = string | OwnCell;

/** Words and numbers of ours. */
export interface OwnCell {
  own: string;
  /** Drawn on an axis from 0 to 1, where a page can; the words say the same. */
  drawn?: { rate: number; interval: Interval; gate?: number | undefined } | undefined;
}

export const footOf = ({ madeBy, madeAt }: ExportInfo): string =>
  t('Made by {0}, {1}. Keys are masked.', madeBy, madeAt);

export const printParts = (parts: readonly ExportPart[]): string => parts.map(printPart).join('\n\n');

export function printDocument({ title, head, sections, foot }: ExportDocument): string {
  const lines = [`# ${plainLine(title)}`, '', printParts(head)];
  for (const section of sections)
    lines.push('', `## ${plainLine(titleOf(section))}`, '', printParts(section.parts));
  return [...lines, '', '---', plainLine(foot), ''].join('\n');
}

/**
 * Without scripts, links and external resources, so that the page opens without a network.
 * @param language Of the page's own texts, as a tag such as `de`; screen readers pronounce them by it.
 */
export function drawDocument({ title, head, sections, foot }: ExportDocument, language: string): string {
  const body = sections.map(({ title: name, code, parts }) => {
    const heading = escape(name) + (code === undefined ? '' : `: <code>${escape(code)}</code>`);
    return `<section>\n<h2>${heading}</h2>\n${parts.map(drawPart).join('\n')}\n</section>`;
  });
  return `<!doctype html>
<html lang="${escape(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escape(title)}</h1>
${head.map(drawPart).join('\n')}
${body.join('\n')}
<footer>${escape(foot)}</footer>
</body>
</html>
`;
}

const titleOf = ({ title, code }: ExportSection): string =>
  code === undefined ? title : `${title}: ${code}`;

function printPart(part: ExportPart): string {
  switch (part.kind) {
    case 'facts':
      return part.rows.map(([name, value]) => `- ${name}: ${codeSpan(value)}`).join('\n');
    case 'list':
      return `### ${part.title}\n\n${part.items.map((item) => `- ${plainLine(item)}`).join('\n')}`;
    case 'sentences': {
      const items = part.items.map((item) => `- ${item.map(printPiece).join('')}`).join('\n');
      return part.title === undefined ? items : `### ${part.title}\n\n${items}`;
    }
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

function printPiece({ text, mark }: SentencePart): string {
  if (mark === 'code') return codeSpan(text);
  const plain = escapeMarkdown(text.replaceAll(/\s+/g, ' '));
  return mark === 'strong' ? `**${plain}**` : plain;
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/**
 * In a table a vertical bar ends the cell even within code, unless a backslash is before it. Pages disagree on whether that
 * backslash counts when it is itself behind one, so there is always an odd number of them: one more than in the text, or two.
 */
const codeCell = (text: string): string =>
  codeSpan(text).replaceAll(
    /(\\*)\|/g,
    (_, before: string) => `${before}${before.length % 2 ? '\\\\' : '\\'}|`,
  );

const printCell = (cell: Cell): string =>
  typeof cell === 'string' ? codeCell(cell) : escapeMarkdown(cell.own);

function printTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [line(head), line(head.map(() => '---')), ...rows.map((row) => line(row.map(printCell)))].join('\n');
}

function drawPart(part: ExportPart): string {
  switch (part.kind) {
    case 'facts':
      return `<dl>${part.rows.map(([name, value]) => `<dt>${escape(name)}</dt><dd>${escape(value)}</dd>`).join('')}</dl>`;
    case 'list':
      return `<h3>${escape(part.title)}</h3><ul>${part.items.map((item) => `<li>${escape(item)}</li>`).join('')}</ul>`;
    case 'sentences': {
      const heading = part.title === undefined ? '' : `<h3>${escape(part.title)}</h3>`;
      const items = part.items.map((item) => `<li>${item.map(drawPiece).join('')}</li>`);
      return `${heading}<ul>${items.join('')}</ul>`;
    }
    case 'table': {
      const head = part.head.map((name) => `<th>${escape(name)}</th>`).join('');
      const rows = part.rows.map((row) => `<tr>${row.map(drawCell).join('')}</tr>`).join('');
      return `<h3>${escape(part.title)}</h3><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>`;
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

function drawPiece({ text, mark }: SentencePart): string {
  const plain = escape(text);
  if (mark === 'code') return `<code>${plain}</code>`;
  return mark === 'strong' ? `<strong>${plain}</strong>` : plain;
}

function drawCell(cell: Cell): string {
  if (typeof cell === 'string') return `<td>${escape(cell)}</td>`;
  return `<td>${escape(cell.own)}${cell.drawn ? drawInterval(cell.drawn) : ''}</td>`;
}

const AXIS = 140;
const at = (share: number): string => (share * AXIS).toFixed(1);

/** Hidden from screen readers, because the words beside it say the same. */
function drawInterval({ rate, interval: { low, high }, gate }: NonNullable<OwnCell['drawn']>): string {
  const required =
    gate === undefined ? '' : `<path class="gate" d="M${at(gate)} 0V14" stroke-dasharray="3 2"/>`;
  return `<svg width="${AXIS + 4}" height="14" viewBox="-2 0 ${AXIS + 4} 14" aria-hidden="true"><path class="axis" d="M0 7H${AXIS}"/><path class="span" d="M${at(low)} 7H${at(high)}"/><path class="rate" d="M${at(rate)} 2V12"/>${required}</svg>`;
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
svg{display:block;fill:none;stroke:currentColor}.axis{stroke:#8886}.span{stroke-width:3}.rate{stroke-width:2}
summary{cursor:pointer;margin:8px 0}footer{margin:32px 0;color:#777}`;
