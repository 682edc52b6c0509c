// Python calls without a marker: `get_weather(city="Ames")` on a line of its own, as Granite 3.3 and others write it, and
// `[get_weather(city="Ames"), get_time()]`, as Llama 3.2, Llama 4 and ToolACE do. Each also stands in a tag or between tokens.
// `functions.get_weather({city: "Ames"})`, as in TypeScript, is read too.
import { NAMED_PATTERN, LIST_PATTERN } from '../candidates/start-patterns';
import { endsLine, isInProgram, startsLine, standsAlone } from '../regions/line-position';
import { skipWhite } from '../text/white-space';
import { IN_PROGRAM } from '../core/refusals';
import { readBrackets } from '../pythonic/read-python-call';
import { findNameStart, findNameEnd } from '../text/names';
import { readCallRun } from '../pythonic/read-call-run';
import type { CallRun, RunFailure } from '../pythonic/read-call-run';
import { readPythonicBlock, toFailedRun } from '../pythonic/read-pythonic-block';
import { writePythonCalls } from '../pythonic/write-pythonic';
import type { RescueContext } from '../core/rescue-context';
import type { FormatReading, RescueFormat } from '../core/rescue-format';

export const pythonicCall: RescueFormat = {
  id: 'pythonic-call',
  title: 'Granite 3.3 and others: a Python call a line',
  openers: ['<tool_call>'],
  firstCharacters: '(',
  startPattern: NAMED_PATTERN,
  evidence: 'shape',
  parse(context, at, opener) {
    const repairs = [{ kind: 'foreign-body', at: at + opener.length }];
    return opener === ''
      ? parseLine(context, at)
      : parseMarked(context, at, opener, { close: '</tool_call>', repairs });
  },
  write: (calls) => writePythonCalls(calls, '\n'),
};

function parseLine(context: RescueContext, at: number): FormatReading | null {
  const { text, tools } = context;
  const start = findNameStart(text, at, context.consumedTo);
  context.meter.spend(start, at);
  const name = text.slice(start, at);
  if (name === '' || !tools.resolve(name)) return null;
  const isProgram = isInProgram(context, start);
  if (!startsLine(context, start) && !isProgram) return parseMentioned(context, name, at);
  const run = readCallRun(context, start, { isLine: true });
  if (!run) return null;
  const { damage } = run;
  // Elsewhere than on the last line of the reply, it is probably a description of the tool.
  if (damage) return !isProgram && context.isLastLine(damage.at) ? toFailedRun(start, run, damage) : null;
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

export const pythonicList: RescueFormat = {
  id: 'pythonic-list',
  title: 'Llama 3.2, Llama 4, ToolACE: a list of Python calls',
  sglangParser: 'pythonic',
  vllmParser: 'pythonic',
  nativeHint: 'vLLM, for Llama 4: `--tool-call-parser llama4_pythonic`.',
  openers: ['<|python_start|>'],
  firstCharacters: '[',
  startPattern: LIST_PATTERN,
  evidence: 'shape',
  parse: (context, at, opener) =>
    opener === '' ? parseList(context, at) : parseMarked(context, at, opener, { close: '<|python_end|>' }),
  write: (calls) => `[${writePythonCalls(calls, ', ')}]`,
};

/** Reads calls after an opener, which is better evidence than their shape. */
function parseMarked(...block: Parameters<typeof readPythonicBlock>): FormatReading | null {
  const reading = readPythonicBlock(...block);
  return reading?.kind === 'calls' ? { ...reading, evidence: 'marker' } : reading;
}

function parseList(context: RescueContext, at: number): FormatReading | null {
  const { text } = context;
  const first = skipWhite(text, at + 1);
  const nameEnd = findNameEnd(text, first);
  if (nameEnd === first || !' ('.includes(text.charAt(nameEnd)) || !standsAlone(context, at)) return null;
  const run = readCallRun(context, at);
  if (!run) return null;
  if (run.damage) return parseFailedList(context, run, run.damage);
  // Text after the list: it is a link, or the beginning of a sentence.
  if (!endsLine(text, run.end)) return { kind: 'text', end: run.end };
  const isOffered = run.calls.some(({ name }) => context.tools.resolve(name));
  if (!isOffered && skipWhite(text, run.end) < text.length) return { kind: 'text', end: run.end };
  return isInProgram(context, at) ? toExamples(run) : run;
}

/** Reports a failed call only at the end of the reply and for an offered tool, because brackets have many other uses. */
function parseFailedList(context: RescueContext, run: CallRun, damage: RunFailure): FormatReading | null {
  const names = [...run.calls.map((call) => call.name), damage.name ?? ''];
  if (!names.some((name) => context.tools.resolve(name))) return null;
  const lineEnd = context.find('\n', damage.at);
  const closer = context.find('](', damage.at);
  const isLink = closer !== -1 && (lineEnd === -1 || closer < lineEnd);
  if (isLink || !context.isLastLine(damage.at)) return null;
  const isWhole = damage.reason === 'truncated' || damage.name !== undefined;
  return toFailedRun(run.start, isWhole ? run : { ...run, calls: [] }, damage);
}
