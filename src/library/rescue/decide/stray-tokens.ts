// Finds control tokens and closers that open or close nothing: next to a call, and at the very start or end of the
// reply. The tokens are passed in. A token that a sentence mentions has blanks around it and is kept.
import { isToken } from '../core/dialect';
import type { Dialects } from '../core/dialects';
import type { Span } from '../text/cut-text';
import { skipWhiteBefore } from '../text/cut-text';
import { findMatchEnd } from '../text/match-end';
import { skipWhite } from '../text/white-space';

const LONGEST_TOKEN = 48;
const TOKEN = /(?:<[|｜][\w▁:-]{1,32}[|｜]?>|<[\w▁]{1,32}[|｜]>)/y;
const TOKEN_BEFORE = /(?:<[|｜][\w▁:-]{1,32}[|｜]?>|<[\w▁]{1,32}[|｜]>|<\/[\w:-]{1,40}>)$/;

/**
 * Finds the spans to cut. `calls` are the spans of the calls, `kept` those whose text stays or goes as a whole, and
 * `cut` those of `kept` that go.
 */
export function findStrayTokens(
  text: string,
  dialects: Dialects,
  calls: readonly Span[],
  { kept, cut }: { kept: readonly Span[]; cut: readonly Span[] },
): Span[] {
  const cuts: Span[] = [];
  let parts: ReturnType<typeof indexSpans> | undefined;
  const add = (start: number, to: number): void => {
    if (to <= start) return;
    // Built on first use, because there is rarely anything to add.
    parts ??= indexSpans(kept);
    const { isInside, nextStart } = parts(start);
    const end = Math.min(to, nextStart);
    if (end > start && !isInside) cuts.push({ start, end });
  };
  let before = 0;
  for (let index = 0; index < calls.length; index += 1) {
    const { start, end } = calls[index] as Span;
    add(skipTokensBefore(text, start, before, dialects), start);
    const next = calls[index + 1]?.start ?? text.length;
    add(end, skipTokens(text, end, next, dialects));
    before = Math.max(before, end);
  }
  const first = skipWhite(text, 0);
  if (calls[0]?.start !== first) add(first, Math.min(calls[0]?.start ?? text.length, skipEdge(text, first)));
  const last = skipWhiteBefore(text, text.length);
  const floor = Math.max(before, cut.at(-1)?.end ?? 0);
  if (last > before) add(Math.max(before, skipEdgeBefore(text, last, floor)), last);
  return cuts;
}

/**
 * Returns a function that tells whether an offset is inside one of the spans, and where the first span at or after
 * it begins. Uses binary search, because a reply may have ten thousand calls and as many rejections.
 */
function indexSpans(spans: readonly Span[]): (at: number) => { isInside: boolean; nextStart: number } {
  const sorted = spans.toSorted((a, b) => a.start - b.start);
  const starts = sorted.map(({ start }) => start);
  let furthest = 0;
  const furthestEnds = sorted.map(({ end }) => (furthest = Math.max(furthest, end)));
  return (at) => {
    const index = countBelow(starts, at);
    return { isInside: (furthestEnds[index - 1] ?? 0) > at, nextStart: starts[index] ?? Infinity };
  };
}

/** The end of the control token at `at`; `at` itself when there is none. */
export const skipToken = (text: string, at: number): number =>
  text.charCodeAt(at) === 60 ? findMatchEnd(TOKEN, text, at) : at;

/** Whether a token may begin with this character: `<`, `[` or a character outside ASCII. */
const isTokenStart = (code: number): boolean => code === 60 || code === 91 || code > 127;

/** Skips white space and tokens. Returns the end of the last token, and `limit` at most. */
function skipTokens(text: string, from: number, limit: number, { trailing }: Dialects): number {
  let end = from;
  for (;;) {
    const at = skipWhite(text, end);
    if (at >= limit || !isTokenStart(text.charCodeAt(at))) return Math.min(limit, end);
    const known = trailing.find(text, at);
    const isFence = known?.startsWith('```') === true || known?.startsWith('~~~') === true;
    if (isFence) return end;
    const tokenEnd = known === undefined ? skipToken(text, at) : at + known.length;
    if (tokenEnd === at) return end;
    end = tokenEnd;
  }
}

function skipTokensBefore(text: string, from: number, floor: number, dialects: Dialects): number {
  let start = from;
  for (;;) {
    const at = skipWhiteBefore(text, start);
    if (at <= floor || text.charCodeAt(at - 1) !== 62) return Math.max(floor, start);
    const [token] = TOKEN_BEFORE.exec(text.slice(Math.max(0, at - LONGEST_TOKEN), at)) ?? [];
    if (token === undefined || !dialects.closers.has(token)) return start;
    start = at - token.length;
  }
}

/** The end of the tokens at `from` if text follows them directly; otherwise `from`. */
function skipEdge(text: string, from: number): number {
  let end = skipToken(text, from);
  for (let next = skipToken(text, end); next > end; next = skipToken(text, end)) end = next;
  const isHeader = HEADER.test(text.slice(end, end + LONGEST_HEADER));
  return isHeader || /\s/.test(text.charAt(end) || ' ') ? from : end;
}

const LONGEST_HEADER = 128;
/** A few words and another token. The two tokens belong together. */
const HEADER = /^[^\n]{0,64}?<[|｜]\w{1,32}[|｜]>\S/;

/** The start of the tokens before `from` if text, or nothing that stays, precedes them directly; otherwise `from`. */
function skipEdgeBefore(text: string, from: number, floor: number): number {
  let start = from;
  for (let token = findBefore(text, start); token !== undefined; token = findBefore(text, start)) {
    if (start <= floor) return start;
    start -= token.length;
  }
  return /\s/.test(text.charAt(start - 1) || ' ') ? from : start;
}

const findBefore = (text: string, end: number): string | undefined => {
  if (text.charCodeAt(end - 1) !== 62) return undefined;
  const token = TOKEN_BEFORE.exec(text.slice(Math.max(0, end - LONGEST_TOKEN), end))?.[0];
  return token?.startsWith('</') ? undefined : token;
};

/** `>`, `]`, `=`, or a character outside ASCII. */
const mayEndToken = (code: number): boolean => code === 62 || code === 93 || code === 61 || code > 127;

const LONGEST_OPENER = 64;
/** An opener together with what a format may write into it, such as a name. */
const OPENING_TAG = /^(?:<[^<>\n]{1,62}>|\[[A-Z_]{2,40}\])/;

/** The start of the first copy of the opener at `start`, not before `floor`; `start` itself when there is only one. */
export function findFirstOpener(text: string, start: number, openers: readonly string[], floor = 0): number {
  let first = start;
  let before = skipWhiteBefore(text, start);
  if (!mayEndToken(text.charCodeAt(before - 1))) return first;
  const [tag] = OPENING_TAG.exec(text.slice(start, start + LONGEST_OPENER)) ?? [];
  const opener = tag ?? openers.find((item) => isToken(item) && text.startsWith(item, start));
  if (opener === undefined) return first;
  while (before - opener.length >= floor && text.endsWith(opener, before)) {
    first = before - opener.length;
    before = skipWhiteBefore(text, first);
  }
  return first;
}

/** How many of the sorted numbers are smaller than `limit`; also the index of the first that is not. */
export function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
