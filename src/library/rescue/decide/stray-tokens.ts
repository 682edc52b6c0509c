// Finds control tokens and closers that open or close nothing: next to a call, and at the very start or end of the
// reply; and elements around calls that are none of their format's. The tokens are passed in. A token that a sentence
// mentions has blanks around it and is kept.
import { isToken } from '../core/dialect';
import type { Dialects } from '../core/dialects';
import type { Span } from '../text/cut-text';
import { skipWhiteBefore } from '../text/cut-text';
import { findMatchEnd } from '../text/match-end';
import { skipWhite } from '../text/white-space';

const LONGEST_TOKEN = 48;
const TOKEN = /(?:<[|｜][\w▁:-]{1,32}[|｜]?>|<[\w▁]{1,32}[|｜]>)/y;
const TOKEN_BEFORE = /(?:<[|｜][\w▁:-]{1,32}[|｜]?>|<[\w▁]{1,32}[|｜]>|<\/[\w:-]{1,40}>)$/;
/** The same at the end of a reply, where tokens in the form of opening tags stand, too. */
const EDGE_BEFORE = /(?:<[|｜][\w▁:-]{1,32}[|｜]?>|<[\w▁]{1,32}[|｜]>|<\/?[\w:-]{1,40}>)$/;

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
  const runs = joinRuns(text, calls);
  for (let index = 0; index < runs.length; index += 1) {
    const { start, end, lastStart } = runs[index] as Run;
    const next = runs[index + 1]?.start ?? text.length;
    const whole = findAround(text, { start, end }, before, dialects);
    add(skipTokensBefore(text, whole.start, before, dialects), start);
    const head = text.slice(lastStart, Math.min(end, lastStart + LONGEST_CALL_HEAD));
    add(end, skipTokens(text, whole.end, next, dialects, head));
    before = Math.max(before, end);
  }
  for (const { end } of cut) add(end, skipReasoningClosers(text, end, dialects));
  const first = skipWhite(text, 0);
  if (calls[0]?.start !== first)
    add(first, Math.min(calls[0]?.start ?? text.length, skipEdge(text, first, dialects)));
  const last = skipWhiteBefore(text, text.length);
  const floor = Math.max(before, cut.at(-1)?.end ?? 0);
  if (last > before) add(Math.max(before, skipEdgeBefore(text, last, floor, dialects)), last);
  return cuts;
}

interface Run extends Span {
  /** Where the last of the joined spans begins. */
  lastStart: number;
}

/** The spans, with those joined that only white space separates. */
function joinRuns(text: string, spans: readonly Span[]): Run[] {
  const runs: Run[] = [];
  for (const { start, end } of spans) {
    const run = runs.at(-1);
    if (run && skipWhite(text, run.end) >= start) {
      run.end = Math.max(run.end, end);
      run.lastStart = start;
    } else runs.push({ start, end, lastStart: start });
  }
  return runs;
}

