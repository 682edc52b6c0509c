// Splits a part of YAML into lines with their indentation, with a cursor on the current line. Does not read values.

export interface YamlLine {
  /** Offset of the first character that is not a space or tab. */
  start: number;
  /** Offset of the end, without the line break. */
  end: number;
  /** Number of columns before `start`. A line inside another (`- key: value`) has the column of its content. */
  indent: number;
  /** Offset of the beginning of the line itself. */
  lineStart: number;
  isBlank: boolean;
  hasTab: boolean;
}

export class YamlLines {
  readonly text: string;
  readonly #lines: YamlLine[] = [];
  #index = 0;

  constructor(text: string, from: number, to: number) {
    this.text = text;
    for (let at = from; at < to;) {
      const next = text.indexOf('\n', at);
      const end = next === -1 || next > to ? to : next;
      this.#lines.push(toLine(text, at, end));
      at = end + 1;
    }
  }

  /** The next line to be read; skips blank lines and comments. */
  get current(): YamlLine | undefined {
    while (this.#isSilent(this.#lines[this.#index])) this.#index += 1;
    return this.#lines[this.#index];
  }

  /** The next line, even if it is blank or a comment; for text in which blank lines count. */
  get raw(): YamlLine | undefined {
    return this.#lines[this.#index];
  }

  advance(): void {
    this.#index += 1;
  }

  /** Makes the rest of the current line a line of its own, whose indentation is the column of its start. */
  enter(start: number): void {
    const line = this.#lines[this.#index];
    if (!line) return;
    this.#lines[this.#index] = { ...line, start, indent: start - line.lineStart };
  }

  /** Continues after `at`, the end of a value of several lines. The rest of its line is still to be read. */
  moveTo(at: number): void {
    while ((this.#lines[this.#index]?.end ?? Infinity) < at) this.#index += 1;
  }

  #isSilent(line: YamlLine | undefined): boolean {
    return line !== undefined && (line.isBlank || this.text.charAt(line.start) === '#');
  }
}

function toLine(text: string, lineStart: number, lineEnd: number): YamlLine {
  const end = text.charAt(lineEnd - 1) === '\r' && lineEnd > lineStart ? lineEnd - 1 : lineEnd;
  let start = lineStart;
  while (start < end && text.charAt(start) === ' ') start += 1;
  const hasTab = text.charAt(start) === '\t';
  if (hasTab) while (start < end && ' \t'.includes(text.charAt(start))) start += 1;
  return { start, end, indent: start - lineStart, lineStart, isBlank: start >= end, hasTab };
}
