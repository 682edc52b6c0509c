// Reads one call as a program writes it, `name(key=value)`, without evaluating anything. Independent of wrappers.
import type { RescueRepair } from '../../../types';
import type { ReadFailure } from '../core/json-reading';
import { RepairLog } from '../core/repair-log';
import type { RescueContext } from '../core/rescue-context';
import { findNameEnd } from '../text/names';
import type { ReadCall } from '../core/rescue-format';
import { bindArguments } from './bind-arguments';
import { readPythonArguments } from './python-reader';
import { skipPythonBlank } from './python-syntax';

/** A call, or why it could not be read. */
export type PythonCall = { start: number; end: number; name: string } & (
  { call: ReadCall; failure?: undefined } | { call?: undefined; failure: ReadFailure }
);

/** Null when there is no name with a bracket at `at`. */
export function readPythonCall(context: RescueContext, at: number): PythonCall | null {
  const { text } = context;
  const end = findNameEnd(text, at);
  if (end === at || text.charAt(end) !== '(') return null;
  const name = text.slice(at, end);
  if (name === 'print' && !context.tools.resolve(name)) return readPrinted(context, at, end + 1);
  return readBrackets(context, { name, start: at }, end);
}

/**
 * Reads a call whose name was read already.
 * @param at Offset of its opening bracket.
 * @param delimiters Tokens around texts, as other languages have them.
 */
export function readBrackets(
  context: RescueContext,
  { name, start }: { name: string; start: number },
  at: number,
  delimiters?: readonly string[],
): PythonCall {
  const log = new RepairLog();
  const { value: written, end, failure } = readPythonArguments(context, at, log, delimiters);
  if (failure) return { start, end, name, failure };
  const { value, refusal } = bindArguments(context.tools, name, written);
  return { start, end, name, call: { name, arguments: value, start, end, repairs: log.repairs, refusal } };
}

/** Reads `print(f(…))`, which shows the result of a call. Null for `print` of anything else, which belongs to a program. */
function readPrinted(context: RescueContext, start: number, from: number): PythonCall | null {
  const inner = skipPythonBlank(context, from);
  const nameEnd = findNameEnd(context.text, inner);
  const name = context.text.slice(inner, nameEnd);
  if (name === '' || name === 'print' || context.text.charAt(nameEnd) !== '(') return null;
  const read = readBrackets(context, { name, start: inner }, nameEnd);
  if (!read.call) return { ...read, start };
  const closer = skipPythonBlank(context, read.end);
  const isOpen = closer >= context.text.length;
  if (!isOpen && context.text.charAt(closer) !== ')') return null;
  const repairs: RescueRepair[] = [{ kind: 'print-wrapper', at: start }, ...read.call.repairs];
  if (isOpen) repairs.push({ kind: 'missing-closer', at: closer });
  const end = isOpen ? read.end : closer + 1;
  return { start, end, name, call: { ...read.call, start, end, repairs } };
}
