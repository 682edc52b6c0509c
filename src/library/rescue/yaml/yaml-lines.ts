// A stretch of YAML as lines with their indentation, and a place among them. Knows no values.

export interface YamlLine {
  /** Of the first character that is not a blank. */
  start: number;
  /** Without the line break. */
  end: number;
  /** Columns before `start`; a line inside another (`- key: value`) has the column of its content. */
  indent: number;
  /** Where the line itself begins. */
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

  /** The line to be read next, blank ones and comments passed over. */
  get current(): YamlLine | undefined {
    while (this.#isSilent(this.#lines[this.#index])) this.#index += 1;
    return this.#lines[this.#index];
  }

  /** The same with nothing passed over, for text in which blank lines count. */
  get raw(): YamlLine | undefined {
    return this.#lines[this.#index];
  }

  advance(): void {
    this.#index += 1;
  }

  /** The rest of the current line becomes a line of its own, as deep as it stands. */
  enter(start: number): void {
    const line = this.#lines[this.#index];
    if (!line) return;
    this.#lines[this.#index] = { ...line, start, indent: start - line.lineStart };
  }

  /** Goes on behind `at`, which a value of several lines reached; the rest of its line stays to be looked at. */
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
