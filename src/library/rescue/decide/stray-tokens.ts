// Finds what a model wrote around its calls without meaning it as an answer: control tokens such as `<|fin|>`, closing tags
// that close nothing, and elements around the calls. Their spans are cut from the content. Which tokens there are is declared by
// the formats and comes in as `Dialects`; nothing here knows a particular format.
//
// The rule behind all of it: a token is cut only next to something that shows that it is no part of the answer: a call, reasoning
// that was cut, or the very start or end of the reply. A token that a sentence mentions has blanks around it, and stays.
//
// The scanners, in the order in which `findStrayTokens` uses them. ⟨call⟩ stands for a call that was read, ⏎ for a line break, and
// what a scanner finds is in «». The tokens are made up: `<|fin|>` is one that ends turns, `<a_call>` opens a call.
//
//   at every run of calls that only white space separates
//    1. findElementsAround    an element around all of them, if its name speaks of calls; first, because the tokens are
//                             outside of it: «<all_calls>» ⟨call⟩ «</all_calls>»
//    2. skipTokensBefore      closers before them: Text. «</a_call>» ⟨call⟩
//    3. skipTokens            tokens after them, declared ones and those that 4 and 5 find:
//                             ⟨call⟩ «</a_call> <|fin|>» more
//    4. skipToken             a control token by its form, whatever its name: ⟨call⟩ «<|any|>» more
//    5. skipOwnCloser         a closer that only the call's own tag explains: <get_time>{}</get_time>«</get_time>»⏎more
//       In 2 and 3 also envelopes with nothing in them: ⟨call⟩ «<a_call>⏎</a_call>» and, before prose, the opener of one that
//       closes behind the calls: «<a_call>»I look.⟨call⟩«</a_call>» (left-envelopes.ts)
//   after all reasoning that is cut
//    6. skipReasoningClosers  closing tags written once too often: <muse>…</muse>«</muse>»Done.
//    7. isInSentence          the exception to 5 and 6, a sentence about the tag: <muse>…</muse></muse> is a tag.
//   at the start of the reply, unless a call is there
//    8. skipTokensAtStart     tokens that text follows without a blank: «<|fin|>»Hi
//    9. skipRoleHeader        the header of the model's own turn: «<|role|>assistant»⏎Hi
//   at the end of the reply, unless a call is there
//   10. skipTokensAtEnd       tokens that text precedes without a blank: Hi«<|fin|>⏎<|last|>»
//   11. findTokenAtEnd        a single one of them; a tag only if nothing in the reply opens it: Hi.«</fin>»
//
// The twelfth, `findFirstOpener`, is called for each call before all of these. It finds where the copies of an opener begin that
// a model repeated: «<a_call>⏎<a_call>⏎»⟨call⟩
//
// A function called `skip…` returns the offset after what it skipped, or before it if it goes backwards. When there is nothing to
// skip, it returns the offset that it was given, unless its comment says otherwise.
import { isToken } from '../core/dialect';
import type { Dialects } from '../core/dialects';
import type { Span } from '../text/cut-text';
import { skipWhiteBefore } from '../text/cut-text';
import { findMatchEnd } from '../text/match-end';
import {
  closesEnvelope,
  findOpenerBeforeProse,
  skipEmptyEnvelope,
  skipEmptyEnvelopeBefore,
} from './left-envelopes';
import { skipWhite } from '../text/white-space';

/** Character codes, compared where a regular expression would be run at every offset. */
const LESS_THAN = 60;
const GREATER_THAN = 62;
const OPENING_BRACKET = 91;

/** How far back a token is searched for; a longer one is none. */
const LONGEST_TOKEN = 48;
/** A control token of any name, such as `<|fin|>`, `<｜fin▁of▁all｜>` or `<fin|>`: a tag with a bar. */
const TOKEN = /(?:<[|｜][\w▁:-]{1,32}[|｜]?>|<[\w▁]{1,32}[|｜]>)/y;
/** The same or a closing tag, directly before an offset. */
const TOKEN_BEFORE = /(?:<[|｜][\w▁:-]{1,32}[|｜]?>|<[\w▁]{1,32}[|｜]>|<\/[\w:-]{1,40}>)$/;
/** The same or an opening tag: at the end of a reply, some models write an end token of that form, such as `<fin>`. */
const TOKEN_AT_END = /(?:<[|｜][\w▁:-]{1,32}[|｜]?>|<[\w▁]{1,32}[|｜]>|<\/?[\w:-]{1,40}>)$/;

