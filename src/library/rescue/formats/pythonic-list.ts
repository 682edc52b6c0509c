// Calls of Llama 3.2, Llama 4 and ToolACE: `[get_weather(city="Ames"), get_time()]`, Python calls in a list, on lines of its
// own or between Llama 4's tokens.
import { LIST_PATTERN } from '../candidates/start-patterns';
import { endsLine, isInProgram, standsAlone } from '../regions/line-position';
import { findNameEnd } from '../text/names';
import { readCallRun } from '../pythonic/read-call-run';
import type { FailedRun } from '../pythonic/read-call-run';
import { readPythonicBlock, toFailedRun } from '../pythonic/read-pythonic-block';
import { IN_PROGRAM } from '../core/refusals';
import { writePythonCalls } from '../pythonic/write-pythonic';
import { skipWhite } from '../text/white-space';
import type { RescueContext } from '../core/rescue-context';
import type { FormatReading, RescueFormat } from '../core/rescue-format';

export const pythonicList: RescueFormat = {
  id: 'pythonic-list',
  title: 'Llama 3.2, Llama 4, ToolACE: a list of Python calls',
  nativeHint:
    'If the server is vLLM, start it with `--tool-call-parser pythonic`, or `llama4_pythonic` for Llama 4, to get it natively.',
  openers: ['<|python_start|>'],
  firstCharacters: '[',
  startPattern: LIST_PATTERN,
  evidence: 'shape',
  parse: (context, at, opener) => (opener === '' ? parseBare(context, at) : parseMarked(context, at, opener)),
  write: (calls) => `[${writePythonCalls(calls, ', ')}]`,
};

function parseMarked(context: RescueContext, at: number, opener: string): FormatReading | null {
  const reading = readPythonicBlock(context, at, opener, { close: '<|python_end|>' });
  return reading?.kind === 'calls' ? { ...reading, evidence: 'marker' } : reading;
}

function parseBare(context: RescueContext, at: number): FormatReading | null {
  const { text } = context;
  const first = skipWhite(text, at + 1);
  const nameEnd = findNameEnd(text, first);
  if (nameEnd === first || !' ('.includes(text.charAt(nameEnd)) || !standsAlone(context, at)) return null;
  const run = readCallRun(context, at);
  if (!run) return null;
  if (run.damage) return parseFailed(context, at, run);
  // Text after the list: it is a link, or the beginning of a sentence.
  if (!endsLine(text, run.end)) return { kind: 'text', end: run.end };
  const isOffered = run.calls.some(({ name }) => context.tools.resolve(name));
  if (!isOffered && skipWhite(text, run.end) < text.length) return { kind: 'text', end: run.end };
  if (!isInProgram(context, at)) return run;
  return { ...run, calls: run.calls.map((call) => ({ ...call, refusal: IN_PROGRAM })) };
}

/** Reports a failed call only at the end of the reply and for an offered tool, because brackets have many other uses. */
function parseFailed(context: RescueContext, at: number, run: FailedRun): FormatReading | null {
  const { damage, calls } = run;
  const names = [...calls.map((call) => call.name), damage.name ?? ''];
  if (!names.some((name) => context.tools.resolve(name))) return null;
  const lineEnd = context.find('\n', damage.at);
  const closer = context.find('](', damage.at);
  const isLink = closer !== -1 && (lineEnd === -1 || closer < lineEnd);
  if (isLink || !context.isLastLine(damage.at)) return null;
  const isWhole = damage.reason === 'truncated' || damage.name !== undefined;
  return toFailedRun(at, isWhole ? run : { ...run, calls: [] });
}
