// Reads one call as FunctionGemma and Gemma 4 write it, `call:name{key:value}`, also with the brackets of other dialects.
import type { RescueRepair } from '../../../types';
import { toRecord } from '../../util/json';
import { skipWhite } from '../text/white-space';
import { RepairLog } from '../core/repair-log';
import type { RescueContext } from '../core/rescue-context';
import { readBareObject } from '../brackets/bare-object-reader';
import type { BareStyle } from '../brackets/bare-values';
import { readBrackets } from '../pythonic/read-python-call';
import { findNameEnd } from '../text/names';
import type { PythonCall } from '../pythonic/read-python-call';

const DELIMITERS = ['<|"|>', '<escape>'];
const STOPS = [
  '<|tool_call>',
  '<tool_call|>',
  '<start_function_call>',
  '<end_function_call>',
  '<start_function_response>',
  ...DELIMITERS,
];
const STOP_SIGNS = new Set(STOPS.map((stop) => stop.charAt(0)));
const CLOSERS = ['<tool_call|>', '<end_function_call>'];
const LABEL = 'call';

/** Reads the call at `at`; null when there is no name followed by a bracket, with or without `call:` before it. */
export function readGemmaCall(context: RescueContext, at: number): PythonCall | null {
  const { text } = context;
  const repairs: RescueRepair[] = [];
  const colon = skipWhite(text, at + LABEL.length);
  const hasLabel = text.startsWith(LABEL, at) && text.charAt(colon) === ':';
  if (!hasLabel) repairs.push({ kind: 'broken-tag', at, note: '`call:` is missing' });
  const start = hasLabel ? skipWhite(text, colon + 1) : at;
  const nameEnd = findNameEnd(text, start);
  const bracket = skipWhite(text, nameEnd);
  const name = text.slice(start, nameEnd);
  if (name === '') return null;
  if (hasLabel && CLOSERS.some((closer) => text.startsWith(closer, bracket)))
    return readBareName(name, at, nameEnd);
  if (!'{('.includes(text.charAt(bracket) || ' ')) return null;
  const read =
    text.charAt(bracket) === '{' ? readBraces(context, name, bracket) : readKeywords(context, name, bracket);
  const { call } = read;
  if (!call) return { ...read, start: at };
  const log = new RepairLog();
  const end = skipClosers(text, read.end, log);
  const all = [...repairs, ...call.repairs, ...log.repairs];
  return { ...read, start: at, end, call: { ...call, start: at, end, repairs: all } };
}

/** The call in `call:name` directly before the closer; it has no arguments. */
const readBareName = (name: string, start: number, end: number): PythonCall => ({
  start,
  end,
  name,
  call: { name, arguments: undefined, start, end, repairs: [] },
});

function readBraces(context: RescueContext, name: string, at: number): PythonCall {
  const log = new RepairLog();
  const { value, end, failure } = readBareObject(context, at, toBareStyle(context, name), log);
  if (failure) return { start: at, end, name, failure };
  return { start: at, end, name, call: { name, arguments: value, start: at, end, repairs: log.repairs } };
}

/** Reads the arguments of `call:name(key="value")`. */
function readKeywords(context: RescueContext, name: string, at: number): PythonCall {
  const read = readBrackets(context, { name, start: at }, at, DELIMITERS);
  const foreign = { kind: 'foreign-body', at, note: 'keyword arguments in parentheses' };
  return read.call ? { ...read, call: { ...read.call, repairs: [foreign, ...read.call.repairs] } } : read;
}

/** The style of values without delimiters, where only the tool's declared parameters show where a value ends. */
function toBareStyle(context: RescueContext, name: string): BareStyle {
  const tool = context.tools.resolve(name)?.tool;
  const declared = Object.entries(toRecord(toRecord(tool?.parameters)['properties']));
  const texts = declared.filter(([, schema]) => toRecord(schema)['type'] === 'string').map(([key]) => key);
  return {
    stops: STOPS,
    stopSigns: STOP_SIGNS,
    delimiters: DELIMITERS,
    ends: CLOSERS,
    ...(declared.length > 0 && { keys: new Set(declared.map(([key]) => key)), texts: new Set(texts) }),
  };
}

function skipClosers(text: string, from: number, log: RepairLog): number {
  let end = from;
  for (let at = skipWhite(text, end); '})'.includes(text.charAt(at) || ' '); at = skipWhite(text, end)) {
    log.add('extra-closer', at);
    end = at + 1;
  }
  return end;
}