/**
 * Finds the spans to cut, in no particular order.
 * @param calls the calls that were read, in the order of the text
 * @param spans.kept text that somebody else decided about as a whole, such as reasoning or a rejected call: nothing is cut inside
 * @param spans.cut those of `kept` that are cut; closers may be left behind them
 */
export function findStrayTokens(
  text: string,
  dialects: Dialects,
  calls: readonly Span[],
  { kept, cut }: { kept: readonly Span[]; cut: readonly Span[] },
): Span[] {
  const cuts: Span[] = [];
  let parts: ReturnType<typeof indexSpans> | undefined;
  /** Adds the span, up to the next kept text; nothing if it begins inside kept text. */
  const add = (start: number, to: number): void => {
    if (to <= start) return;
    // Built on first use, because there is rarely anything to add.
    parts ??= indexSpans(kept);
    const { isInside, nextStart } = parts(start);
    const end = Math.min(to, nextStart);
    if (end > start && !isInside) cuts.push({ start, end });
  };
  /** End of the last run of calls; the next one must not take tokens from before it. */
  let before = 0;
  const runs = joinRuns(text, calls);
  for (let index = 0; index < runs.length; index += 1) {
    const { start, end, lastStart } = runs[index] as Run;
    const next = runs[index + 1]?.start ?? text.length;
    const whole = findElementsAround(text, { start, end }, before, dialects);
    add(skipTokensBefore(text, whole.start, before, dialects), start);
    const callHead = text.slice(lastStart, Math.min(end, lastStart + LONGEST_CALL_HEAD));
    const tokensEnd = skipTokens(text, whole.end, next, dialects, callHead);
    add(end, tokensEnd);
    const isAfterProse = lastStart === start && skipWhiteBefore(text, start) > before;
    const opener = isAfterProse ? findOpenerBeforeProse(text, { start, end: tokensEnd }, before) : undefined;
    if (opener) add(opener.start, opener.end);
    before = Math.max(before, end);
  }
  for (const { end } of cut) add(end, skipReasoningClosers(text, end, dialects));
  const first = skipWhite(text, 0);
  if (calls[0]?.start !== first)
    add(first, Math.min(calls[0]?.start ?? text.length, skipTokensAtStart(text, first, dialects)));
  const last = skipWhiteBefore(text, text.length);
  // Only text after the last call or reasoning counts as text that the tokens at the end belong to.
  const floor = Math.max(before, cut.at(-1)?.end ?? 0);
  if (last > before) add(Math.max(before, skipTokensAtEnd(text, last, floor, dialects)), last);
  return cuts;
}

interface Run extends Span {
  /** Where the last of the joined spans begins. */
  lastStart: number;
}

/** The spans, with those joined that only white space separates: tokens are searched for around a whole run, not in it. */
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

