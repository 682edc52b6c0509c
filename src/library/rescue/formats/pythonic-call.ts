// Calls of Granite 3.3 and others: `get_weather(city="Ames")`, a Python call on a line of its own, or in a tag that is meant
// for JSON. `functions.get_weather({city: "Ames"})`, as in TypeScript, is read too.
import { NAMED_PATTERN } from '../candidates/start-patterns';
import { endsLine, isInProgram, startsLine } from '../regions/line-position';
import { skipWhite } from '../text/white-space';
import { IN_PROGRAM } from '../core/refusals';
import { readBrackets } from '../pythonic/read-python-call';
import { findNameStart } from '../text/names';
import { readCallRun } from '../pythonic/read-call-run';
import type { CallRun, FailedRun } from '../pythonic/read-call-run';
import { readPythonicBlock, toFailedRun } from '../pythonic/read-pythonic-block';
import { writePythonCalls } from '../pythonic/write-pythonic';
import type { RescueContext } from '../core/rescue-context';
import type { FormatReading, RescueFormat } from '../core/rescue-format';

export const pythonicCall: RescueFormat = {
  id: 'pythonic-call',
  title: 'Granite 3.3 and others: a Python call a line',
  nativeHint: 'A server with a parser for this model would return it natively; vLLM: `--tool-call-parser`.',
  openers: ['<tool_call>'],
  firstCharacters: '(',
  startPattern: NAMED_PATTERN,
  evidence: 'shape',
  parse: (context, at, opener) => (opener === '' ? parseBare(context, at) : parseTagged(context, at, opener)),
  write: (calls) => writePythonCalls(calls, '\n'),
};

function parseTagged(context: RescueContext, at: number, opener: string): FormatReading | null {
  const repairs = [{ kind: 'foreign-body', at: at + opener.length }];
  const reading = readPythonicBlock(context, at, opener, { close: '</tool_call>', repairs });
  return reading?.kind === 'calls' ? { ...reading, evidence: 'marker' } : reading;
}

function parseBare(context: RescueContext, at: number): FormatReading | null {
  const { text, tools } = context;
  const start = findNameStart(text, at, context.consumedTo);
  context.meter.spend(start, at);
  const name = text.slice(start, at);
  if (name === '' || !tools.resolve(name)) return null;
  const isProgram = isInProgram(context, start);
  if (!startsLine(context, start) && !isProgram) return parseMentioned(context, name, at);
  const run = readCallRun(context, start, { isLine: true });
  if (!run) return null;
  if (run.damage) return isProgram ? null : parseFailed(context, start, run);
  if (isProgram || closesBlock(context, run.end)) return toExamples(run);
  const isOurs = endsLine(text, run.end) && run.calls.every((call) => tools.resolve(call.name));
  if (!isOurs) return { kind: 'text', end: run.end };
  return { ...run, isStatement: true };
}

/** Whether a brace on a later line follows, which ends a block of a program. */
function closesBlock({ text, meter }: RescueContext, end: number): boolean {
  const at = skipWhite(text, end);
  meter.reach(at + 1);
  return text.charAt(at) === '}' && text.slice(end, at).includes('\n');
}

/** Skips a call in the middle of a sentence, because what is inside its brackets is no call either. */
function parseMentioned(context: RescueContext, name: string, at: number): FormatReading | null {
  const start = at - name.length;
  const { call, end } = readBrackets(context, { name, start }, at);
  return call ? { kind: 'text', end } : null;
}

const toExamples = (run: CallRun): FormatReading => ({
  ...run,
  calls: run.calls.map((call) => ({ ...call, refusal: IN_PROGRAM })),
});

/** Reports a failed call only on the last line of the reply; elsewhere it is probably a description of the tool. */
const parseFailed = (context: RescueContext, start: number, run: FailedRun): FormatReading | null =>
  context.isLastLine(run.damage.at) ? toFailedRun(start, run) : null;
