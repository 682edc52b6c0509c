// Reads code fences: three or more backticks or tildes at the start of a line. Independent of calls.
import { findMatchEnd } from '../text/match-end';
import { findOrEnd, skipWhite } from '../text/white-space';

export interface FenceOpening {
  start: number;
  /** The run of backticks or tildes. The closer has at least as many of the same character. */
  marker: string;
  /** Info string in lower case; '' when there is none. */
  infoString: string;
  /** Offset after the info string and the line break. */
  bodyStart: number;
}

const INFO_STRING = /[\w+#.-]{0,32}/y;
const LONGEST_MARKER = 32;

/** The opening of a fence at `at`, wherever in its line that is; undefined when there is none. */
export function readFenceOpening(text: string, at: number): FenceOpening | undefined {
  const marker = readMarker(text, at);
  if (marker === '') return undefined;
  const infoStart = skipSpaces(text, at + marker.length);
  const end = findMatchEnd(INFO_STRING, text, infoStart);
  const infoString = text.slice(infoStart, end).toLowerCase();
  return { start: at, marker, infoString, bodyStart: skipLineBreak(text, end) };
}

/** The end of a closer that follows `from` and white space; `from` when there is none. */
export function readFenceClosing(text: string, from: number, opening: FenceOpening): number {
  const at = skipWhite(text, from);
  const marker = readMarker(text, at);
  return marker.startsWith(opening.marker) ? at + marker.length : from;
}

/** The end of the fence, its closer included; the end of the text if the fence stays open. */
export function findFenceEnd(text: string, from: number, opening: FenceOpening): number {
  let line = from;
  while (line < text.length) {
    const lineEnd = findOrEnd(text, '\n', line);
    if (isFenceCloser(text, line, lineEnd, opening.marker)) return lineEnd;
    line = lineEnd + 1;
  }
  return text.length;
}

/** Whether the line closes a fence that was opened with the marker. */
export function isFenceCloser(text: string, line: number, lineEnd: number, marker: string): boolean {
  const at = skipIndent(text, line);
  const written = readMarker(text, at);
  return written.startsWith(marker) && skipSpaces(text, at + written.length) >= lineEnd;
}

/** Blanks at the start of a line, zero-width ones included. */
const BLANKS = ' \u200b\ufeff';

/** Whether only up to three blanks come between the start of the line and `at`. */
export function isAtLineStart(text: string, at: number): boolean {
  let start = at;
  while (start > 0 && at - start < 4 && BLANKS.includes(text.charAt(start - 1))) start -= 1;
  return at - start < 4 && (start === 0 || text.charAt(start - 1) === '\n');
}

function readMarker(text: string, at: number): string {
  const character = text.charAt(at);
  if (character !== '`' && character !== '~') return '';
  let end = at + 1;
  const limit = at + LONGEST_MARKER;
  while (end < limit && text.charAt(end) === character) end += 1;
  return end - at >= 3 ? text.slice(at, end) : '';
}

function skipIndent(text: string, line: number): number {
  let at = line;
  while (at - line < 3 && text.charAt(at) === ' ') at += 1;
  return at;
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (' \t\r'.includes(text.charAt(at)) && at < text.length) at += 1;
  return at;
}

function skipLineBreak(text: string, from: number): number {
  const at = skipSpaces(text, from);
  return text.charAt(at) === '\n' ? at + 1 : from;
}
