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
 * @param most Length at which formatting stops, in UTF-16 code units: what nobody is shown is not formatted.
 * @returns a longer text only if there is more than that
 */
export function formatJson(text: string, most = Infinity): string {
  let shown = '';
  let depth = 0;
  let isOpened = false;
  let left = INDENTATION.ofAny + text.length * INDENTATION.perUnit;
  const newLine = (): void => {
    const width = 2 * Math.min(depth, MAX_INDENT);
    left -= width;
    shown += left < 0 ? '\n' : `\n${' '.repeat(width)}`;
  };
  for (let at = 0, end = 0; at < text.length && shown.length <= most; at = end) {
    const unit = text.charAt(at);
    end = endOfToken(text, at, unit);
    if (isBlank(unit)) continue;
    const isClosing = unit === '}' || unit === ']';
    if (isClosing) depth--;
    // An empty object or list stays on one line.
    if (isOpened !== isClosing) newLine();
    isOpened = unit === '{' || unit === '[';
    if (isOpened) depth++;
    shown += text.slice(at, end);
    if (unit === ',') newLine();
    if (unit === ':') shown += ' ';
  }
  return shown;
}

const isBlank = (unit: string): boolean => unit <= ' ' || (unit > '~' && /\s/.test(unit));
const isMark = (unit: string): boolean => '[]{},:'.includes(unit);

function endOfToken(text: string, start: number, unit: string): number {
  if (unit === '"') return stringEnd(text, start);
  return isMark(unit) || isBlank(unit) ? start + 1 : plainEnd(text, start);
}

/** Without a regular expression, whose stack would overflow on a long text. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** The end of a number or a word. */
function plainEnd(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const unit = text.charAt(at);
    if (unit === '"' || isMark(unit) || isBlank(unit)) break;
  }
  return at;
}
