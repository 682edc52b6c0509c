// Guesses, while a reply is being written, where a tool call begins in its text. What counts is decided when it ends:
// this only chooses words and a typeface. Pure.
import type { LiveReplyView } from '../../src/protocol';

/** Tags and control tokens by which models open a call. */
const MARK =
  /<(?:tool|function)[_-]?calls?>|<(?:tools?|tool_use|call|invoke)>|<function=|<\|?tool_calls?(?:_begin)?\|>|<｜tool▁calls?▁begin｜>|<\|python_tag\|>|\[TOOL_CALLS?\]/i;
/** An object that names a tool first, in a fence or at the beginning of a line. */
const JSON_CALL =
  /(?:^|\n)(?:(?:```|~~~)[\w-]{0,20}[ \t]{0,8}\n)?\s{0,20}(?:\[\s{0,20})?\{\s{0,20}"(?:name|tool|tool_name|function|tool_calls)"\s{0,8}:/;

/** @returns -1 when the text opens no call. */
export function findCallOpener(text: string): number {
  const places = [text.search(MARK), toContent(text, JSON_CALL.exec(text))].filter((place) => place >= 0);
  return places.length > 0 ? Math.min(...places) : -1;
}

/** Whether a tool call is arriving, natively or as text. */
export function isWritingCall(reply: LiveReplyView): boolean {
  const known = writing.get(reply);
  if (known !== undefined) return known;
  const isWriting = reply.toolCalls.length > 0 || findCallOpener(reply.content) >= 0;
  writing.set(reply, isWriting);
  return isWriting;
}

/** Every lane is asked for with the news of each one, and each piece of news is another object. */
const writing = new WeakMap<LiveReplyView, boolean>();

/** Where the match begins without the line end before it. */
function toContent(text: string, match: RegExpExecArray | null): number {
  if (!match) return -1;
  return text.charAt(match.index) === '\n' ? match.index + 1 : match.index;
}
