// Matches a regular expression at one offset, without the objects that describe a match.

/** The end of what the pattern matches at `at`; `at` itself when there is nothing. @param pattern Has the flag `y`. */
export function findMatchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
