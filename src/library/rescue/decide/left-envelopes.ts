// Finds what is left of envelopes around calls that were read: a closing tag of a name that no format has, an envelope with nothing
// in it, and an opening tag behind which the model went on in prose before it wrote the call. Independent of formats.
import type { Dialects } from '../core/dialects';
import type { Span } from '../text/cut-text';
import { skipWhite } from '../text/white-space';

/** Names of elements that can only be envelopes of calls, such as `function_invocation`. */
const CALL_NAME =
  /^(?:[\w-]{1,16}:)?(?:(?:tool|function|action)s?[_-]?)?(?:invocation|invoke|call|function|tool|request|use)s?$/i;
const LONGEST_OPENER = 64;

/** The end of an envelope with nothing in it at `at`, or of an opener that ends the reply; `at` itself when there is none. */
export function skipEmptyEnvelope(text: string, at: number, { openers, closers }: Dialects): number {
  const lowered = (from: number): string => text.slice(from, from + LONGEST_OPENER).toLowerCase();
  const opener = openers.findIn(lowered(at));
  if (opener === '') return at;
  const inside = skipWhite(text, at + opener.length);
  if (inside >= text.length) return text.length;
  const own = `</${opener.slice(1)}`;
  const closer = lowered(inside).startsWith(own) ? own : closers.findIn(lowered(inside));
  // Some tokens open what they also close.
  return closer === '' || closer === opener ? at : inside + closer.length;
}

/** The same backwards: where the envelope that ends at `end` begins. */
export function skipEmptyEnvelopeBefore(
  text: string,
  end: number,
  floor: number,
  dialects: Dialects,
): number {
  const piece = text.slice(Math.max(floor, end - 2 * LONGEST_OPENER), end);
  const length = EMPTY_BEFORE.exec(piece)?.[0].length ?? 0;
  return length > 0 && skipEmptyEnvelope(text, end - length, dialects) === end ? end - length : end;
}

const EMPTY_BEFORE = /<[^<>]{1,40}>\s{0,16}<[^<>]{1,40}>$/;

/** Whether it is a closing tag, such as `</function_invocation>`, that closes nothing but an envelope of calls. */
export const closesEnvelope = (tag: string): boolean =>
  tag.startsWith('</') && CALL_NAME.test(tag.slice(2, -1));

/**
 * The opening tag of the envelope that closes behind the calls, if prose stands between it and them, as in
 * `<a_call>Let me look.⟨call⟩</a_call>`. Undefined where the calls have an opening tag of that name themselves, or a sentence
 * is about the tag.
 * @param calls from the first of the calls to the end of the tokens behind the last one
 */
export function findOpenerBeforeProse(text: string, calls: Span, floor: number): Span | undefined {
  const from = Math.max(floor, calls.start - LONGEST_PROSE);
  const start = from + text.slice(from, calls.start).lastIndexOf('<');
  const [tag, name] = PROSE_OPENER.exec(text.slice(Math.max(from, start), calls.start)) ?? [];
  if (tag === undefined || name === undefined || !CALL_NAME.test(name)) return undefined;
  const written = text.slice(Math.max(calls.start, calls.end - LONGEST_PROSE), calls.end);
  if (!written.includes(`</${name}>`) || text.startsWith(tag, calls.start)) return undefined;
  const before = text.slice(Math.max(0, start - 2), start).trim();
  return before === '' || SENTENCE_END.test(before) ? { start, end: start + tag.length } : undefined;
}

const SENTENCE_END = /[.!?:>。！？]$/;
const LONGEST_PROSE = 2048;
/** A tag with text behind it that is neither set apart from it nor goes on in a sentence about it. */
const PROSE_OPENER = /^<([\w:.-]{1,40})>(?=\s*\S)(?=\n|[^\s,.;:!?)'"`])/;
