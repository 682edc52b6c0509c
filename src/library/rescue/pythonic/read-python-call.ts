// One call as a program writes it, `name(key=value)`, read without evaluating anything. Knows no wrapper.
import type { RescueRepair } from '../../../types';
import { RepairLog } from '../json/repair-log';
import type { RescueContext } from '../rescue-context';
import type { ReadCall } from '../rescue-format';
import { bindArguments } from './bind-arguments';
import type { LiteralFailure } from './literal-reading';
import { skipPythonBlank } from './literal-reading';
import type { LiteralStyle } from './literal-reader';
import { readArguments } from './read-arguments';

export interface PythonCall {
  start: number;
  end: number;
  name: string;
  call?: ReadCall | undefined;
  /** Instead of the call. */
  failure?: LiteralFailure | undefined;
}

export const PYTHON_STYLE: LiteralStyle = { strings: 'python', delimiters: [], hasBareKeys: false };

const LONGEST_NAME = 128;

const isLetterCode = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  code === 95 ||
  (code > 0xbf && !(code >= 0x2000 && code <= 0x206f) && code < 0xff00);

/** What names of tools are made of: letters, digits, `_`, and the signs that join their parts. */
export const isNameCode = (code: number): boolean => isLetterCode(code) || (code >= 45 && code <= 58);

/** The end of the name at `at`; `at` itself when there is none. */
export function findNameEnd(text: string, at: number): number {
  if (!isLetterCode(text.charCodeAt(at))) return at;
  let end = at + 1;
  const limit = Math.min(text.length, at + LONGEST_NAME);
  while (end < limit && isNameCode(text.charCodeAt(end))) end += 1;
  return end;
}

/** The start of the name that ends at `end`, not before `floor`; `end` itself when there is none. */
export function findNameStart(text: string, end: number, floor: number): number {
  let start = end;
  const limit = Math.max(floor, end - LONGEST_NAME);
  while (start > limit && isNameCode(text.charCodeAt(start - 1))) start -= 1;
  while (start < end && !isLetterCode(text.charCodeAt(start))) start += 1;
  return start;
}

/** The end of a tool's name of several words, right before its bracket; `at` itself when there is none. */
function findSpacedNameEnd(context: RescueContext, at: number): number {
  const { text, tools } = context;
  const limit = Math.min(text.length, at + LONGEST_NAME);
  let end = at;
  while (end < limit && (text.charCodeAt(end) === 32 || isNameCode(text.charCodeAt(end)))) end += 1;
  context.meter.spend(at, end);
  return end > at && text.charAt(end) === '(' && tools.resolve(text.slice(at, end)) ? end : at;
}

/** Null when no name with a bracket stands at `at`. */
export function readPythonCall(
  context: RescueContext,
  at: number,
  style: LiteralStyle = PYTHON_STYLE,
): PythonCall | null {
  const { text } = context;
  const wordEnd = findNameEnd(text, at);
  if (wordEnd === at) return null;
  const end = text.charAt(wordEnd) === ' ' ? Math.max(wordEnd, findSpacedNameEnd(context, at)) : wordEnd;
  const name = text.slice(at, end);
  if (text.charAt(end) !== '(') return null;
  if (name === 'print' && !context.tools.resolve(name)) return readPrinted(context, at, end + 1, style);
  return readBrackets(context, { name, start: at }, end + 1, style);
}

/** The call whose name was read, from the place after its opening bracket. */
export function readBrackets(
  context: RescueContext,
  { name, start }: { name: string; start: number },
  from: number,
  style: LiteralStyle,
): PythonCall {
  const log = new RepairLog();
  const reading = readArguments(context, from, style, log);
  const { end, failure } = reading;
  if (failure) return { start, end, name, failure };
  const { value, refusal } = bindArguments(context.tools, name, reading);
  return { start, end, name, call: { name, arguments: value, start, end, repairs: log.repairs, refusal } };
}

/** `print(f(…))` shows the result of a call; `print` of anything else belongs to a program. */
function readPrinted(
  context: RescueContext,
  start: number,
  from: number,
  style: LiteralStyle,
): PythonCall | null {
  const inner = skipPythonBlank(context, from);
  const nameEnd = findNameEnd(context.text, inner);
  const name = context.text.slice(inner, nameEnd);
  if (name === '' || name === 'print' || context.text.charAt(nameEnd) !== '(') return null;
  const read = readBrackets(context, { name, start: inner }, nameEnd + 1, style);
  if (!read.call) return { ...read, start };
  const closer = skipPythonBlank(context, read.end);
  const isOpen = closer >= context.text.length;
  if (!isOpen && context.text.charAt(closer) !== ')') return null;
  const repairs: RescueRepair[] = [{ kind: 'print-wrapper', at: start }, ...read.call.repairs];
  if (isOpen) repairs.push({ kind: 'missing-closer', at: closer });
  const end = isOpen ? read.end : closer + 1;
  return { start, end, name, call: { ...read.call, start, end, repairs } };
}
