// Reads the text below `|` and `>` in YAML.
import type { YamlLines } from './yaml-lines';
import { foldLines } from './yaml-scalars';

const HEADER = /^([|>])([+-]?)([1-9]?)([+-]?)[ \t]{0,16}(?:#.{0,200})?$/;

/** Undefined when `header` is no header of such text. Its line must be the current line. */
export function readBlockText(lines: YamlLines, header: string, parentIndent: number): string | undefined {
  const [, style, first = '', digit = '', last = ''] = HEADER.exec(header) ?? [];
  if (style === undefined) return undefined;
  lines.advance();
  const indent = digit === '' ? undefined : Math.max(parentIndent, 0) + Number(digit);
  const body = readLines(lines, parentIndent, indent);
  const length = body.findLastIndex((line) => line !== '') + 1;
  const content = body.slice(0, length);
  // Line breaks around an indented line stay, like those before the first line.
  const text = style === '|' ? content.join('\n') : foldLines(content, (line) => /^(?:[ \t]|$)/.test(line));
  const end = length === 0 ? '' : '\n';
  const chomping = first === '' ? last : first;
  if (chomping === '-') return text;
  return text + end + (chomping === '+' ? '\n'.repeat(body.length - length) : '');
}

/** The lines with more indentation than the parent, without the indentation of the first one. */
function readLines(lines: YamlLines, parentIndent: number, given: number | undefined): string[] {
  const body: string[] = [];
  let indent = given;
  for (let line = lines.raw; line; line = lines.raw) {
    if (!line.isBlank) {
      indent ??= line.indent;
      if (line.indent < indent || line.indent <= parentIndent) break;
    }
    body.push(lines.text.slice(Math.min(line.lineStart + (indent ?? line.indent), line.end), line.end));
    lines.advance();
  }
  return body;
}
