// The places at which code, a quote or thinking may begin or end, found by one search. It decides nothing.
import { toPattern } from './literal-pattern';
import { REASONING_TAGS } from './reasoning-tags';

const afterFirst = (first: string): string =>
  toPattern(REASONING_TAGS.filter((tag) => tag.startsWith(first)).map((tag) => tag.slice(1)));

const MARKS = new RegExp(
  String.raw`\`|~(?=~~)|>(?<=(?:^|\n) {0,3}>)|<(?=${afterFirst('<')})|\[(?=${afterFirst('[')})`,
  'gi',
);

/** The next of them from `at`; the text's length when there is none. */
export function nextMark(text: string, at: number): number {
  MARKS.lastIndex = at;
  // all but the character itself is looked at and not taken
  return MARKS.test(text) ? MARKS.lastIndex - 1 : text.length;
}
