// Finds where YAML in a tag or a fence ends. Block text may contain the closer, but never at the start of a line.
import type { RescueRepair } from '../../../types';
import type { FenceOpening } from '../regions/fence';
import { readCallCloser } from '../core/call-closer';
import { isBlank } from '../text/white-space';
import type { RescueContext } from '../core/rescue-context';

export interface YamlClose {
  bodyEnd: number;
  /** Includes the closer. */
  end: number;
  repairs: readonly RescueRepair[];
  /** Whether the text ends without any closer, so that the last value may be cut off. */
  isOpen: boolean;
  /** Whether the text ends within the closer. */
  isHalf: boolean;
}

/** Finds a closing tag, or another call, at the start of a line; otherwise the closing tag directly after the last value. */
export function findTagClose(context: RescueContext, from: number, closer: string): YamlClose {
  const { text, meter } = context;
  const line = findTagLine(context, from, `<${closer.slice(2)}`);
  const limit = line === -1 ? text.length : line;
  const inline = text.startsWith('</', limit) ? -1 : context.find(closer, from);
  const isInline = inline !== -1 && inline < limit && isPlainEnd(context, from, inline);
  const bodyEnd = isInline ? inline : line;
  // What follows was only searched, which costs nothing for the next call.
  meter.spend(from, bodyEnd === -1 ? text.length : bodyEnd);
  meter.reach(limit);
  if (bodyEnd === -1) return openEnd(text);
  const { end, repairs, isOpen } = readCallCloser(context, bodyEnd, closer);
  return { bodyEnd, end, repairs, isOpen: false, isHalf: isOpen };
}

/** The first line from `from` on that begins with a closing tag or with the opener; -1 when there is none. */
function findTagLine(context: RescueContext, from: number, opener: string): number {
  if (context.text.startsWith('</', from) || context.text.startsWith(opener, from)) return from;
  const found = ['\n</', `\n${opener}`].map((tag) => context.peek(tag, from)).filter((at) => at !== -1);
  return found.length === 0 ? -1 : Math.min(...found) + 1;
}

/** Whether a plain value may end at `at`: directly after a character, and not inside block text. */
function isPlainEnd(context: RescueContext, from: number, at: number): boolean {
  const { text } = context;
  if (text.charAt(at - 1).trim() === '') return false;
  for (let line = from; line < at;) {
    const next = nextLine(context, line);
    if (opensBlockText(text, line, next)) return false;
    line = next === -1 ? text.length : next;
  }
  return true;
}

function opensBlockText(text: string, line: number, next: number): boolean {
  const end = next === -1 ? text.length : next;
  return /[:-] {1,8}[|>][+-]?\d?[+-]?\s*$/.test(text.slice(Math.max(line, end - 32), end));
}

/** The closer is not indented more than the opening of the fence; a closer with more indentation is text. */
export function findFenceClose(context: RescueContext, from: number, opening: FenceOpening): YamlClose {
  const { text } = context;
  const { marker } = opening;
  const deepest = opening.start - context.findLineStart(opening.start);
  for (let line = from; line !== -1; line = nextLine(context, line)) {
    let start = line;
    while (start - line < Math.min(deepest, 3) && text.charAt(start) === ' ') start += 1;
    const end = text.startsWith(marker, start) ? endOfMarker(context, start, marker) : -1;
    if (end === -1) continue;
    context.meter.spend(from, end);
    return { bodyEnd: line, end, repairs: [], isOpen: false, isHalf: false };
  }
  context.meter.spend(from, text.length);
  return openEnd(text);
}

const openEnd = (text: string): YamlClose => ({
  bodyEnd: text.length,
  end: text.length,
  repairs: [],
  isOpen: true,
  isHalf: false,
});

/** The end of the marker; -1 when the line has anything else but the end of a turn. */
function endOfMarker(context: RescueContext, line: number, marker: string): number {
  const { text } = context;
  let end = line + marker.length;
  while (text.charAt(end) === marker.charAt(0)) end += 1;
  let next = end;
  while (text.charCodeAt(next) !== 10 && isBlank(text.charCodeAt(next))) next += 1;
  const isEnd =
    next >= text.length ||
    text.charAt(next) === '\n' ||
    context.dialects.trailing.find(text, next) !== undefined;
  return isEnd ? end : -1;
}

function nextLine({ text }: RescueContext, from: number): number {
  const next = text.indexOf('\n', from);
  return next === -1 ? -1 : next + 1;
}
