// Formats with Python calls between or after a model's own tokens: LFM2, MiniCPM 3, Olmo 3 and Gorilla OpenFunctions. Each
// is declared as a dialect of one common reader.
import { LIST_PATTERN } from '../candidates/start-patterns';
import { skipWhite } from '../text/white-space';
import { findNameEnd } from '../text/names';
import { readCallRun } from '../pythonic/read-call-run';
import { readPythonicBlock } from '../pythonic/read-pythonic-block';
import { writePythonCalls } from '../pythonic/write-pythonic';
import type { RescueContext } from '../core/rescue-context';
import type { CallsReading, RescueFormat } from '../core/rescue-format';

const LFM2_CLOSE = '<|tool_call_end|>';

export const lfm2: RescueFormat = {
  id: 'lfm2',
  title: 'LFM2: a list of Python calls between tokens',
  nativeHint: 'If the server is vLLM, start it with `--tool-call-parser lfm2` to get it natively.',
  openers: ['<|tool_call_start|>'],
  closers: [LFM2_CLOSE],
  firstCharacters: '[',
  startPattern: LIST_PATTERN,
  evidence: 'marker',
  parse: (context, at, opener) =>
    opener === ''
      ? readWithoutOpener(context, at, LFM2_CLOSE)
      : readPythonicBlock(context, at, opener, { close: LFM2_CLOSE, hasEchoes: true }),
  write: (calls) => `<|tool_call_start|>[${writePythonCalls(calls, ', ')}]${LFM2_CLOSE}`,
};

export const minicpm: RescueFormat = {
  id: 'minicpm',
  title: 'MiniCPM 3: a Python fence between tokens',
  openers: ['<|tool_call_start|>'],
  closers: [LFM2_CLOSE],
  reasoningTags: [{ open: '<|thought_start|>', close: '<|thought_end|>' }],
  evidence: 'marker',
  parse: (context, at, opener) => readPythonicBlock(context, at, opener, { close: LFM2_CLOSE, fence: 'due' }),
  write: (calls) =>
    `<|tool_call_start|>\n\`\`\`python\n${writePythonCalls(calls, '\n')}\n\`\`\`\n${LFM2_CLOSE}`,
};

export const olmo3: RescueFormat = {
  id: 'olmo3',
  title: 'Olmo 3: a Python call a line in <function_calls>',
  nativeHint: 'If the server is vLLM, start it with `--tool-call-parser olmo3` to get it natively.',
  openers: ['<function_calls>'],
  closers: ['</function_calls>'],
  evidence: 'marker',
  parse: (context, at, opener) =>
    readPythonicBlock(context, at, opener, { close: '</function_calls>', fence: 'foreign' }),
  write: (calls) => `<function_calls>\n${writePythonCalls(calls, '\n')}\n</function_calls>`,
};

export const gorilla: RescueFormat = {
  id: 'gorilla',
  title: 'Gorilla OpenFunctions: a Python call after <<function>>',
  openers: ['<<function>>'],
  evidence: 'marker',
  parse: (context, at, opener) => readPythonicBlock(context, at, opener, { close: '' }),
  write: (calls) => `<<function>>${writePythonCalls(calls, '\n<<function>>')}`,
};

/** Reads a list with its closer but without the opener, which many servers remove as a special token. */
function readWithoutOpener(context: RescueContext, at: number, close: string): CallsReading | null {
  const { text } = context;
  const first = skipWhite(text, at + 1);
  if (findNameEnd(text, first) === first || context.find(close, at) === -1) return null;
  const run = readCallRun(context, at);
  if (!run || run.damage || run.isOpen) return null;
  const next = skipWhite(text, run.end);
  if (!text.startsWith(close, next)) return null;
  return { ...run, end: next + close.length, repairs: [{ kind: 'missing-open-tag', at }, ...run.repairs] };
}
