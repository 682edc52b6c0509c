// Where two short texts differ: what they share at their beginning and end is left out. Pure.

/** Both end offsets are exclusive. */
export interface TextDifference {
  start: number;
  end: number;
  otherEnd: number;
}

/** @returns undefined for equal texts. */
export function findDifference(text: string, other: string): TextDifference | undefined {
  if (text === other) return undefined;
  const least = Math.min(text.length, other.length);
  let start = 0;
  while (start < least && text[start] === other[start]) start++;
  let same = 0;
  while (same < least - start && text.at(-1 - same) === other.at(-1 - same)) same++;
  // Neither end may split a surrogate pair, nor begin inside a word or a number, which is read as a whole.
  while (start > 0 && (isWithin(text, start) || isWithin(other, start))) start--;
  let end = text.length - same;
  let otherEnd = other.length - same;
  while (end < text.length && (isWithin(text, end) || isWithin(other, otherEnd))) {
    end++;
    otherEnd++;
  }
  return { start, end, otherEnd };
}

/** Whether an offset stands between two characters of one word. */
const isWithin = (text: string, at: number): boolean =>
  /[^\s,:{}[\]()]/.test(text.charAt(at - 1)) && /[^\s,:{}[\]()]/.test(text.charAt(at));