/** An opening tag at the end. After a bracket it is only a part of a token. */
const OPENING_BEFORE = /(?<!\[)<([\w:.-]{1,40})(?: [^<>]{0,64})?>$/;
/** What the names of elements around calls contain. Any other element may be markup that was asked for. */
const CALL_WORD = /tool|function|call|invoke/i;

/** The calls with the elements directly around all of them that a model writes around calls, of any format. */
function findAround(text: string, calls: Span, floor: number, { closers }: Dialects): Span {
  let { start, end } = calls;
  for (;;) {
    const before = skipWhiteBefore(text, start);
    if (before <= floor || text.charCodeAt(before - 1) !== 62) return { start, end };
    const head = text.slice(Math.max(floor, before - LONGEST_OPENING), before);
    const [opening = '', name = ''] = OPENING_BEFORE.exec(head) ?? [];
    const closer = `</${name}>`;
    if (!CALL_WORD.test(name) && !closers.has(closer)) return { start, end };
    // The reader of the calls may have taken the closer for theirs.
    const isTaken = end === calls.end && text.endsWith(closer, end);
    const closerAt = isTaken ? end - closer.length : skipWhite(text, end);
    if (!text.startsWith(closer, closerAt)) return { start, end };
    start = before - opening.length;
    end = closerAt + closer.length;
  }
}

const LONGEST_OPENING = 112;

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

/** Skips closing tags after reasoning, which a model wrote once too often. Returns the end of the last one. */
function skipReasoningClosers(text: string, from: number, { regions }: Dialects): number {
  let end = from;
  for (;;) {
    const at = skipWhite(text, end);
    const tag = regions.reasoning.find(text, at);
    const next = at + (tag?.literal.length ?? 0);
    if (!tag || tag.isOpen || isInSentence(text, next)) return end;
    end = next;
  }
}

/** Whether what follows a tag shows a sentence about it. */
const isInSentence = (text: string, after: number): boolean =>
  /^[ ,.;:!?)'"`]/.test(text.slice(after, after + 1));

const LONGEST_CALL_HEAD = 256;
const CLOSING_TAG = /(?:<\/[\w:.-]{1,40}>|[\u0080-\uffff]\/[\w:.-]{1,40}[\u0080-\uffff])/y;

/** The end of the closing tag at `at` if a tag of this name opened the call that begins with `head`; otherwise `at`. */
function skipOwnCloser(text: string, at: number, head: string): number {
  const end = findMatchEnd(CLOSING_TAG, text, at);
  const name = text.slice(at + 2, end - 1);
  const opening = `${text.charAt(at)}${name}`;
  const isFirst = head.startsWith(opening) && !/\w/.test(head.charAt(opening.length));
  // A tag of another name in the call may be a part of a value.
  return end > at && !isInSentence(text, end) && (isFirst || (CALL_WORD.test(name) && head.includes(opening)))
    ? end
    : at;
}

/** Skips white space and tokens. Returns the end of the last token, and `limit` at most. */
function skipTokens(text: string, from: number, limit: number, { trailing }: Dialects, head: string): number {
  let end = from;
  for (;;) {
    const at = skipWhite(text, end);
    if (at >= limit || !isTokenStart(text.charCodeAt(at))) return Math.min(limit, end);
    const known = trailing.find(text, at);
    const isFence = known?.startsWith('```') === true || known?.startsWith('~~~') === true;
    if (isFence) return end;
    const tokenEnd = known === undefined ? skipToken(text, at) : at + known.length;
    const closed = tokenEnd > at ? tokenEnd : skipOwnCloser(text, at, head);
    if (closed === at) return end;
    end = closed;
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

/** The end of the tokens at `from` if text follows them directly, or of the header of the model's turn; otherwise `from`. */
function skipEdge(text: string, from: number, { trailing }: Dialects): number {
  let end = from;
  for (;;) {
    const header = trailing.find(text, end) ?? '';
    if (MODEL_ROLE.test(header)) return skipHeader(text, end + header.length) ?? from;
    const next = skipToken(text, end);
    if (next === end) break;
    end = next;
  }
  if (end === from) return from;
  const isHeader = HEADER.test(text.slice(end, end + LONGEST_HEADER));
  return isHeader || /\s/.test(text.charAt(end) || ' ') ? from : end;
}

const MODEL_ROLE = /assistant|model/;
const LONGEST_HEADER = 128;
/** A few words and another token, or a role on a line of its own. They belong to the token before them. */
const HEADER = /^(?:[^\n]{0,64}?<[|｜]\w{1,32}[|｜]>\S|(?:user|system|developer|tool|assistant|model)\n)/;

/** The end of the header itself if a line break or, after a token, text follows it; undefined in a sentence about it. */
function skipHeader(text: string, end: number): number | undefined {
  const next = text.charAt(end);
  const isWhole = next === '\n' || (text.charAt(end - 1) === '>' && /\S/.test(next));
  return isWhole ? end : undefined;
}

/** The start of the tokens before `from` if text, or nothing that stays, precedes them directly; otherwise `from`. */
function skipEdgeBefore(text: string, from: number, floor: number, dialects: Dialects): number {
  const { trailing, closers } = dialects;
  const opened = new Map<string, boolean>();
  let start = from;
  let at = from;
  while (at > floor) {
    const token = findEdgeToken(text, at, dialects, opened);
    if (token === '') break;
    start = at - token.length;
    // Only ends of turns are written on lines of their own.
    const isEnd = trailing.find(text, start) === token && !closers.has(token);
    at = isEnd ? skipWhiteBefore(text, start) : start;
  }
  // Tokens that white space separates from the text, and a reply of nothing but tokens, are what it is about.
  const before = skipWhiteBefore(text, start);
  const isApart = before > floor ? before < start : floor === 0;
  return isApart ? from : start;
}

/** The control token before `end`, or a known tag that closes nothing; '' when there is none. */
function findEdgeToken(
  text: string,
  end: number,
  { trailing, closers }: Dialects,
  opened: Map<string, boolean>,
): string {
  if (text.charCodeAt(end - 1) !== 62) return '';
  const [token = ''] = EDGE_BEFORE.exec(text.slice(Math.max(0, end - LONGEST_TOKEN), end)) ?? [];
  if (/[|｜]/.test(token)) return token;
  const start = end - token.length;
  // Behind anything else than a sentence, a closer is what is left of a call.
  const isLeft = closers.has(token) && !/[.!?。！？]/.test(text.charAt(start - 1));
  if (isLeft || trailing.find(text, start) !== token) return '';
  if (!token.startsWith('</')) return token;
  const isOpened = opened.get(token) ?? hasOpening(text, token.slice(2, -1));
  opened.set(token, isOpened);
  return isOpened ? '' : token;
}

const hasOpening = (text: string, name: string): boolean =>
  [' ', '>', '=', '/', '\n', '\t'].some((next) => text.includes(`<${name}${next}`));

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
