// Formats rows as a table that is readable in a terminal and in Markdown.
import { cpus } from 'node:os';

export function describeMachine() {
  const list = cpus();
  return `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${list.length} × ${list[0]?.model.trim() ?? 'CPU'}`;
}

export function toTable(rows, { clients, subject, reference }) {
  const versus = reference === undefined ? 'measured' : `${subject} to ${reference}`;
  const head = ['what', ...clients, 'unit', versus, 'least–most', 'goal', 'reached'];
  const lines = rows.map((row) => {
    const mark = row.compare === 'ratio' ? '×' : row.compare === 'difference' ? ` ${row.unit}` : '';
    const sign = (value) => (row.compare === 'difference' && value >= 0 ? '+' : '') + format(value);
    return [
      row.title,
      ...clients.map((client) => format(row.medians[client])),
      row.unit,
      `${sign(row.value)}${mark}`,
      `${sign(row.least)}–${sign(row.most)}`,
      `${row.goal.max === undefined ? `≥ ${format(row.goal.min)}` : `≤ ${sign(row.goal.max)}`}${mark}`,
      row.isReached ? 'yes' : 'no',
    ];
  });
  return align([head, ...lines]);
}

function align(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const [head, ...rest] = lines.map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`,
  );
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rest].join('\n');
}

/** Formats three digits, which is all the precision there is; a dash for a client that the scenario leaves out. */
function format(value) {
  if (value === undefined) return '–';
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