/** An opening tag directly before an offset. In `[<tag>` it is a part of a longer token, and no tag. */
const OPENING_BEFORE = /(?<!\[)<([\w:.-]{1,40})(?: [^<>]{0,64})?>$/;
/** What the names of elements around calls contain. Any other element, such as `<div>`, may be markup that was asked for. */
const CALL_WORD = /tool|function|call|invoke/i;

/**
 * Widens the span of a run of calls by the elements around all of it, from the inside out. Each has to open directly before
 * the run and close directly after it.
 */
function findElementsAround(text: string, calls: Span, floor: number, { closers }: Dialects): Span {
  let { start, end } = calls;
  for (;;) {
    const before = skipWhiteBefore(text, start);
    if (before <= floor || text.charCodeAt(before - 1) !== GREATER_THAN) return { start, end };
    const head = text.slice(Math.max(floor, before - LONGEST_OPENING), before);
    const [opening = '', name = ''] = OPENING_BEFORE.exec(head) ?? [];
    const closer = `</${name}>`;
    if (!CALL_WORD.test(name) && !closers.has(closer)) return { start, end };
    // The format may have read the element's closer as the closer of its call; then it is the end of the run itself.
    const isTaken = end === calls.end && text.endsWith(closer, end);
    const closerAt = isTaken ? end - closer.length : skipWhite(text, end);
    if (!text.startsWith(closer, closerAt)) return { start, end };
    start = before - opening.length;
    end = closerAt + closer.length;
  }
}

/** Longest opening tag with its attributes that OPENING_BEFORE can match, rounded up. */
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
  text.charCodeAt(at) === LESS_THAN ? findMatchEnd(TOKEN, text, at) : at;

/** Whether a token may begin with this character: `<`, `[` or a character outside ASCII. */
const isTokenStart = (code: number): boolean => code === LESS_THAN || code === OPENING_BRACKET || code > 127;

/** Skips closing tags after reasoning: the model closed it more often than it opened it. */
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

/** Whether a sentence goes on behind a tag, so that it is about the tag: a blank or punctuation follows. */
const isInSentence = (text: string, after: number): boolean =>
  /^[ ,.;:!?)'"`]/.test(text.slice(after, after + 1));

/** How much of a call is looked at for the tag that opens it. */
const LONGEST_CALL_HEAD = 256;
/** `</name>`, or the same between two other characters, such as `⟪/name⟫`. */
const CLOSING_TAG = /(?:<\/[\w:.-]{1,40}>|[\u0080-\uffff]\/[\w:.-]{1,40}[\u0080-\uffff])/y;

/**
 * Skips a closing tag that belongs to the call before it: the call opens with a tag of this name, or has one whose name speaks
 * of calls anywhere in its head.
 * @param head the first characters of the call
 */
function skipOwnCloser(text: string, at: number, head: string): number {
  const end = findMatchEnd(CLOSING_TAG, text, at);
  const name = text.slice(at + 2, end - 1);
  const opening = `${text.charAt(at)}${name}`;
  const isFirst = head.startsWith(opening) && !/\w/.test(head.charAt(opening.length));
  // A tag with an ordinary name further inside the call may be a part of a value, such as `<b>` in a text.
  const isCall = closesEnvelope(text.slice(at, end)) || (CALL_WORD.test(name) && head.includes(opening));
  return end > at && !isInSentence(text, end) && (isFirst || isCall) ? end : at;
}

/**
 * Skips tokens after a run of calls, and the white space between them.
 * @param limit where the next run begins
 * @param callHead the first characters of the last call
 */
function skipTokens(text: string, from: number, limit: number, dialects: Dialects, callHead: string): number {
  const { trailing } = dialects;
  let end = from;
  for (;;) {
    const at = skipWhite(text, end);
    if (at >= limit || !isTokenStart(text.charCodeAt(at))) return Math.min(limit, end);
    const known = trailing.find(text, at);
    // A code fence counts as declared too, but here it may open a block of the answer.
    const isFence = known?.startsWith('```') === true || known?.startsWith('~~~') === true;
    if (isFence) return end;
    const tokenEnd = known === undefined ? skipToken(text, at) : at + known.length;
    const closed = tokenEnd > at ? tokenEnd : skipOwnCloser(text, at, callHead);
    const skipped = closed > at ? closed : skipEmptyEnvelope(text, at, dialects);
    if (skipped === at) return end;
    end = skipped;
  }
}

/** Skips closers before a run of calls. Other tokens there may end the text before them, and stay. */
function skipTokensBefore(text: string, from: number, floor: number, dialects: Dialects): number {
  let start = from;
  for (;;) {
    const at = skipWhiteBefore(text, start);
    if (at <= floor || text.charCodeAt(at - 1) !== GREATER_THAN) return Math.max(floor, start);
    const envelope = skipEmptyEnvelopeBefore(text, at, floor, dialects);
    const [token] = TOKEN_BEFORE.exec(text.slice(Math.max(0, at - LONGEST_TOKEN), at)) ?? [];
    if (envelope === at && (token === undefined || !dialects.closers.has(token))) return start;
    start = envelope < at ? envelope : at - (token?.length ?? 0);
  }
}

/**
 * Skips tokens at the start of the reply if text follows them directly, or if they end in the header of the model's own turn.
 * Before white space, a token may be what the reply is about.
 */
function skipTokensAtStart(text: string, from: number, { trailing, openers }: Dialects): number {
  let end = from;
  for (;;) {
    const header = trailing.find(text, end) ?? '';
    if (MODEL_ROLE.test(header)) return skipRoleHeader(text, end + header.length) ?? from;
    const next = skipToken(text, end);
    if (next === end) break;
    // With data behind it, an opener is a part of a call that was not read.
    if (openers.has(text.slice(end, next)) && DATA.test(text.slice(next, next + LONGEST_HEADER))) return from;
    end = next;
  }
  if (end === from) return from;
  // The header of another turn, such as the user's, is a part of a conversation that the reply quotes.
  const isHeader = TURN_HEADER.test(text.slice(end, end + LONGEST_HEADER));
  return isHeader || /\s/.test(text.charAt(end) || ' ') ? from : end;
}

/** A bracket, after at most a label and a name. */
const DATA = /^\s{0,8}(?:[\w.:-]{1,48}\s?){0,2}[{[]/;
/** Tokens of the formats that contain the role, such as `<|role|>assistant`. */
const MODEL_ROLE = /assistant|model/;
const LONGEST_HEADER = 128;
/**
 * What follows the token that opens a turn, up to the turn's text: `system<|end_header_id|>Hi`, or `user` and a line break. It
 * is matched behind the token.
 */
const TURN_HEADER =
  /^(?:[^\n]{0,64}?<[|｜]\w{1,32}[|｜]>\S|(?:user|system|developer|tool|assistant|model)\n)/;

/**
 * `end` if the header that ends there is whole: a line break follows it, or, if it ends with `>`, text does. Otherwise undefined,
 * because a sentence may be about it: `<|role|>assistant opens a turn.`
 */
function skipRoleHeader(text: string, end: number): number | undefined {
  const next = text.charAt(end);
  const isWhole = next === '\n' || (text.charAt(end - 1) === '>' && /\S/.test(next));
  return isWhole ? end : undefined;
}

/**
 * Skips tokens at the end of the reply, backwards, if text precedes them directly. If nothing precedes them, they are cut only
 * when a call or reasoning is before them: a reply of nothing but tokens is about them.
 * @param from the end of the reply without white space
 * @param floor the end of the last call or reasoning; 0 when there is none
 */
function skipTokensAtEnd(text: string, from: number, floor: number, dialects: Dialects): number {
  const { trailing, closers } = dialects;
  /** Closing tag → whether the reply has an opening tag of its name. Searching for each copy again would be slow. */
  const opened = new Map<string, boolean>();
  let start = from;
  let at = from;
  while (at > floor) {
    const token = findTokenAtEnd(text, at, dialects, opened);
    if (token === '') break;
    start = at - token.length;
    // White space before a token is skipped only if the token ends a turn: models write those on lines of their own.
    const isEnd = trailing.find(text, start) === token && !closers.has(token);
    at = isEnd ? skipWhiteBefore(text, start) : start;
  }
  // After white space, tokens may be what the text is about, as they are in a reply of nothing else.
  const before = skipWhiteBefore(text, start);
  const isApart = before > floor ? before < start : floor === 0;
  return isApart ? from : start;
}

/** The control token directly before `end`, or a known tag that nothing in the reply opens; '' when there is none. */
function findTokenAtEnd(
  text: string,
  end: number,
  { trailing, closers }: Dialects,
  opened: Map<string, boolean>,
): string {
  if (text.charCodeAt(end - 1) !== GREATER_THAN) return '';
  const [token = ''] = TOKEN_AT_END.exec(text.slice(Math.max(0, end - LONGEST_TOKEN), end)) ?? [];
  const start = end - token.length;
  // A closer is cut only after the end of a sentence. After anything else, it is what is left of a call that was not read.
  const isLeft = closers.has(token) && !/[.!?。！？]/.test(text.charAt(start - 1));
  if (isLeft) return '';
  if (/[|｜]/.test(token)) return token;
  if (trailing.find(text, start) !== token) return '';
  if (!token.startsWith('</')) return token;
  const isOpened = opened.get(token) ?? hasOpening(text, token.slice(2, -1));
  opened.set(token, isOpened);
  return isOpened ? '' : token;
}

/** Whether an opening tag of this name, with or without attributes, is anywhere in the text. */
const hasOpening = (text: string, name: string): boolean =>
  [' ', '>', '=', '/', '\n', '\t'].some((next) => text.includes(`<${name}${next}`));

/** Whether an opener may end with this character: `>`, `]`, `=`, or one outside ASCII. */
const mayEndToken = (code: number): boolean =>
  code === GREATER_THAN || code === 93 || code === 61 || code > 127;

const LONGEST_OPENER = 64;
/** A whole opening tag with what a format may write into it, such as `<fn=get_weather>`; or `[A_CALL]`. */
const OPENING_TAG = /^(?:<[^<>\n]{1,62}>|\[[A-Z_]{2,40}\])/;

/**
 * Where the copies of the opener at `start` begin that come before it, with only white space between them. Some models write
 * an opener twice before they write the call.
 * @param openers the openers of the call's format, for those that are no tags
 * @param floor the end of the call before; no copy before it is counted
 * @returns `start` itself when there is only one opener
 */
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
