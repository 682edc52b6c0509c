// Formats JSON over several lines and leaves every token as it is: numbers keep their digits, repeated keys stay. Pure.

/** Maximum indentation in levels; deeper values are not indented further, because lines would become ever longer. */
const MAX_INDENT = 100;

/**
 * Limits of all indentation, in UTF-16 code units: short documents are never affected, and others hardly ever. Short values
 * in deep lists would become a hundred times as long.
 */
const INDENTATION = { perUnit: 8, ofAny: 65_536 };

/**
 * The lines after the limit of the indentation are not indented.
 * @param text One valid JSON document.
 */
export function formatJson(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  let isOpened = false;
  let left = INDENTATION.ofAny + text.length * INDENTATION.perUnit;
  const newLine = (): void => {
    const width = 2 * Math.min(depth, MAX_INDENT);
    left -= width;
    parts.push('\n', left < 0 ? '' : ' '.repeat(width));
  };
  for (const token of tokensOf(text)) {
    const isClosing = token === '}' || token === ']';
    if (isClosing) depth--;
    // An empty object or list stays on one line.
    if (isOpened !== isClosing) newLine();
    isOpened = token === '{' || token === '[';
    if (isOpened) depth++;
    parts.push(token);
    if (token === ',') newLine();
    if (token === ':') parts.push(' ');
  }
  return parts.join('');
}

const BLANK = /[\s\uFEFF]/;
const MARK = /[[\]{},:]/;

function* tokensOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const unit = text.charAt(at);
    const end = unit === '"' ? stringEnd(text, at) : MARK.test(unit) ? at + 1 : plainEnd(text, at);
    if (!BLANK.test(unit)) yield text.slice(at, end);
    at = end;
  }
}

/** Without a regular expression, whose stack would overflow on a long text. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** The end of a number or a word; blanks are passed one by one. */
function plainEnd(text: string, start: number): number {
  if (BLANK.test(text.charAt(start))) return start + 1;
  let at = start + 1;
  while (at < text.length && !BLANK.test(text.charAt(at)) && !/[[\]{},:"]/.test(text.charAt(at))) at++;
  return at;
}
