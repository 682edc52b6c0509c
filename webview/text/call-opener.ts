// Guesses where a tool call begins in a reply that is still being written. Only affects wording and typeface; what
// counts is decided when the reply is complete. Pure.
import type { LiveReplyView } from '../../src/protocol';

/** Tags and control tokens with which models open a call. */
const MARK =
  /<(?:tool|function)[_-]?calls?>|<(?:tools?|tool_use|call|invoke)>|<function=|<\|?tool_calls?(?:_begin)?\|>|<｜tool▁calls?▁begin｜>|<\|python_tag\|>|\[TOOL_CALLS?\]/i;
/** An object whose first key names a tool, in a fence or at the beginning of a line. */
const JSON_CALL =
  /(?:^|\n)(?:(?:```|~~~)[\w-]{0,20}[ \t]{0,8}\n)?\s{0,20}(?:\[\s{0,20})?\{\s{0,20}"(?:name|tool|tool_name|function|tool_calls)"\s{0,8}:/;

/** @returns the offset at which a call begins; -1 if there is none. */
export function findCallOpener(text: string): number {
  const places = [text.search(MARK), toContent(text, JSON_CALL.exec(text))].filter((place) => place >= 0);
  return places.length > 0 ? Math.min(...places) : -1;
}

/** Whether a tool call is being received, natively or as text. */
export function isWritingCall(reply: LiveReplyView): boolean {
  const known = writing.get(reply);
  if (known !== undefined) return known;
  const isWriting = reply.toolCalls.length > 0 || findCallOpener(reply.content) >= 0;
  writing.set(reply, isWriting);
  return isWriting;
}

/**
 * Cache by reply object: all lanes ask again whenever one of them changes, and each change of a reply is a new
 * object.
 */
const writing = new WeakMap<LiveReplyView, boolean>();

/** Offset of the match without the line end before it. */
function toContent(text: string, match: RegExpExecArray | null): number {
  if (!match) return -1;
  return text.charAt(match.index) === '\n' ? match.index + 1 : match.index;
}
